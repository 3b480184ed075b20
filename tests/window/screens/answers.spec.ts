/**
 * The JSON of answers, held by a snapshot: every name, and what stands under it, over a frozen world. A name that a change in
 * the core renames is seen here. `UPDATE_GENERATED=1` writes the snapshot again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test, type World } from './world';

const file = join(__dirname, 'answers.json');
const range = { from: Date.UTC(2026, 2, 10, 15), to: Date.UTC(2026, 2, 10, 18) };
const page = { offset: 0, limit: 50 };
const all = { queue: null, region: null, destination: null };

type Answer = Record<string, unknown>;

/** Every path in an answer, with the kinds of values found there. */
function shape(value: unknown, at = '', into: Record<string, string> = {}): Record<string, string> {
  if (Array.isArray(value)) {
    for (const part of value) shape(part, `${at}[]`, into);
  } else if (value !== null && typeof value === 'object') {
    for (const [name, part] of Object.entries(value)) shape(part, at === '' ? name : `${at}.${name}`, into);
  } else {
    const kinds = new Set(into[at]?.split(' | '));
    // How old an answer is depends on when it was asked for.
    const kind = at.endsWith('.asOf') ? 'age' : value === null ? 'null' : typeof value;
    into[at] = [...kinds.add(kind)].sort().join(' | ');
  }
  return into;
}

/** What is asked: each question may use answers to those before it. */
async function answers(world: World): Promise<Record<string, unknown>> {
  const given: Record<string, unknown> = {};
  const ask = async <T = unknown>(command: string, args: Answer = {}): Promise<T> => {
    given[command] = await world.ask(command, args);
    return given[command] as T;
  };
  const rows = async (command: string, args: Answer) => (await ask<{ rows: Answer[] }>(command, args)).rows;

  await ask('overview_get', { range });
  await ask('goto', { text: 'arena' });
  const fleets = await rows('fleet_list', { range });
  const { fleetId } = fleets.find((fleet) => fleet.name === 'arena-prod-ap-blue') as Answer;
  await ask('fleet_get', { fleetId });
  await ask('fleet_instances', { fleetId });
  await ask('fleet_events', { fleetId, range: null, page });
  await ask('fleet_scaling', { fleetId, range });
  const sessions = { fleetId: null, location: null, range: null, search: null, page };
  const [session] = await rows('session_list', { query: { ...sessions, sort: { column: 'created', descending: false }, text: 'status:active players>=1' } });
  await ask('session_get', { gameSessionId: session?.gameSessionId });
  await ask('search_check', { filter: 'hasAvailablePlayerSessions=', sort: '' });
  await ask('query_check', { text: 'status:active pl', caret: 16 });
  await ask('player_search', { text: 'player-', page });
  const [placement] = await rows('placement_list', { query: { scope: all, types: [], text: '', range, page } });
  await ask('placement_split', { scope: all, split: 'queue', range });
  await ask('placement_get', { placementId: placement?.placementId });
  const queues = await ask<Answer[]>('queue_list');
  const queue = queues.find((one) => one.name === 'arena-ranked-eu');
  await ask('queue_get', { name: queue?.name, region: queue?.region });
  await ask('matchmaking_get', { range });
  await ask('matchmaking_events', { configuration: null, range, page });
  const [ticket] = await rows('ticket_list', { query: { text: '', configuration: null, state: null, range, page } });
  await ask('ticket_get', { ticketId: ticket?.ticketId, region: ticket?.region });
  const aliases = await ask<Answer[]>('alias_list');
  const alias = aliases.find((one) => one.name === 'arena-live-ap');
  await ask('repoint_compare', { aliasId: alias?.aliasId, fleetId });
  await ask('content_list');
  const request = { operation: 'UpdateFleetCapacity', fleetId, location: null, desiredInstances: 1, minSize: null, maxSize: null };
  const action = { region: 'ap-northeast-1', request };
  await ask('action_check', { action });
  await ask('action_preview', { intent: { kind: 'actions', of: [action] } });
  return given;
}

test('every name in the answers is as it was', async ({ world }) => {
  const now: Record<string, Record<string, string>> = {};
  for (const [command, answer] of Object.entries(await answers(world))) {
    const found = Object.entries(shape(answer)).sort(([one], [other]) => (one < other ? -1 : 1));
    now[command] = Object.fromEntries(found);
  }
  if (process.env.UPDATE_GENERATED) writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
  expect(now).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});
