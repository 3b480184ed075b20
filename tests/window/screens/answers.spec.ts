/**
 * Compares the JSON of all answers over a frozen world with a snapshot of names and value kinds. This detects
 * names that a change in the core renames. `UPDATE_GENERATED=1` rewrites the snapshot.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Incident } from '../../../ui/src/host/bindings.gen';
import { liveRange, test, type World } from './world';
import { zipOf } from './zip';

const file = join(__dirname, 'answers.json');
const list = join(__dirname, '../../../src-tauri/COMMANDS.md');
const range = {
  from: Date.UTC(2026, 2, 10, 15),
  to: Date.UTC(2026, 2, 10, 18),
};
/** Surely over: a range up to about now is about now, and how long the world has run would decide. */
const anHourBefore = { from: range.from - 3_600_000, to: range.to - 3_600_000 };
const page = { offset: 0, limit: 50 };
const all = { queue: null, region: null, destination: null };

type Answer = Record<string, unknown>;

/** Returns every path in an answer, with the kinds of values found there. */
function shape(value: unknown, at = '', into: Record<string, string> = {}): Record<string, string> {
  if (Array.isArray(value)) {
    for (const part of value) shape(part, `${at}[]`, into);
  } else if (value !== null && typeof value === 'object') {
    for (const [name, part] of Object.entries(value)) shape(part, at === '' ? name : `${at}.${name}`, into);
  } else {
    const kinds = new Set(into[at]?.split(' | '));
    // The age of an answer, and what is known at all, depend on the time of the request.
    const kind =
      at.endsWith('.asOf') || at.includes('knowledge.') ? 'age' : value === null ? 'null' : typeof value;
    into[at] = [...kinds.add(kind)].sort().join(' | ');
  }
  return into;
}

type Ask = <T = unknown>(command: string, args?: Answer) => Promise<T>;
type Rows = { rows: Answer[] };

/** Returns the answer with its names and without their content. */
const namesOf = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (_, value: unknown) => (typeof value === 'object' ? value : null)));

/** Returns a function that calls a command and keeps its answer under the command's name. */
function keeping(world: World): { ask: Ask; given: Record<string, unknown> } {
  const given: Record<string, unknown> = {};
  const ask: Ask = async <T>(command: string, args: Answer = {}) => {
    given[command] = await world.ask(command, args);
    return given[command] as T;
  };
  return { ask, given };
}

