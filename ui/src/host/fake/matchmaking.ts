/** Owns the invented matchmaking: configurations, tickets and the events they made. Tickets a person starts live here too. */
import type {
  Freshness, MatchmakingConfigurationRow, MatchmakingEventPage, MatchmakingEventRow, MatchmakingOverview, Page, Range,
  Request, TicketDetail, TicketPage, TicketQuery, TicketRow,
} from '$host/bindings.gen'; // prettier-ignore
import { anchorMs } from './load';
import { chance, hex, pick, uuid } from './random';
import { ruleSets } from './ruleSets';
import { sessions } from './sessions';

type Spec = {
  name: string;
  region: string;
  queue: string;
  acceptance: boolean;
  size: number;
  automatic: boolean;
};
const specs: Spec[] = [
  { name: 'ranked-2v2', region: 'eu-west-1', queue: 'arena-eu', acceptance: true, size: 2, automatic: false },
  { name: 'casual-5v5', region: 'eu-west-1', queue: 'arena-eu', acceptance: false, size: 5, automatic: true },
  { name: 'coop-4', region: 'eu-west-1', queue: 'coop', acceptance: false, size: 4, automatic: true },
  {
    name: 'brawl-3v3',
    region: 'ap-northeast-1',
    queue: 'brawl',
    acceptance: true,
    size: 3,
    automatic: false,
  },
];
const total = 2_400;
const arn = (spec: Spec, kind: string, name: string) =>
  `arn:aws:gamelift:${spec.region}:111122223333:${kind}/${name}`;

function make(index: number): TicketRow {
  const spec = pick(specs, 121, index);
  const startedMs = anchorMs - Math.round(((index + chance(122, index)) / total) * 24 * 36e5) - 800;
  const waitMs = Math.round(9_000 - Math.log(1 - chance(123, index) * 0.995) * 21_000);
  const roll = chance(124, index);
  const end =
    roll < 0.9
      ? 'COMPLETED'
      : roll < 0.95
        ? 'TIMED_OUT'
        : roll < 0.98 || !spec.acceptance
          ? 'CANCELLED'
          : 'FAILED';
  const sinceMs = anchorMs - startedMs;
  const open = sinceMs < waitMs;
  const late = sinceMs > waitMs * 0.6;
  const state = !open ? end : !late ? 'SEARCHING' : spec.acceptance ? 'REQUIRES_ACCEPTANCE' : 'PLACING';
  const matched = state === 'COMPLETED' || (open && late);
  const session = sessions[(index * 7) % sessions.length];
  return {
    ticketId: `ticket-${hex(125, index, 12)}`, configuration: spec.name, region: spec.region, state, startedMs,
    updatedMs: open ? anchorMs - Math.min(2_000, sinceMs) : startedMs + waitMs, waitMs: open ? sinceMs : waitMs,
    players: Array.from({ length: 1 + Math.floor(chance(126, index) * spec.size) }, (_, place) => ({
      playerId: `player-${hex(51, (index * 5 + place) % 900, 8)}`,
      team: matched ? (place % 2 === 0 ? 'red' : 'blue') : null,
      accepted: !spec.acceptance || !matched ? null : state === 'REQUIRES_ACCEPTANCE' ? (place === 0 ? true : null) : true,
    })),
    matchId: matched ? uuid(127, index) : null,
    gameSessionId: state === 'COMPLETED' ? (session?.gameSessionId ?? null) : null,
    message: end === 'FAILED' && !open ? 'A player rejected the match.' : null,
  }; // prettier-ignore
}

/** A ticket under this id asks for acceptance, for the screens that show one. */
const proposed: TicketRow = {
  ticketId: 'ticket-proposed', configuration: 'ranked-2v2', region: 'eu-west-1', state: 'REQUIRES_ACCEPTANCE',
  startedMs: anchorMs - 26_000, updatedMs: anchorMs - 2_000, waitMs: 26_000, matchId: uuid(127, 4_000), gameSessionId: null,
  players: [
    { playerId: `player-${hex(51, 7, 8)}`, team: 'red', accepted: true },
    { playerId: `player-${hex(51, 8, 8)}`, team: 'red', accepted: null },
  ],
  message: null,
}; // prettier-ignore

