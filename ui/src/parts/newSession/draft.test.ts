import { expect, it } from 'vitest';
import type { AliasRow, FleetRow, QueueRow } from '$live/types';
import {
  actionOf,
  emptyDraft,
  fromPreset,
  latenciesOf,
  locationsOf,
  reservationOf,
  toPreset,
  unreadable,
} from './draft';

const fleet = {
  fleetId: 'fleet-1',
  name: 'arena',
  region: 'eu-west-1',
  locations: ['eu-west-1', 'eu-central-1'],
} as FleetRow;
const alias = { aliasId: 'alias-1', name: 'live', region: 'eu-west-1', fleetId: 'fleet-1' } as AliasRow;
const queue = {
  name: 'arena-eu',
  region: 'eu-west-1',
  destinations: [{ arn: 'a', label: 'live', fleetId: null, aliasId: 'alias-1' }],
} as unknown as QueueRow;
const choices = { queues: [queue], aliases: [alias], fleets: [fleet] };
const empty = emptyDraft('token-1'); // prettier-ignore

it('reads latencies as people write them, and says when they are none', () => {
  expect(latenciesOf('eu-west-1 40, eu-central-1=62 ms')).toEqual([
    { region: 'eu-west-1', latencyMs: 40 },
    { region: 'eu-central-1', latencyMs: 62 },
  ]);
  expect(latenciesOf('')).toEqual([]);
  expect(latenciesOf('forty')).toBeNull();
});

it('a queue makes a placement in the Region of the queue, with players and an order of locations', () => {
  const action = actionOf(
    {
      ...empty, queue: 'eu-west-1/arena-eu', name: 'support', order: ['eu-central-1'],
      players: [{ id: 'p-1', data: '', latencies: 'eu-west-1 40' }],
    },
    choices,
  ); // prettier-ignore
  expect(action?.region).toBe('eu-west-1');
  expect(action?.request).toMatchObject({
    operation: 'StartGameSessionPlacement', placementId: 'token-1', gameSessionQueueName: 'arena-eu', gameSessionName: 'support',
    maximumPlayerSessionCount: 8, players: [{ playerId: 'p-1', playerData: null, latencies: [{ region: 'eu-west-1', latencyMs: 40 }] }],
    priorityOverride: { locationOrder: ['eu-central-1'], fallBack: true },
  }); // prettier-ignore
});

it('an alias and a fleet make a game session directly, and slots are reserved afterwards', () => {
  const draft = {
    ...empty,
    way: 'alias' as const,
    alias: 'alias-1',
    players: [{ id: 'p-1', data: 'x', latencies: '' }],
  };
  expect(actionOf(draft, choices)).toMatchObject({
    region: 'eu-west-1',
    request: { operation: 'CreateGameSession', target: { alias: 'alias-1' }, idempotencyToken: 'token-1', location: null },
  }); // prettier-ignore
  expect(actionOf({ ...draft, way: 'fleet', fleet: 'fleet-1' }, choices)?.request).toMatchObject({
    target: { fleet: 'fleet-1' },
  });
  expect(reservationOf(draft, 'arn:1', 'eu-west-1')?.request).toMatchObject({
    operation: 'CreatePlayerSessions', gameSessionId: 'arn:1', players: [{ playerId: 'p-1', playerData: 'x' }],
  }); // prettier-ignore
  expect(reservationOf({ ...draft, way: 'queue' }, 'arn:1', 'eu-west-1')).toBeNull();
});

it('says no action while a number is none, and names the field', () => {
  expect(actionOf({ ...empty, slots: 'eight' }, choices)).toBeNull();
  expect(unreadable({ ...empty, slots: '' })).toHaveProperty('maximumPlayerSessionCount');
  const latency = { ...empty, players: [{ id: 'p', data: '', latencies: 'x' }] };
  expect(unreadable(latency)).toHaveProperty('players[0].latencies');
  expect(unreadable({ ...latency, way: 'fleet' })).toEqual({});
});

it('offers the locations of whatever is chosen, through the alias a queue names', () => {
  expect(locationsOf({ ...empty, queue: 'eu-west-1/arena-eu' }, choices)).toEqual([
    'eu-west-1',
    'eu-central-1',
  ]);
  expect(locationsOf({ ...empty, way: 'fleet', fleet: 'fleet-1' }, choices)).toEqual(fleet.locations);
  expect(locationsOf(empty, choices)).toEqual([]);
});

it('a preset keeps everything but the token, and a strange one is refused or mended', () => {
  const draft = { ...empty, name: 'support', properties: [{ key: 'mode', value: 'ranked' }] };
  expect(fromPreset(toPreset(draft), 'token-2')).toEqual({ ...draft, token: 'token-2' });
  expect(fromPreset('not json', 't')).toBeNull();
  expect(fromPreset('{"name":5,"slots":"4","strange":true}', 't')).toEqual({
    ...emptyDraft('t'),
    slots: '4',
  });
});
