/**
 * Owns a host over an invented world, for development and for the screens tests. A release build does not hold it.
 * Its world is the same on every run; `fake/stage.ts` says which states can be staged through the page's address.
 */
import type { AppError, AppState, Changed, GotoHit, Health, SessionRow, Subject } from './bindings.gen';
import { failing, fleetEvents, scaling } from './fake/changes';
import { fleetById, fleets, type FakeFleet } from './fake/fleets';
import { createGuard } from './fake/guard';
import { listPlacements, splitPlacements } from './fake/placements';
import { createFeeds } from './fake/feeds';
import { check, firstState, health, profiles, summaryOf } from './fake/program';
import { hostile } from './fake/hostile';
import { readSeries } from './fake/series';
import {
  checkQuery,
  checkSearch,
  listSessions,
  searchPlayers,
  searchSessions,
  sessions,
} from './fake/sessions';
import { readStage } from './fake/stage';
import { createSubjects } from './fake/subjects';
import { fleetRow, instances, overview } from './fake/views';
import { World } from './fake/world';
import type { Host } from './host';

const notFound = (what: string, id: string): AppError => ({
  kind: 'notFound', message: `${what} ${id} is not known to this connection.`, resource: id,
  awsCode: 'NotFoundException', requestId: null, retryable: false, remedy: 'It may be in another region or gone for over 30 days.', fields: [],
}); // prettier-ignore

const refusedSearch: AppError = {
  kind: 'invalidInput', message: 'SearchGameSessions of fleet-arena in eu-west-1 failed: Invalid filter expression (InvalidRequestException).', resource: 'fleet-arena',
  awsCode: 'InvalidRequestException', requestId: '5e1c7a52-0d6b-4c3a-9b77-0a3f6d2b9c11', retryable: false, remedy: 'Correct the filter and search again.', fields: [],
}; // prettier-ignore

function fleetOr(id: string): FakeFleet {
  const fleet = fleetById(id);
  if (!fleet) throw notFound('Fleet', id);
  return fleet;
}