let tickets: readonly TicketRow[] = [proposed, ...Array.from({ length: total }, (_, index) => make(index))];

const steps: Record<string, [type: string, severity: MatchmakingEventRow['severity'], text: string]> = {
  COMPLETED: ['MatchmakingSucceeded', 'info', 'Match placed'],
  TIMED_OUT: ['MatchmakingTimedOut', 'warning', 'No match in time'],
  CANCELLED: ['MatchmakingCancelled', 'info', 'Cancelled on request'],
  FAILED: ['MatchmakingFailed', 'bad', 'A player rejected the match'],
};

function eventsOf(row: TicketRow): MatchmakingEventRow[] {
  const event = (type: string, atMs: number, text: string, severity: MatchmakingEventRow['severity'] = 'info') => ({
    key: `${row.ticketId}-${type}`, atMs, type, configuration: row.configuration, region: row.region,
    tickets: [row.ticketId], players: row.players.length, matchId: row.matchId, text, severity,
  }); // prettier-ignore
  const startedMs = row.startedMs ?? row.updatedMs;
  const end = steps[row.state];
  const story = [event('MatchmakingSearching', startedMs + 300, 'Searching for a match')];
  if (row.matchId)
    story.push(event('PotentialMatchCreated', startedMs + (row.waitMs ?? 0) * 0.6, 'Potential match'));
  if (row.players.some((player) => player.accepted)) {
    story.push(event('AcceptMatch', startedMs + (row.waitMs ?? 0) * 0.7, 'A player accepted'));
  }
  if (end) story.push(event(end[0], row.updatedMs, end[2], end[1]));
  return story.reverse();
}

const within = (atMs: number | null, range: Range | null) =>
  !range || (atMs !== null && atMs >= range.fromMs && atMs <= range.toMs);
const cut = <T>(rows: readonly T[], page: Page) => rows.slice(page.offset, page.offset + page.limit);

function configuration(spec: Spec, range: Range): MatchmakingConfigurationRow {
  const own = tickets.filter((row) => row.configuration === spec.name && within(row.startedMs, range));
  const ended = (state: string) => own.filter((row) => row.state === state);
  const waits = ended('COMPLETED').map((row) => row.waitMs ?? 0).sort((a, b) => a - b); // prettier-ignore
  const answered = own.filter((row) => row.state === 'COMPLETED' || row.state === 'FAILED').length;
  return {
    name: spec.name, region: spec.region, arn: arn(spec, 'matchmakingconfiguration', spec.name),
    description: spec.name === 'ranked-2v2' ? 'Season 4 ranked' : null,
    queueArns: [arn(spec, 'gamesessionqueue', spec.queue)], requestTimeoutSeconds: 120,
    acceptanceRequired: spec.acceptance, acceptanceTimeoutSeconds: spec.acceptance ? 30 : null,
    ruleSetName: `${spec.name}-rules`, ruleSetBody: ruleSets[spec.name] ?? null,
    backfillMode: spec.automatic ? 'AUTOMATIC' : 'MANUAL', flexMatchMode: 'WITH_QUEUE', additionalPlayerCount: 0,
    matches: ended('COMPLETED').length, failed: ended('FAILED').length, timedOut: ended('TIMED_OUT').length,
    waitP50Ms: waits[Math.floor(waits.length * 0.5)] ?? null, waitP95Ms: waits[Math.floor(waits.length * 0.95)] ?? null,
    acceptanceRate: spec.acceptance && answered > 0 ? 1 - ended('FAILED').length / answered : null,
  }; // prettier-ignore
}

const states = [
  'QUEUED',
  'SEARCHING',
  'REQUIRES_ACCEPTANCE',
  'PLACING',
  'COMPLETED',
  'TIMED_OUT',
  'CANCELLED',
  'FAILED',
];

