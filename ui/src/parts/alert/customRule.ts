/** Owns what the form of a rule of one's own holds, the rule it makes, and which figures there are of what. */
import type {
  AppError,
  Compare,
  CustomRule,
  MetricSubject,
  QueryPer,
  RelativeTo,
  SeriesName,
  Severity,
} from '$live/types';

const minute = 60_000;

export interface CustomDraft {
  readonly name: string;
  readonly kind: 'metric' | 'query';
  readonly figure: SeriesName;
  /** "each", "fleet:id", "location:id/location", "queue:region/name" or "configuration:region/name". */
  readonly subject: string;
  readonly relative: RelativeTo | 'none';
  /** Minutes, thresholds and the like are kept as written. */
  readonly over: string;
  readonly query: string;
  readonly per: QueryPer;
  readonly isShare: boolean;
  readonly shareOf: string;
  readonly compare: Compare;
  readonly raise: string;
  readonly clear: string;
  readonly minutes: string;
  readonly severity: Severity;
  readonly isOff: boolean;
}

export const emptyDraft: CustomDraft = {
  name: '',
  kind: 'metric',
  figure: 'activeInstances',
  subject: 'each',
  relative: 'none',
  over: '1',
  query: '',
  per: 'all',
  isShare: false,
  shareOf: '',
  compare: 'below',
  raise: '',
  clear: '',
  minutes: '5',
  severity: 'warning',
  isOff: false,
};

type Figures = readonly (readonly [title: string, names: readonly SeriesName[]])[];

/** What a rule can look at, by what it is about. */
export const figures: Figures = [
  [
    'Fleets: instances',
    [
      'activeInstances',
      'desiredInstances',
      'pendingInstances',
      'idleInstances',
      'terminatingInstances',
      'minInstances',
      'maxInstances',
      'instanceSpotInterruptions',
    ],
  ],
  [
    'Fleets: game and player sessions',
    [
      'percentAvailableGameSessions',
      'availableGameSessions',
      'activeGameSessions',
      'currentPlayerSessions',
      'gameSessionInterruptions',
    ],
  ],
  [
    'Fleets: server processes',
    ['activeServerProcesses', 'healthyServerProcesses', 'serverProcessAbnormalTerminations'],
  ],
  [
    'Queues',
    [
      'queueDepth',
      'placementsFulfilled',
      'placementsFailed',
      'placementsCancelled',
      'placementFailedPercent',
      'timeToPlaceP50',
      'timeToPlaceP95',
    ],
  ],
  [
    'Matchmaking configurations',
    [
      'ticketsCompleted',
      'ticketsFailed',
      'ticketsTimedOut',
      'ticketsCancelled',
      'matchmakingWaitP50',
      'matchmakingWaitP95',
    ],
  ],
];

/** As CloudWatch would spell it. */
export const figureTitle = (name: SeriesName): string => name.charAt(0).toUpperCase() + name.slice(1);

const group = (name: SeriesName): string => figures.find(([, names]) => names.includes(name))?.[0] ?? '';

/** The first part of the subjects that a figure can be of. */
export function subjectKind(name: SeriesName): 'fleet' | 'queue' | 'configuration' {
  const of = group(name);
  if (of === 'Queues') return 'queue';
  return of.startsWith('Matchmaking') ? 'configuration' : 'fleet';
}

/** The sizes that a figure can be a share of. */
export function sizesOf(name: SeriesName): readonly RelativeTo[] {
  if (group(name) !== 'Fleets: instances' || name === 'minInstances' || name === 'maxInstances') return [];
  return name === 'desiredInstances' ? ['maximum'] : ['maximum', 'desired'];
}

/** The unit of a draft's thresholds, for their labels. */
export function unitOf(draft: CustomDraft): string {
  if (draft.kind === 'query') return draft.isShare ? 'percent' : 'game sessions';
  const { figure } = draft;
  if (draft.relative !== 'none' || /percent/i.test(figure)) return 'percent';
  if (/P(50|95)$/.test(figure)) return 'milliseconds';
  if (/^(placements|tickets)/.test(figure)) return 'a minute';
  return '';
}