/** `search` is the page's query string, such as `?fake=error`. */
export function createFakeHost(search: string): Host & { now: () => number } {
  const stage = readStage(search);
  const { answer, now, freshness } = stage;
  const empty = stage.is('empty');
  let state = firstState(stage.is('first'));
  let revision = 1;
  const world = new World(now);
  const hearers = new Set<(changed: Changed) => void>();
  const moved = (...subjects: Subject[]) => {
    revision++;
    for (const hear of hearers) hear({ revision, subjects });
  };
  const never = { asOfMs: now(), stale: false };

  const become = (next: Partial<AppState>): Promise<AppState> => {
    state = { ...state, ...next };
    const { current } = state;
    state.unlockTyped = current?.environment === 'production' ? current.name : null;
    return Promise.resolve(state);
  };
  if (stage.is('operator')) state = { ...state, mode: { kind: 'operator', untilMs: now() + 28 * 60_000 } };
  if (stage.is('demo'))
    state = {
      ...state,
      current: state.connections.find((one) => one.id === 'demo') ?? null,
      unlockTyped: null,
    };
  const open = (id: string) =>
    become({
      current: state.connections.find((one) => one.id === id) ?? null,
      mode: { kind: 'readOnly' },
    });
  /** What each search of this page's life found. */
  const found: SessionRow[][] = [];
  const nothing = { rows: [], total: 0, freshness: never };

  const { feeds, host: feedHost } = createFeeds(stage, now, () => moved('activity', 'health'));
  const guard = createGuard({ stage, world, state: () => state, become, moved });
  const host: Host & { now: () => number } = {
    now,
    ...guard,
    ...feedHost,
    ...createSubjects({ stage, world, activity: guard.activityGet }),
    appState: () => Promise.resolve(state),
    settingsSave: (settings) => become({ settings }),
    profileList: () => Promise.resolve(profiles),
    connectionCheck: (draft) => answer(() => check(draft)),
    connectionSave: (id, draft) => {
      const own = summaryOf(id ?? draft.name, draft);
      return become({
        connections: [...state.connections.filter((one) => one.id !== own.id), own],
        current: own,
      });
    },
    connectionOpen: open,
    connectionDelete: (id) => become({ connections: state.connections.filter((one) => one.id !== id) }),
    connectionImport: (json) => {
      const own = summaryOf('imported', JSON.parse(json));
      return become({ connections: [...state.connections, own], current: own });
    },
    connectionExport: (id) => Promise.resolve(JSON.stringify(state.connections.find((one) => one.id === id))),
    demoOpen: () => {
      const demo = firstState(false).connections.filter((one) => one.id === 'demo');
      return become({
        connections: [...state.connections.filter((one) => one.id !== 'demo'), ...demo],
        current: demo[0] ?? null,
      });
    },
    healthGet: () => Promise.resolve(health(stage.health, feeds(), now(), revision, stage.is('down'))),
    focusSet: () => Promise.resolve(null),
    zoomSet: (factor) => {
      document.documentElement.style.zoom = String(factor);
      return Promise.resolve();
    },
    retryNow: () => Promise.resolve(null),
    overviewGet: (range) =>
      answer(() => {
        const all = overview(range, now(), freshness());
        if (stage.is('throttled')) all.attention.push(failing(now()));
        if (!empty) return all;
        const kpis = all.kpis.map((kpi) => ({
          ...kpi,
          value: null,
          of: null,
          yesterday: null,
          failedShare: null,
          spark: [],
        }));
        return { ...all, kpis, heat: [], locations: [], attention: [], changes: [], fleets: 0 };
      }),
    fleetList: () =>
      answer(() => ({
        rows: empty ? [] : fleets.map((fleet) => fleetRow(fleet, now(), freshness())),
        freshness: freshness(),
      })),
    fleetGet: (id) =>
      answer(() => {
        const found = world.fleet(id, freshness());
        if (!found) throw notFound('Fleet', id);
        return found;
      }),
    fleetInstances: (id) =>
      answer(() => ({ rows: empty ? [] : instances(fleetOr(id), now()), freshness: freshness() })),
    fleetEvents: (id, range, page) =>
      answer(() => {
        const rows = empty ? [] : fleetEvents(fleetOr(id), range);
        return {
          rows: rows.slice(page.offset, page.offset + page.limit),
          total: rows.length,
          freshness: freshness(),
        };
      }),
    fleetScaling: (id, range) =>
      answer(() => {
        const all = scaling(fleetOr(id), range, now());
        return { ...all, ...(empty ? { steps: [], marks: [], changes: [] } : {}), freshness: freshness() };
      }),
    seriesRead: (request) =>
      answer(() => readSeries(empty ? { ...request, range: { fromMs: 1, toMs: 0 } } : request, now())),
    chartSave: (request) => Promise.resolve(`/home/ops/scaling.${request.format}`),
    searchCheck: (filter, sort) => Promise.resolve(checkSearch(filter, sort)),
    sessionSearch: (query) =>
      answer(() => {
        if (stage.is('refusedSearch')) throw refusedSearch;
        const target =
          query.fleetId ?? world.aliases(freshness()).find((row) => row.aliasId === query.aliasId)?.fleetId;
        const rows = empty ? [] : searchSessions(query, target ?? '', world.sessions);
        const pagesAtMost = 20;
        found.push(rows.slice(0, pagesAtMost * 20));
        return {
          search: found.length, askedMs: now(), found: Math.min(rows.length, pagesAtMost * 20),
          more: rows.length > pagesAtMost * 20, pagesAtMost, failure: stage.is('brokenSearch') ? refusedSearch : null,
        }; // prettier-ignore
      }),
    sessionList: (query) =>
      answer(() => {
        if (empty) return nothing;
        if (query.search !== null) {
          const among = found[query.search - 1] ?? [];
          const rows = query.sort ? listSessions({ ...query, text: '' }, among) : [...among];
          const { offset, limit } = query.page;
          return { rows: rows.slice(offset, offset + limit), total: rows.length, freshness: freshness() };
        }
        const { problem } = checkQuery(query.text, 0);
        if (problem)
          throw { ...notFound('Query', query.text), kind: 'invalidInput', message: problem.message };
        const rows = listSessions(query, world.sessions);
        const { offset, limit } = query.page;
        return { rows: rows.slice(offset, offset + limit), total: rows.length, freshness: freshness() };
      }),
    sessionGet: (id) =>
      answer(() => {
        const found = world.sessionDetail(id, freshness());
        if (!found) throw notFound('Game session', id);
        const placement = listPlacements({ scope: { queue: null, region: null, destination: null }, types: [], text: '', range: { fromMs: 0, toMs: now() }, page: { offset: 0, limit: 6_000 } }, [], freshness()).rows.find((row) => row.gameSessionId === id); // prettier-ignore
        return { ...found, placement: placement ?? null };
      }),
    queryCheck: (text, caret) => Promise.resolve(checkQuery(text, caret)),
    playerSearch: (text, page) =>
      answer(() => {
        const hits = empty ? [] : searchPlayers(text);
        return {
          hits: hits.slice(page.offset, page.offset + page.limit),
          total: hits.length,
          freshness: freshness(),
        };
      }),
    placementList: (query) =>
      answer(() =>
        listPlacements(empty ? { ...query, range: { fromMs: 0, toMs: 0 } } : query, feeds(), freshness()),
      ),
    placementSplit: (scope, split, range) =>
      answer(() => ({ groups: empty ? [] : splitPlacements(scope, split, range), freshness: freshness() })),
    queueList: () => answer(() => (empty ? [] : world.queues(freshness()))),
    aliasList: () => answer(() => (empty ? [] : world.aliases(freshness()))),
    goto: (text) => answer(() => find(text)),
    onChanged: (listener: (changed: Changed) => void) => {
      hearers.add(listener);
      const timer = stage.is('still')
        ? undefined
        : setInterval(() => moved('capacity', 'fleets', 'gameSessions', 'metrics'), 4_000);
      return Promise.resolve(() => {
        hearers.delete(listener);
        clearInterval(timer);
      });
    },
    onHealth: (listener: (report: Health) => void) => {
      if (stage.is('still')) return Promise.resolve(() => undefined);
      const timer = setInterval(
        () => listener(health(stage.health, feeds(), now(), revision, stage.is('down'))),
        2_000,
      );
      return Promise.resolve(() => clearInterval(timer));
    },
  };
  return stage.is('hostile') ? hostile(host) : host;
}

function find(text: string): GotoHit[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const own = fleets
    .filter((fleet) => fleet.name.includes(wanted) || fleet.id.includes(wanted))
    .map((fleet): GotoHit => ({
      kind: 'fleet',
      label: fleet.name,
      detail: `${fleet.region} · ${fleet.id}`,
      link: `#/fleets/${fleet.id}/scaling`,
    }));
  const played = sessions
    .filter((row) => row.gameSessionId.includes(wanted) || row.ipAddress === wanted.split(':')[0])
    .slice(0, 6)
    .map((row): GotoHit => ({
      kind: 'session',
      label: row.name ?? row.gameSessionId,
      detail: `${row.fleetName} · ${row.location}`,
      link: `#/sessions/${encodeURIComponent(row.gameSessionId)}`,
    }));
  const people = (wanted.length > 3 ? searchPlayers(wanted) : []).slice(0, 6).map((hit): GotoHit => ({
    kind: 'player',
    label: hit.playerId,
    detail: `${hit.total} sessions`,
    link: `#/players?q=${hit.playerId}`,
  }));
  return [...own, ...played, ...people].slice(0, 20);
}
