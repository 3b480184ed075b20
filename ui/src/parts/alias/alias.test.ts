import { describe, expect, it } from 'vitest';
import type { ActivityRow, AliasRow, Change } from '$live/types';
import { createOf, descriptionProblem, draftOf, emptyDraft, updateOf } from './aliasDraft';
import { historyOf } from './history';
import { isRepoint, repointAction, routingOf } from './repoint';

const alias: AliasRow = {
  aliasId: 'alias-1', name: 'live', region: 'eu-west-1', description: 'Players', routing: 'SIMPLE', fleetId: 'fleet-1',
  fleetName: 'one', message: null, gameSessions: 4, updatedAt: null, history: [], freshness: { asOf: 0, stale: false },
}; // prettier-ignore
const closed: AliasRow = { ...alias, routing: 'TERMINAL', fleetId: null, message: 'Over.' };
const draft = draftOf(alias);

describe('an edited alias', () => {
  it('sends only what differs', () => {
    expect(updateOf(alias, draft)).toBeNull();
    expect(updateOf(alias, { ...draft, name: 'live-2' })?.request).toEqual({
      operation: 'UpdateAlias', aliasId: 'alias-1', name: 'live-2', description: null, routing: null,
    }); // prettier-ignore
  });

  it('cannot lose its description, and says so', () => {
    const next = { ...draft, description: ' ' };
    expect(descriptionProblem(alias, next)).toContain('not clear it');
    expect(updateOf(alias, next)).toBeNull();
    expect(descriptionProblem({ ...alias, description: null }, next)).toBeNull();
  });
});

describe('a new alias', () => {
  it('needs somewhere to lead, or a message', () => {
    expect(createOf('eu-west-1', emptyDraft)).toBeNull();
    expect(
      createOf('eu-west-1', { ...emptyDraft, name: 'x', routing: 'TERMINAL', message: 'Over.' })?.request,
    ).toMatchObject({ name: 'x', description: null, routing: { terminal: { message: 'Over.' } } });
  });
});

describe('a repoint', () => {
  it('changes the routing and nothing else', () => {
    expect(repointAction(alias, { simple: { fleet_id: 'fleet-2' } })).toEqual({
      region: 'eu-west-1',
      request: { operation: 'UpdateAlias', aliasId: 'alias-1', name: null, description: null, routing: { simple: { fleet_id: 'fleet-2' } } },
    }); // prettier-ignore
  });

  it('starts from the routing as it is, SIMPLE or TERMINAL', () => {
    expect(routingOf(alias)).toEqual({ simple: { fleet_id: 'fleet-1' } });
    expect(routingOf(closed)).toEqual({ terminal: { message: 'Over.' } });
  });

  it('can be watched only when AWS took it and the routing was in it', () => {
    const row = { outcome: 'done', isRepoint: true } as ActivityRow;
    expect(isRepoint(row)).toBe(true);
    expect(isRepoint({ ...row, outcome: 'failed' })).toBe(false);
    expect(isRepoint({ ...row, isRepoint: false })).toBe(false);
  });
});

describe('the history of an alias', () => {
  const own = { id: 'a', at: 20, outcome: 'done' } as ActivityRow;
  const seen = (at: number, by: string | null) =>
    ({ key: `c${at}`, at, byUs: by && { kind: 'activity', id: by } }) as Change;

  it('is newest first and tells each change of ours once', () => {
    const entries = historyOf([own], [seen(21, 'a'), seen(30, null), seen(10, null)]);
    expect(entries.map((entry) => entry.key)).toEqual(['c30', 'a', 'c10']);
  });

  it('keeps a change of ours whose attempt is not on record any more', () => {
    expect(historyOf([own], [seen(21, 'older')])).toHaveLength(2);
  });
});