/** Queries a world that does not change; each query may use earlier answers. */
async function aboutAWorld(world: World): Promise<Record<string, unknown>> {
  const { ask, given } = keeping(world);
  const rows = async (command: string, args: Answer) => (await ask<Rows>(command, args)).rows;

  // What is judged by then depends on the time of the request; alerts have a test of their own.
  given.overview_get = {
    ...(await ask<Answer>('overview_get', { range: anHourBefore })),
    alerts: [],
    seen: [],
  };
  given.alert_list = { ...(await ask<Answer>('alert_list', { range })), alerts: [], seen: [] };
  await ask('goto', { text: 'arena' });
  const fleets = await rows('fleet_list', { range: anHourBefore });
  const { fleetId } = fleets.find((fleet) => fleet.name === 'arena-prod-ap-blue') as Answer;
  await ask('fleet_get', { fleetId });
  await ask('fleet_instances', { fleetId });
  await ask('fleet_events', { fleetId, range: null, page });
  await ask('metric_list', { of: { kind: 'fleet', fleetId, location: null } });
  await ask('fleet_scaling', { fleetId, range });
  const sessions = {
    fleetId: null,
    location: null,
    range: null,
    search: null,
    page,
  };
  const [session] = await rows('session_list', {
    query: {
      ...sessions,
      sort: { column: 'created', descending: false },
      text: 'status:active players>=1',
    },
  });
  await ask('session_get', { gameSessionId: session?.gameSessionId });
  await ask('player_data_list', { gameSessionId: session?.gameSessionId });
  await ask('session_difference', {
    query: { text: 'ended:abnormal', fleetId: null, location: null, range },
  });
  await ask('search_check', {
    filter: 'hasAvailablePlayerSessions=',
    sort: '',
  });
  await ask('session_search', {
    query: {
      region: session?.region,
      fleetId: session?.fleetId,
      aliasId: null,
      location: null,
      filter: '',
      sort: '',
    },
  });
  await ask('query_check', { text: 'status:active pl', caret: 16 });
  await ask('player_search', { text: 'player-', page });
  const { playerSessions } = await ask<{ playerSessions: { playerId: string; playerSessionId: string }[] }>(
    'session_get',
    { gameSessionId: session?.gameSessionId },
  );
  await ask('player_look_up', { playerId: playerSessions[0]?.playerId });
  await ask('player_session_look_up', { playerSessionId: playerSessions[0]?.playerSessionId });
  await ask('player_get', { playerId: playerSessions[0]?.playerId });
  const [placement] = await rows('placement_list', {
    query: { scope: all, eventTypes: [], text: '', range, page },
  });
  await ask('placement_split', { scope: all, split: 'queue', range });
  await ask('placement_difference', { scope: all, range, span: null });
  await ask('placement_get', { placementId: placement?.placementId });
  const queues = await ask<Answer[]>('queue_list');
  const queue = queues.find((one) => one.name === 'arena-ranked-eu');
  await ask('queue_get', { name: queue?.name, region: queue?.region });
  await ask('matchmaking_get', { range });
  await ask('matchmaking_events', { configuration: null, range, page });
  const [ticket] = await rows('ticket_list', {
    query: { text: '', configuration: null, state: null, range, page },
  });
  await ask('ticket_get', {
    ticketId: ticket?.ticketId,
    region: ticket?.region,
  });
  // What CloudTrail tells of aliases comes once it was asked.
  await expect.poll(async () => JSON.stringify(await world.ask('alias_list'))).toMatch(/"fleets":\["/);
  const aliases = await ask<Answer[]>('alias_list');
  const alias = aliases.find((one) => one.name === 'arena-live-ap');
  await ask('repoint_compare', { aliasId: alias?.aliasId, fleetId });
  await ask('content_list');
  const request = {
    operation: 'UpdateFleetCapacity',
    fleetId,
    location: null,
    desiredInstances: 1,
    minSize: null,
    maxSize: null,
  };
  const action = { region: 'ap-northeast-1', request };
  await ask('action_check', { action });
  await ask('action_preview', { intent: { kind: 'actions', of: [action] } });
  return given;
}

/** Queries the program, its connection, and the changes made through it. */
async function aboutTheProgram(world: World): Promise<Record<string, unknown>> {
  const { ask, given } = keeping(world);
  const state = await ask<{ current: Answer }>('app_state');
  // The collector's own state changes at any time, so only its names are compared.
  await expect.poll(async () => (await ask<{ backfill: unknown }>('health_get')).backfill).toBeNull();
  given.health_get = namesOf(given.health_get);
  const { name, environment, profile, endpointUrl, regions, eventQueues } = state.current;
  await ask('connection_check', {
    draft: { name, environment, profile, endpointUrl, regions, eventQueues },
  });
  await ask('preset_save', {
    preset: { name: 'Four', kind: 'newSession', body: '{}' },
  });
  const channel = {
    name: 'nowhere',
    kind: 'webhook',
    address: { from: 'environment', name: 'LIFTDECK_NO_SUCH_VARIABLE' },
    signingKey: null,
    endpoint: null,
    leastSeverity: 'bad',
    rules: ['test'],
    regions: ['eu-west-1'],
    isOn: true,
  };
  await ask('channel_put', { channel });
  await ask('channel_test', { name: 'nowhere' });
  await ask('channel_list');
  const matchers = { rules: ['test'], region: 'eu-west-1', fleetId: null, subject: null };
  const until = range.to + 86_400_000;
  await ask('silence_add', { draft: { matchers, from: null, until, reason: 'a test' } });
  const setting = {
    rule: 'capped',
    scope: { region: 'eu-west-1', fleetId: null },
    isOff: false,
    pendingMs: 600_000,
    severity: 'warning',
  };
  await ask('rule_try', { trial: { setting, days: 30 } });
  await ask('rule_put', { setting });
  const rule = {
    name: 'Few instances',
    watched: {
      kind: 'metric',
      figure: 'activeInstances',
      of: { kind: 'eachFleet' },
      relative: null,
      overMinutes: 5,
    },
    compare: 'below',
    // No fleet has as many: what fires goes on.
    raise: 1_000,
    clear: 1_000,
    pendingMs: 0,
    severity: 'bad',
    isOff: true,
  };
  await ask('custom_rule_try', { trial: { rule, days: 1 } });
  await ask('custom_rule_put', { draft: { rule, replaces: null } });
  await ask('rule_list');
  await ask('custom_rule_remove', { name: rule.name });
  await ask('rule_reset', { rule: 'capped', scope: setting.scope });
  await ask('script_zip_check', {
    path: await world.upload('rules.zip', zipOf('expedition.js', '// rules')),
  });

  const region = 'eu-west-1';
  const url = world.queues[region];
  await world.ask('feed_release', { url });
  // A request that was still open when the queue was released may take a message, but only one.
  await expect
    .poll(async () => {
      await world.message(region, '{"order":117}');
      const look = await ask<{ seen: { foreign: number } }>('feed_look', { url, anyway: true });
      return look.seen.foreign;
    })
    .toBeGreaterThan(0);
  await world.ask('feed_adopt', {
    url,
    setAside: true,
    typed: `liftdeck-events-${region}`,
  });
  await ask('feed_list');
  await expect.poll(() => ask<Answer[]>('feed_aside', { below: null })).not.toEqual([]);

  const aliases = await world.ask<{ aliasId: string; name: string }[]>('alias_list');
  const { rows } = await world.ask<Rows>('fleet_list', { range });
  const fleetId = rows.find((fleet) => fleet.name === 'arena-prod-ap-blue')?.fleetId;
  const update = (alias: string, description: string | null, routing: unknown) => {
    const aliasId = aliases.find((one) => one.name === alias)?.aliasId;
    return {
      operation: 'UpdateAlias',
      aliasId,
      name: null,
      description,
      routing,
    };
  };
  const ap = 'ap-northeast-1';
  const repointed = await world.change(ap, update('arena-live-ap', null, { simple: { fleet_id: fleetId } }));
  given.action_confirm = repointed;
  const [id] = repointed.receipt.activityIds;
  await ask('activity_get', { id });
  await ask('repoint_watch', { activityId: id });
  const { receipt } = await world.change(
    ap,
    update('coop-live-ap', 'Expeditions', null),
    update('arena-live-ap', 'Arena', null),
  );
  await expect
    .poll(async () => (await ask<{ state: string }>('run_get', { id: receipt.runId })).state)
    .toBe('finished');
  await ask('run_list', { openOnly: false });
  const nothing = {
    operations: [],
    resourceKind: null,
    resourceId: null,
    fleetId: null,
    runId: null,
    range: null,
  };
  await ask('activity_list', {
    query: { text: '', outcomes: [], ...nothing, page },
  });
  return given;
}

/** Compares answers with their part of the snapshot. */
function hold(answers: Record<string, unknown>): void {
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  for (const [command, answer] of Object.entries(answers)) {
    const now = Object.fromEntries(
      Object.entries(shape(answer)).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
    if (process.env.UPDATE_GENERATED) kept[command] = now;
    expect.soft(now, command).toEqual(kept[command]);
  }
  if (process.env.UPDATE_GENERATED) writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
}

test.describe('a world in which no other test has changed anything', () => {
  test.use({ own: true });

  test('every name in what is told of a world is as it was', async ({ world }) => {
    hold(await aboutAWorld(world));
  });
});

test.describe('a bad build', () => {
  test.use({ wanted: { scenario: 'bad-build' } });

  test('every name of an alert is as it was', async ({ world }) => {
    const { ask, given } = keeping(world);
    const crashes = async () => {
      const { alerts } = await world.ask<{
        alerts: { id: string; rule: string; causes: { text: string }[] }[];
      }>('overview_get', { range: liveRange });
      // Who moved the alias is known only once CloudTrail was asked.
      const isNamed = (alert: (typeof alerts)[number]) => alert.causes[0]?.text.includes('by alice');
      return alerts.find((alert) => alert.rule === 'crashes' && isNamed(alert))?.id;
    };
    await expect.poll(crashes).toBeDefined();
    const id = await crashes();
    const of = { kind: 'alert', id };
    // The players of the sessions that crashed are read one session after another, and are counted after the last.
    const players = async () => (await world.ask<Incident>('incident_get', { of })).who?.players ?? null;
    await expect.poll(players).not.toBeNull();
    await ask('alert_get', { id });
    await ask('incident_get', { of });
    await ask('incident_players', { of, page });
    await ask('incident_evidence', { of, filter: 'all', page });
    hold(given);
  });
});

test.describe('unlocked', () => {
  test.use({ unlocked: true });

  test('every name in what is told of the program and its changes is as it was', async ({ world }) => {
    hold(await aboutTheProgram(world));
  });
});

test('no answer is left out', () => {
  const held = Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object);
  const rows = readFileSync(list, 'utf8').matchAll(/^\| `(\w+)` \| \w+ \| [^|]*\| `([^`]+)` \|/gm);
  const answers = new Map([...rows].map(([, command, answer]) => [command, answer]));
  expect(answers.size).toBeGreaterThan(held.length);
  // Excludes answers that are not JSON or have no names, and AWS profiles, which depend on the machine.
  const nameless = new Set(['()', 'String', 'File', 'Columns', 'Vec<AwsProfile>']);
  const covered = new Set(held.map((command) => answers.get(command)));
  const missing = [...answers].filter(([, answer]) => !nameless.has(answer ?? '') && !covered.has(answer));
  expect(missing).toEqual([]);
});
