/** Owns the invented answers behind the screens of aliases, queues, placements, matchmaking, builds and scripts. */
import type { Action, ActivityRow, AliasRow, AppError } from '$host/bindings.gen';
import type { SubjectHost } from '$host/host';
import { compareFleets, watchRepoint } from './aliasWork';
import { changeScript, content, pickedZip } from './content';
import { fleetById, fleets } from './fleets';
import { changeTickets, listTickets, matchmaking, matchmakingEvents, ticketDetail } from './matchmaking';
import { changePlacement, changeQueue, placementDetail, queueDetail } from './queues';
import type { Stage } from './stage';
import type { World } from './world';

type Around = { stage: Stage; world: World; activity: (id: string) => Promise<ActivityRow> };

const missing = (what: string, id: string): AppError => ({
  kind: 'notFound', message: `${what} ${id} is not known to this connection.`, resource: id, awsCode: 'NotFoundException',
  requestId: null, retryable: false, remedy: 'It may be in another Region, or gone.', fields: [],
}); // prettier-ignore

/** What a change that was accepted does to what these screens show. */
export function changeSubjects(action: Action, activityId: string, nowMs: number): void {
  changeTickets(action.request, nowMs);
  changeScript(action.request, nowMs);
  changeQueue(action, activityId, nowMs);
  changePlacement(action, nowMs);
}

/** The fleet a routing led to, from its words such as `arena-casual (SIMPLE)`. */
const fleetOf = (words: string | null | undefined) =>
  fleets.find((fleet) => words?.startsWith(`${fleet.name} (`))?.id ?? null;

export function createSubjects({ stage, world, activity }: Around): SubjectHost {
  const { answer, now, freshness } = stage;
  const empty = stage.is('empty');
  const aliasOr = (match: (row: AliasRow) => boolean, id: string): AliasRow => {
    const alias = world.aliases(freshness()).find(match);
    if (!alias) throw missing('Alias', id);
    return alias;
  };
  return {
    repointCompare: (aliasId, fleetId) =>
      answer(() => {
        const fleet = fleetById(fleetId);
        if (!fleet) throw missing('Fleet', fleetId);
        return compareFleets(aliasOr((row) => row.aliasId === aliasId, aliasId), fleet, now(), freshness()); // prettier-ignore
      }),
    repointWatch: async (activityId) => {
      const row = await activity(activityId);
      const routing = row.facts.find((fact) => fact.label === 'Routing');
      return answer(() => {
        const alias = aliasOr((one) => one.aliasId === row.resourceId || one.name === row.resourceName, row.resourceId); // prettier-ignore
        return watchRepoint(
          alias,
          row,
          fleetOf(routing?.before),
          fleetOf(routing?.after),
          now(),
          freshness(),
        );
      });
    },
    placementGet: (placementId) =>
      answer(() => {
        const found = placementDetail(placementId, now(), freshness());
        if (!found) throw missing('Placement', placementId);
        return found;
      }),
    queueGet: (name, region) =>
      answer(() => {
        const found = queueDetail(name, region, world, freshness());
        if (!found) throw missing('Queue', name);
        return found;
      }),
    matchmakingGet: (range) =>
      answer(() => {
        const all = matchmaking(range, freshness());
        return empty ? { ...all, configurations: [], ticketsByState: [] } : all;
      }),
    matchmakingEvents: (configuration, range, page) =>
      answer(() =>
        matchmakingEvents(configuration, empty ? { fromMs: 0, toMs: 0 } : range, page, freshness()),
      ),
    ticketList: (query) =>
      answer(() => listTickets(empty ? { ...query, range: { fromMs: 0, toMs: 0 } } : query, freshness())),
    ticketGet: (ticketId) =>
      answer(() => {
        const found = ticketDetail(ticketId);
        if (!found) throw missing('Ticket', ticketId);
        return found;
      }),
    contentList: () =>
      answer(() => (empty ? { builds: [], scripts: [], freshness: freshness() } : content(freshness()))),
    scriptZipPick: () => Promise.resolve(pickedZip(!stage.is('badzip'))),
  };
}
