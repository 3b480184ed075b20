/** Owns how an incident is read from an address and written into one, and the words that the core leaves to the screen. */
import type { DotState } from '$kit/states';
import type { ChartMark, ChartRange, ChartSeries, ChartSpan } from '$kit/chart/types';
import { count, percent } from '$lib/numbers';
import type { Address } from '$lib/address';
import { formatAddress } from '$lib/address';
import { href } from '$live/address.svelte';
import type {
  Alert,
  AlertState,
  CauseStory,
  EvidenceKind,
  EvidenceLine,
  FailedList,
  HitNoun,
  Incident,
  IncidentMark,
  IncidentOf,
  IncidentScope,
  Lane,
  MarkKind,
  Phase,
  TimeRange,
  Tone,
} from '$live/types';

/** The place of spans among the alerts: `#/alerts/span?from=…&to=…&fleet=…`. */
export const spanPlace = 'span';

/** The address of an alert's incident. */
export const placeOfIncident = (alert: Pick<Alert, 'id'>): string => href(['alerts', alert.id]);

/** Whether causes of a span must say from which alerts they come: where those of several stand together. */
export const namesAlerts = (causes: readonly Pick<CauseStory, 'alerts'>[]): boolean =>
  new Set(causes.flatMap((cause) => cause.alerts.map((alert) => alert.id))).size > 1;

/** The address of a span's incident. */
export function placeOfSpan(scope: IncidentScope, range: ChartRange): string {
  const query: Record<string, string> = {
    from: new Date(Math.round(range.from)).toISOString(),
    to: new Date(Math.round(range.to)).toISOString(),
  };
  switch (scope.kind) {
    case 'all':
      break;
    case 'region':
      query.region = scope.region;
      break;
    case 'fleet':
      query.fleet = scope.fleetId;
      break;
    case 'queue':
      query.queue = scope.name;
      query.region = scope.region;
      break;
    case 'alias':
      query.alias = scope.aliasId;
      break;
    case 'matchmaking':
      query.matchmaking = scope.name;
      query.region = scope.region;
      break;
    case 'build':
      query.build = scope.id;
      break;
  }
  return formatAddress({ path: ['alerts', spanPlace], query });
}

/** What an address asks for; null when a span has no range. */
export function incidentOf({ path, query }: Pick<Address, 'path' | 'query'>): IncidentOf | null {
  const [, place = ''] = path;
  if (place !== spanPlace) return { kind: 'alert', id: place };
  const from = Date.parse(query.from ?? '');
  const to = Date.parse(query.to ?? '');
  if (!Number.isFinite(from) || !Number.isFinite(to) || from >= to) return null;
  return { kind: 'span', scope: scopeOf(query), range: { from, to } };
}

function scopeOf(query: Address['query']): IncidentScope {
  if (query.queue && query.region) return { kind: 'queue', name: query.queue, region: query.region };
  if (query.matchmaking && query.region)
    return { kind: 'matchmaking', name: query.matchmaking, region: query.region };
  if (query.build) return { kind: 'build', id: query.build };
  if (query.fleet) return { kind: 'fleet', fleetId: query.fleet };
  if (query.alias) return { kind: 'alias', aliasId: query.alias };
  if (query.region) return { kind: 'region', region: query.region };
  return { kind: 'all' };
}

/** What a screen shows, as the scope of a span made there. */
export function scopeOfScreen({ path, query }: Pick<Address, 'path' | 'query'>): IncidentScope {
  const [screen, place, third, fourth] = path;
  if (screen === 'fleets' && place) return { kind: 'fleet', fleetId: place };
  if (screen === 'aliases' && place) return { kind: 'alias', aliasId: place };
  if (screen === 'placements' && place === 'queues' && third && fourth)
    return { kind: 'queue', region: third, name: fourth };
  if (screen === 'placements' && query.queue && query.region)
    return { kind: 'queue', region: query.region, name: query.queue };
  const build = place === 'scripts' ? third : place;
  if (screen === 'builds' && build) return { kind: 'build', id: build };
  // Written `REGION/NAME` where one configuration is on screen.
  const [region = '', ...name] = (query.configuration ?? '').split('/');
  if (screen === 'matchmaking' && name.length > 0)
    return { kind: 'matchmaking', region, name: name.join('/') };
  return { kind: 'all' };
}

const tones: Record<Tone, string> = {
  bad: '--bad',
  rest: '--series-1',
  hit: '--series-5',
  limit: '--bad',
  plain: '--series-2',
};
const several = ['--series-2', '--series-3', '--series-4', '--series-6', '--series-5'];

/** The series of a lane. Several plain lines get a colour each. */
export function seriesOf(lane: Lane): ChartSeries[] {
  const isCount = lane.unit === 'count';
  let plain = 0;
  return lane.lines.map((line, index) => ({
    key: `${index} ${line.label}`,
    label: line.label,
    color: line.tone === 'plain' ? (several[plain++ % several.length] ?? '--series-2') : tones[line.tone],
    values: line.values.map((value) => value ?? NaN),
    style: lane.isStep
      ? index === 0 && line.tone !== 'limit'
        ? 'stepArea'
        : 'step'
      : index === 0
        ? 'area'
        : 'line',
    dashed: line.tone === 'limit',
    format: isCount ? count : (value: number) => percent(value, value < 10 ? 1 : 0),
    axisFormat: isCount ? undefined : (value: number) => percent(value, 0),
  }));
}

