/** Owns the invented game sessions and the players in them. The local query language is Rust's; this knows a little of it. */
import type {
  PlayerHit, PlayerSessionRow, QueryCheck, SearchCheck, SearchQuery, SessionDetail, SessionQuery, SessionRow, TimelineEntry, Freshness,
} from '$host/bindings.gen'; // prettier-ignore
import { fleets } from './fleets';
import { anchorMs, locationLoad } from './load';
import { chance, hex, pick, uuid } from './random';

const minute = 60_000;
/** Where each running session is: as many as the load says, so that every count on the screens agrees. */
const running = fleets.flatMap((fleet) =>
  fleet.locations.flatMap((location) =>
    Array.from({ length: locationLoad(fleet, location, anchorMs).sessions }, () => ({
      fleet,
      location: location.name,
    })),
  ),
);
const endedCount = 3_600;
const maps = ['harbour', 'citadel', 'dunes', 'foundry', 'skybridge'];
const modes = ['ranked', 'casual', 'coop'];
const players = Array.from({ length: 900 }, (_, index) => `player-${hex(51, index, 8)}`);

function make(index: number): SessionRow {
  const place = running[index] ?? pick(running, 61, index);
  const { fleet, location } = place as (typeof running)[number];
  const ended = index >= running.length;
  const lengthMs = Math.round((11 + chance(64, index) * 26) * minute);
  const agoMs = ended
    ? lengthMs + Math.round(((index - running.length) / endedCount) ** 1.6 * 30 * 1_440 * minute)
    : Math.round(chance(63, index) * lengthMs);
  const createdMs = anchorMs - agoMs;
  const endedMs = createdMs + lengthMs;
  const fresh = !ended && agoMs < 0.4 * minute;
  const status = ended
    ? chance(65, index) < 0.02
      ? 'ERROR'
      : 'TERMINATED'
    : fresh
      ? 'ACTIVATING'
      : 'ACTIVE';
  const maxPlayers = fleet.name.startsWith('coop') ? 4 : 8;
  const ip = `52.${16 + (fleet.seed % 40)}.${Math.floor(chance(66, index) * 255)}.${1 + Math.floor(chance(67, index) * 253)}`;
  return {
    gameSessionId: `arn:aws:gamelift:${location}::gamesession/${fleet.id}/gsess-${uuid(68, index)}`,
    name: `${pick(modes, 70, index)}-${pick(maps, 69, index)}`,
    fleetId: fleet.id,
    fleetName: fleet.name,
    region: fleet.region,
    location,
    status,
    statusReason:
      status === 'TERMINATED' && chance(71, index) < 0.05 ? 'TRIGGERED_ON_PROCESS_TERMINATE' : null,
    players: ended || fresh ? 0 : 1 + Math.floor(chance(72, index) * maxPlayers),
    maxPlayers,
    createdMs,
    endedMs: ended ? endedMs : null,
    ipAddress: ip,
    dnsName: `ec2-${ip.replaceAll('.', '-')}.${location}.compute.amazonaws.com`,
    port: 7777 + (index % 100),
    computeName: `i-${hex(fleet.seed, index % 20, 17)}`,
    creatorId: null,
    creationPolicy: chance(73, index) < 0.9 ? 'ACCEPT_ALL' : 'DENY_ALL',
  };
}

export const sessions: readonly SessionRow[] = Array.from(
  { length: running.length + endedCount },
  (_, index) => make(index),
);

const fields = ['status', 'fleet', 'location', 'region', 'name', 'players', 'created', 'player', 'prop.mode'];

function passes(row: SessionRow, word: string): boolean {
  const negated = word.startsWith('-');
  const [field = '', value = ''] = (negated ? word.slice(1) : word).toLowerCase().split(/:|>=/, 2);
  const stem = value.replace(/\*$/, '');
  const answers: Record<string, boolean> = {
    status: row.status.toLowerCase() === stem,
    fleet: row.fleetName.startsWith(stem) || row.fleetId.startsWith(stem),
    location: row.location.startsWith(stem),
    region: row.region.startsWith(stem),
    name: (row.name ?? '').includes(stem),
    players: row.players >= Number(stem),
  };
  const answer = answers[field] ?? `${row.name} ${row.gameSessionId} ${row.ipAddress}`.includes(word);
  return negated ? !answer : answer;
}

