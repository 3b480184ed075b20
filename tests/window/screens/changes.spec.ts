/** "What changed": who made a change, or why that is not known; what policies did is a count. */
import { expect, type Locator } from '@playwright/test';
import { judge } from './judge';
import { open } from './screens';
import { alter, test } from './world';

const at = Date.UTC(2026, 2, 10, 18);

const caller = {
  principal: { kind: 'role', role: 'AWSReservedSSO_Ops_4f1d', session: 'alice', issuer: null },
  via: { kind: 'console' },
  accessKeyEnd: 'MPLE',
  sourceIp: '203.0.113.7',
  userAgent: null,
};
const named = { kind: 'named', calls: [{ eventId: 'e-1', eventName: 'UpdateAlias', at, caller }] };

type Line = { key: string; words: Record<string, string | null>; who: unknown; what: unknown };

function line(key: string, words: Partial<Line['words']>, rest: object = {}): object {
  return {
    key,
    at,
    seenAt: at,
    kind: 'alias',
    severity: 'info',
    region: 'eu-west-1',
    resource: `alias-${key}`,
    fleetId: null,
    fleets: [],
    location: null,
    what: { kind: 'set', part: null, field: 'routing', before: null, after: null },
    words: { subject: `alias ${key}`, text: 'repointed', before: null, after: null, by: null, ...words },
    byUs: null,
    who: null,
    ...rest,
  };
}

const folded = {
  lines: [
    line('live', { before: 'arena-blue', after: 'arena-green', by: 'alice in the console' }, { who: named }),
    line('later', { by: 'not in CloudTrail yet' }, { who: { kind: 'pending', until: at + 9_000_000 } }),
    line('refused', { by: 'CloudTrail not permitted' }, { who: { kind: 'unknown', why: 'notPermitted' } }),
    line(
      'crash',
      { subject: 'arena-green', text: 'server process crashed ×12' },
      {
        kind: 'fleetEvent',
        severity: 'bad',
        what: {
          kind: 'events',
          code: 'SERVER_PROCESS_CRASHED',
          count: 12,
          firstAt: at - 360_000,
          message: null,
          scaled: null,
        },
      },
    ),
  ],
  hasMore: false,
  byPolicy: { steps: 41, netInstances: 9, times: [at] },
};

test('people are named, and who is not known is said as that', async ({ page, world }) => {
  await alter(page, 'overview_get', (overview: { folded: unknown }) => {
    overview.folded = folded;
  });
  await open(page, world, '#/overview?last=3h');
  const feed = page.getByRole('listitem');
  const of = (text: string): Locator => feed.filter({ hasText: text });
  await expect(of('alias live')).toContainText('→ arena-green');
  await expect(of('alias live')).toContainText('was arena-blue');
  await expect(of('alias live')).toContainText('by alice in the console');
  await expect(of('alias live').getByTitle('from 203.0.113.7')).toHaveAttribute('title', /session alice/);
  await expect(of('alias later')).toContainText('not in CloudTrail yet');
  await expect(of('alias refused')).toContainText('CloudTrail not permitted');
  await expect(of('server process crashed ×12')).toContainText('first at');
  await expect(page.getByText('41 steps by policy')).toBeVisible();
  await expect(page.getByText('+9 instances')).toBeVisible();
  await judge(page);
});

test('everything is a click away, and the address says so', async ({ page, world }) => {
  await alter(page, 'overview_get', (overview: { folded: unknown; changes: unknown }) => {
    overview.folded = folded;
    overview.changes = [line('step', { subject: 'arena-green', text: 'scaled' }, { kind: 'scalingStep' })];
  });
  await open(page, world, '#/overview?last=3h');
  await expect(page.getByText('41 steps by policy')).toBeVisible();
  await page.getByRole('group', { name: 'Show' }).getByText('All', { exact: true }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'scaled' })).toBeVisible();
  await expect(page.getByText('41 steps by policy')).toHaveCount(0);
  await expect(page).toHaveURL(/changes=all/);
});