const marks: Record<MarkKind, { shape: ChartMark['shape']; color: string; label: string }> = {
  failure: { shape: 'square', color: '--bad', label: 'failure' },
  change: { shape: 'diamond', color: '--series-1', label: 'change' },
  scaling: { shape: 'circle', color: '--faint', label: 'scaling step' },
  event: { shape: 'triangle', color: '--warn', label: 'fleet event' },
};

export const chartMark = (mark: IncidentMark): ChartMark => ({
  key: mark.key,
  at: mark.at,
  color: marks[mark.kind].color,
  shape: marks[mark.kind].shape,
  text: mark.text,
});

/** Label, colour and count of each kind of mark that there is. */
export function markLegend(all: readonly IncidentMark[]): { label: string; color: string; count: number }[] {
  const kinds: readonly MarkKind[] = ['failure', 'change', 'scaling', 'event'];
  return kinds
    .map((kind) => ({ ...marks[kind], count: all.filter((mark) => mark.kind === kind).length }))
    .filter((one) => one.count > 0);
}

/** The time in which an alert fired, tinted on every lane. */
export const firingSpans = (course: readonly Phase[], shown: TimeRange): ChartSpan[] =>
  course
    .filter((phase) => phase.state === 'firing')
    .map((phase) => ({ from: phase.from, to: phase.to ?? shown.to, color: '--bad' }));

/** The name of a state. */
export function stateName(state: AlertState | null): string {
  switch (state) {
    case null:
      return 'unknown';
    case 'resolved':
      return 'over';
    default:
      return state;
  }
}

export function stateDot(state: AlertState | null): DotState {
  switch (state) {
    case 'firing':
      return 'bad';
    case 'pending':
      return 'warning';
    case 'recovering':
      return 'info';
    case 'resolved':
      return 'good';
    case null:
      return 'off';
  }
}

const nouns: Record<HitNoun, readonly [string, string]> = {
  gameSessions: ['session', 'sessions'],
  placements: ['placement', 'placements'],
  tickets: ['ticket', 'tickets'],
  reservations: ['reservation', 'reservations'],
  unheard: ['', ''],
  nothing: ['', ''],
};

/** What is counted, for a number of it. */
export const hitWord = (noun: HitNoun, of: number): string => nouns[noun][of === 1 ? 0 : 1];

const fates: Partial<Record<HitNoun, string>> = {
  tickets: 'without a match',
  placements: 'not placed',
  reservations: 'not connected',
};

/** What became of the players that were hit. */
export const hitPlayersWord = (noun: HitNoun): string => fates[noun] ?? 'cut off';

const evidence: Record<EvidenceKind, string> = {
  alert: 'alert',
  failure: 'failure',
  change: 'change',
  event: 'event',
  ours: 'done here',
  note: 'note',
};

export const evidenceWord = (kind: EvidenceKind): string => evidence[kind];

/** The sign of a line of the timeline. */
export function evidenceDot(line: Pick<EvidenceLine, 'kind' | 'severity'>): DotState {
  if (line.kind === 'note') return 'pending';
  if (line.kind === 'ours' || line.kind === 'change') return 'info';
  if (line.severity === 'bad') return 'bad';
  return line.severity === 'warning' ? 'warning' : 'pending';
}

/** What is looked at when a span of an incident is brushed: what the incident is about. */
export function scopeWithin(of: IncidentOf | null, { alert, fleets }: Incident): IncidentScope {
  if (of?.kind === 'span') return of.scope;
  const trouble = alert?.facts?.trouble;
  if (trouble?.kind === 'ticketsFail' && alert?.region)
    return { kind: 'matchmaking', name: trouble.configuration, region: alert.region };
  const [only] = fleets.length === 1 ? fleets : [];
  if (only) return { kind: 'fleet', fleetId: only.fleetId };
  return alert?.region ? { kind: 'region', region: alert.region } : { kind: 'all' };
}

/** The list of what failed, on its own screen; null when nothing is listed. */
export function placeOfFailed(failed: FailedList): string | null {
  const range = (of: TimeRange) => ({
    from: new Date(of.from).toISOString(),
    to: new Date(of.to).toISOString(),
  });
  switch (failed.kind) {
    case 'sessions': {
      const fleet = failed.fleetId === null ? '' : `fleet:${failed.fleetId} `;
      return formatAddress({
        path: ['sessions'],
        query: { q: `${fleet}${failed.text}`, ...range(failed.range) },
      });
    }
    case 'placements': {
      const query: Record<string, string> = range(failed.range);
      if (failed.scope.queue) query.queue = failed.scope.queue;
      if (failed.scope.region) query.region = failed.scope.region;
      return formatAddress({ path: ['placements'], query });
    }
    case 'tickets':
      return formatAddress({
        path: ['matchmaking', 'tickets'],
        query: { configuration: failed.configuration, ...range(failed.range) },
      });
    case 'nothing':
      return null;
  }
}