const sortColumns: Record<string, keyof SessionRow> = {
  created: 'createdMs', ended: 'endedMs', fleet: 'fleetName', name: 'name', status: 'status', location: 'location', players: 'players',
}; // prettier-ignore

export function listSessions(query: SessionQuery, all: readonly SessionRow[] = sessions): SessionRow[] {
  const words = query.text.split(/\s+/).filter(Boolean);
  const { range } = query;
  const kept = all.filter(
    (row) =>
      (!query.fleetId || row.fleetId === query.fleetId) &&
      (!query.location || row.location === query.location) &&
      (!range || (row.createdMs <= range.toMs && (row.endedMs ?? range.toMs) >= range.fromMs)) &&
      words.every((word) => passes(row, word)),
  );
  const column = sortColumns[query.sort?.column ?? 'created'] ?? 'createdMs';
  const order = (query.sort?.descending ?? true) ? -1 : 1;
  return kept.sort((a, b) => order * ((a[column] ?? '') < (b[column] ?? '') ? -1 : 1));
}

export function checkQuery(text: string, caret: number): QueryCheck {
  const start = text.lastIndexOf(' ', caret - 1) + 1;
  const word = text.slice(start, caret).replace(/^-/, '');
  const bad = /(^|\s)(-?[a-z.]+):(\s|$)/.exec(text);
  const values: Record<string, string[]> = {
    status: ['active', 'activating', 'terminated', 'error'],
    fleet: fleets.map((fleet) => fleet.name),
    location: [...new Set(fleets.flatMap((fleet) => fleet.locations.map((location) => location.name)))],
  };
  const [field = '', part] = word.split(':');
  const names =
    part === undefined
      ? fields.map((name) => `${name}:`)
      : (values[field] ?? []).map((value) => `${field}:${value}`);
  return {
    problem: bad
      ? { message: `“${bad[2]}:” needs a value`, start: bad.index, end: bad.index + bad[0].trimEnd().length }
      : null,
    completions: names
      .filter((name) => name.startsWith(word) && name !== word)
      .slice(0, 8)
      .map((name) => ({ insert: name, label: name, detail: null })),
  };
}

function playersOf(row: SessionRow): PlayerSessionRow[] {
  const seed = row.createdMs % 9_973;
  const count = row.endedMs === null ? row.players + 1 : 3 + (seed % 5);
  return Array.from({ length: count }, (_, index): PlayerSessionRow => {
    const left = row.endedMs !== null || index >= row.players;
    const livedMs = (row.endedMs ?? anchorMs) - row.createdMs;
    const joined =
      row.createdMs +
      Math.round(Math.min(5_000, livedMs * 0.3) + chance(seed, index) * Math.min(4 * minute, livedMs * 0.5));
    return {
      playerSessionId: `psess-${uuid(seed, index)}`, playerId: pick(players, seed + 1, index),
      gameSessionId: row.gameSessionId, fleetId: row.fleetId, fleetName: row.fleetName, region: row.region,
      status: left ? (chance(seed + 2, index) < 0.08 ? 'TIMEDOUT' : 'COMPLETED') : 'ACTIVE',
      createdMs: joined, endedMs: left ? (row.endedMs ?? Math.round(joined + Math.min(6 * minute, (anchorMs - joined) * 0.7))) : null,
      hasPlayerData: index % 2 === 0,
    };
  }); // prettier-ignore
}