const number = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** What is wrong with what was written as a number, by field; what was not written yet is not. */
export function mistakes(draft: CustomDraft): Record<string, string> {
  const found: Record<string, string> = {};
  const wrong = (text: string): boolean => text.trim() !== '' && !(Number(text) >= 0);
  if (wrong(draft.raise)) found.raise = 'A number, 0 or more';
  if (wrong(draft.clear)) found.clear = 'A number, 0 or more';
  if (wrong(draft.minutes)) found.pendingMs = 'A number of minutes, 0 or more';
  const over = Number(draft.over);
  if (draft.kind === 'metric' && !(Number.isInteger(over) && over >= 1 && over <= 60))
    found.overMinutes = 'A whole number of minutes, 1 to 60';
  const [raise, clear] = [number(draft.raise), number(draft.clear)];
  if (draft.compare === 'above' && clear > raise)
    found.clear = `It fires above ${raise}: it is over at ${raise} or less`;
  if (draft.compare === 'below' && clear < raise)
    found.clear = `It fires below ${raise}: it is over at ${raise} or more`;
  return found;
}

function subjectOf(key: string): MetricSubject {
  const [kind, rest] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)];
  const [first, second] = [rest.slice(0, rest.indexOf('/')), rest.slice(rest.indexOf('/') + 1)];
  switch (kind) {
    case 'fleet':
      return { kind: 'fleet', fleetId: rest, location: null };
    case 'location':
      return { kind: 'fleet', fleetId: first, location: second };
    case 'queue':
      return { kind: 'queue', region: first, name: second };
    case 'configuration':
      return { kind: 'configuration', region: first, name: second };
    default:
      return { kind: 'eachFleet' };
  }
}

export function subjectKey(of: MetricSubject): string {
  switch (of.kind) {
    case 'eachFleet':
      return 'each';
    case 'fleet':
      return of.location === null ? `fleet:${of.fleetId}` : `location:${of.fleetId}/${of.location}`;
    case 'queue':
    case 'configuration':
      return `${of.kind}:${of.region}/${of.name}`;
  }
}

/** The rule that a form makes; null while something in it is missing or no number. */
export function ruleOf(draft: CustomDraft): CustomRule | null {
  const { name, kind, figure, relative, query, per, isShare, shareOf, compare, severity, isOff } = draft;
  const raise = number(draft.raise);
  const isMissing = kind === 'query' ? query.trim() === '' : draft.subject === '';
  if (name.trim() === '' || Number.isNaN(raise) || isMissing) return null;
  if (Object.keys(mistakes(draft)).length > 0) return null;
  return {
    name: name.trim(),
    watched:
      kind === 'query'
        ? { kind, query: query.trim(), per, shareOf: isShare ? shareOf.trim() : null }
        : {
            kind,
            figure,
            of: subjectOf(draft.subject),
            relative: relative === 'none' ? null : relative,
            overMinutes: Number(draft.over),
          },
    compare,
    raise,
    clear: draft.clear.trim() === '' ? raise : Number(draft.clear),
    pendingMs: Math.round(Number(draft.minutes) * minute),
    severity,
    isOff,
  };
}

export function draftOfRule(rule: CustomRule): CustomDraft {
  const { watched } = rule;
  const of: Partial<CustomDraft> =
    watched.kind === 'query'
      ? {
          kind: 'query',
          query: watched.query,
          per: watched.per,
          isShare: watched.shareOf !== null,
          shareOf: watched.shareOf ?? '',
        }
      : {
          kind: 'metric',
          figure: watched.figure,
          subject: subjectKey(watched.of),
          relative: watched.relative ?? 'none',
          over: String(watched.overMinutes),
        };
  return {
    ...emptyDraft,
    ...of,
    name: rule.name,
    compare: rule.compare,
    raise: String(rule.raise),
    clear: String(rule.clear),
    minutes: String(rule.pendingMs / minute),
    severity: rule.severity,
    isOff: rule.isOff,
  };
}

/** What the core said is wrong with a field. */
export const refusal = (error: AppError | null, field: string): string | null =>
  error?.fields.find((one) => one.field === field)?.message ?? null;

/** Whether what is changed leaves a trial as it was. */
export const keepsTrial = (patch: Partial<CustomDraft>): boolean =>
  Object.keys(patch).every((key) => key === 'name' || key === 'severity' || key === 'isOff');