export function matchmaking(range: Range, freshness: Freshness): MatchmakingOverview {
  const inRange = tickets.filter((row) => within(row.startedMs, range));
  return {
    configurations: specs.map((spec) => configuration(spec, range)),
    ticketsByState: states.map((state) => ({
      state,
      count: inRange.filter((row) => row.state === state).length,
    })),
    freshness,
  };
}

export function matchmakingEvents(
  name: string | null,
  range: Range | null,
  page: Page,
  freshness: Freshness,
): MatchmakingEventPage {
  const rows = tickets
    .filter((row) => !name || row.configuration === name)
    .flatMap(eventsOf)
    .filter((event) => within(event.atMs, range))
    .sort((a, b) => b.atMs - a.atMs);
  return { rows: cut(rows, page), total: rows.length, freshness };
}

export function listTickets(query: TicketQuery, freshness: Freshness): TicketPage {
  const rows = tickets.filter(
    (row) =>
      within(row.startedMs, query.range) &&
      (!query.configuration || row.configuration === query.configuration) &&
      (!query.state || row.state === query.state) &&
      (!query.text ||
        [row.ticketId, ...row.players.map((one) => one.playerId)].some((id) => id.startsWith(query.text))),
  );
  return { rows: cut(rows, query.page), total: rows.length, freshness };
}

const open = (row: TicketRow) =>
  ['QUEUED', 'SEARCHING', 'REQUIRES_ACCEPTANCE', 'PLACING'].includes(row.state);

export function ticketDetail(ticketId: string): TicketDetail | null {
  const row = tickets.find((one) => one.ticketId === ticketId);
  if (!row) return null;
  const session = sessions.find((one) => one.gameSessionId === row.gameSessionId);
  return {
    row, live: open(row), estimatedWaitSeconds: open(row) ? 24 : null,
    statusReason: row.state === 'FAILED' ? 'AcceptanceFailed' : row.state === 'TIMED_OUT' ? 'TimedOut' : null,
    statusMessage: row.message, connection: session ? `${session.ipAddress}:${session.port}` : null,
    events: eventsOf(row), canAccept: row.state === 'REQUIRES_ACCEPTANCE', canStop: open(row) && row.state !== 'PLACING',
  }; // prettier-ignore
}

function change(ticketId: string, patch: (row: TicketRow) => Partial<TicketRow>): void {
  tickets = tickets.map((row) => (row.ticketId === ticketId ? { ...row, ...patch(row) } : row));
}

/** What a confirmed change does to the tickets; anything else passes by. */
export function changeTickets(request: Request, nowMs: number): void {
  if (request.operation === 'StopMatchmaking') {
    change(request.ticketId, () => ({ state: 'CANCELLED', updatedMs: nowMs }));
  } else if (request.operation === 'AcceptMatch') {
    const { playerIds, accept } = request;
    change(request.ticketId, (row) => {
      const players = row.players.map((one) =>
        playerIds.includes(one.playerId) ? { ...one, accepted: accept } : one,
      );
      const state = !accept ? 'CANCELLED' : players.every((one) => one.accepted) ? 'PLACING' : row.state;
      return { players, state, updatedMs: nowMs };
    });
  } else if (request.operation === 'StartMatchmaking' || request.operation === 'StartMatchBackfill') {
    const { ticketId, configurationName } = request;
    const players = request.players.map((one) => ({
      playerId: one.playerId,
      team: one.team,
      accepted: null,
    }));
    const region = specs.find((one) => one.name === configurationName)?.region ?? 'eu-west-1';
    tickets = [
      {
        ticketId, configuration: configurationName, region, state: 'SEARCHING', startedMs: nowMs, updatedMs: nowMs,
        waitMs: 0, players, matchId: null, gameSessionId: null, message: null,
      },
      ...tickets,
    ]; // prettier-ignore
  }
}