export function sessionDetail(row: SessionRow, freshness: Freshness): SessionDetail {
  const own = playersOf(row);
  const timeline: TimelineEntry[] = [
    { atMs: row.createdMs, kind: 'status', text: 'created, ACTIVATING', severity: 'info' },
    { atMs: row.createdMs + 4_200, kind: 'status', text: 'ACTIVE', severity: 'info' },
    ...own.map((player): TimelineEntry => ({ atMs: player.createdMs, kind: 'players', text: `${player.playerId} joined`, severity: 'info' })),
    ...own
      .filter((player) => player.endedMs !== null && player.endedMs !== row.endedMs)
      .map((player): TimelineEntry => ({ atMs: player.endedMs ?? 0, kind: 'players', text: `${player.playerId} left`, severity: 'info' })),
  ]; // prettier-ignore
  if (row.endedMs !== null) {
    timeline.push({
      atMs: row.endedMs,
      kind: 'status',
      text: row.status,
      severity: row.status === 'ERROR' ? 'bad' : 'info',
    });
  }
  timeline.sort((a, b) => a.atMs - b.atMs);
  const steps: [number, number][] = [[row.createdMs, 0]];
  for (const entry of timeline) {
    const last = steps.at(-1)?.[1] ?? 0;
    if (entry.text.endsWith('joined')) steps.push([entry.atMs, last + 1]);
    if (entry.text.endsWith('left')) steps.push([entry.atMs, Math.max(0, last - 1)]);
    if (entry.atMs === row.endedMs && entry.kind === 'status') steps.push([entry.atMs, 0]);
  }
  return {
    row, arn: row.gameSessionId, protection: 'FullProtection',
    properties: [{ key: 'mode', value: row.name?.split('-')[0] ?? '' }, { key: 'map', value: row.name?.split('-')[1] ?? '' }, { key: 'season', value: '4' }],
    gameSessionData: '{"seed":8123,"ruleset":"s4"}',
    matchmakerData: JSON.stringify({ matchId: uuid(81, row.createdMs % 997), matchmakingConfigurationArn: 'arn:aws:gamelift:eu-west-1:111122223333:matchmakingconfiguration/ranked', teams: [{ name: 'red', players: own.slice(0, 4).map((player) => ({ playerId: player.playerId, attributes: { skill: { attributeType: 'DOUBLE', valueAttribute: 1_412 } } })) }] }, null, 2),
    timeline, playerSessions: own, playerFreshness: freshness, placement: null, playersOverTime: steps, freshness,
    log: row.endedMs === null ? "notYet" : "available", placementId: null,
  }; // prettier-ignore
}

export function searchPlayers(text: string): PlayerHit[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const hits = new Map<string, PlayerSessionRow[]>();
  for (const row of sessions.slice(0, 2_500)) {
    for (const player of playersOf(row)) {
      if (!player.playerId.startsWith(wanted)) continue;
      hits.set(player.playerId, [...(hits.get(player.playerId) ?? []), player]);
    }
  }
  return [...hits].map(([playerId, all]) => ({
    playerId,
    sessions: all.sort((a, b) => b.createdMs - a.createdMs),
    total: all.length,
  }));
}

/** What the core says of a mistake in the service's grammar; this knows a little of it. */
export function checkSearch(filter: string, sort: string): SearchCheck {
  const operand = /^\s*(?:NOT\s+)?\(*\s*([\w.]+)/i.exec(filter);
  const known = /^(gameSession(Name|Id|Properties\.\w+)|maximumSessions|creationTimeMillis|playerSessionCount|hasAvailablePlayerSessions|NOT)$/;
  const word = operand?.[1] ?? '';
  const start = filter.indexOf(word);
  const ordered = sort.trim() === '' || /^\s*[\w.]+\s+(ASC|DESC)\s*$/i.test(sort);
  return {
    filter:
      filter.trim() === '' || known.test(word)
        ? null
        : { message: 'GameLift searches playerSessionCount, gameSessionName and others', start, end: start + word.length },
    sort: ordered ? null : { message: 'ASC or DESC is missing after what is sorted by', start: sort.length, end: sort.length },
  };
} // prettier-ignore

/** Searches what runs now, as GameLift would: the newest first whatever order was asked, and 400 at most. */
export function searchSessions(
  query: SearchQuery,
  fleetId: string,
  all: readonly SessionRow[],
): SessionRow[] {
  const passing = (row: SessionRow) =>
    query.filter.includes('hasAvailablePlayerSessions=true')
      ? row.players < row.maxPlayers
      : query.filter.includes('hasAvailablePlayerSessions=false')
        ? row.players >= row.maxPlayers
        : query.filter.includes('playerSessionCount=0')
          ? row.players === 0
          : true;
  return all.filter(
    (row) =>
      row.status === 'ACTIVE' &&
      row.fleetId === fleetId &&
      (!query.location || row.location === query.location) &&
      passing(row),
  );
}
