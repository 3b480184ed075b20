/** Owns what changed in the invented world: events, steps, policies, aliases. */
import type {
  Attention,
  Change,
  ChangeKind,
  FleetEventRow,
  FleetScaling,
  Mark,
  Range,
  ScalingStep,
} from '$host/bindings.gen';
import { fleets, type FakeFleet } from './fleets';
import { anchorMs, cappedSince, desiredSteps, fleetLoad } from './load';
import { chance, noise } from './random';

const minute = 60_000;
type Told = [agoMin: number, fleet: string, kind: ChangeKind, severity: Change['severity'], subject: string, text: string, before?: string, after?: string]; // prettier-ignore

const told: Told[] = [
  [9, 'arena-ranked-eu', 'fleetEvent', 'bad', 'arena-ranked-eu', 'reached its maximum of 40 instances'],
  [24, 'arena-spot-eu', 'fleetEvent', 'warning', 'arena-spot-eu', '7 instances interrupted in eu-central-1'],
  [43, 'arena-ranked-eu', 'scalingPolicy', 'info', 'arena-ranked-eu', 'target policy track-free', '20 %', '25 %'],
  [57, 'coop-realtime', 'script', 'info', 'coop-realtime', 'script updated · 118 sessions still on v40', 'v40', 'v41'],
  [64, 'arena-ranked-eu', 'alias', 'info', 'alias arena-live', 'repointed', 'arena-casual', 'arena-ranked-eu'],
  [108, 'arena-casual', 'queue', 'info', 'queue arena-eu', 'timeout', '60 s', '30 s'],
  [138, 'arena-ranked-eu', 'fleetEvent', 'warning', 'arena-ranked-eu', '6 server processes ended unhealthy'],
  [171, 'arena-canary', 'runtimeConfiguration', 'info', 'arena-canary', 'concurrent processes', '4', '6'],
  [330, 'brawl-next', 'fleet', 'info', 'brawl-next', 'created from build 0.10.0'],
  [402, 'coop-container', 'deployment', 'info', 'coop-container', 'deployment of coop-server 7 complete'],
  [1_530, 'arena-ranked-us', 'capacity', 'info', 'arena-ranked-us', 'maximum set by hand in us-east-1', '18', '22'],
]; // prettier-ignore

/** Everything that changed in a range, newest first; of one fleet when named. */
export function changes(range: Range, fleet?: FakeFleet): Change[] {
  const fixed = told.map(([ago, name, kind, severity, subject, text, before, after], index): Change => {
    const own = fleets.find((one) => one.name === name);
    return {
      key: `told-${index}`, atMs: anchorMs - ago * minute, kind, severity, region: own?.region ?? '',
      fleetId: own?.id ?? null, location: null, subject, text, before: before ?? null, after: after ?? null,
      byUs: null, link: own ? `#/fleets/${own.id}/scaling` : null,
    };
  }); // prettier-ignore
  const steps = (fleet ? [fleet] : fleets).flatMap((one) =>
    scalingSteps(one, range)
      .filter((step) => fleet !== undefined || Math.abs(step.toDesired - step.fromDesired) > 1)
      .map((step): Change => ({
        key: step.key, atMs: step.atMs, kind: 'scalingStep', severity: 'info', region: one.region, fleetId: one.id,
        location: step.location, subject: one.name, text: step.cause === 'limitReached' ? 'scaled to its maximum' : `scaled by ${step.causeText}`,
        before: String(step.fromDesired), after: String(step.toDesired), byUs: null,
        link: `#/fleets/${one.id}/scaling`,
      })),
  ); // prettier-ignore
  return [...fixed, ...steps]
    .filter((change) => change.atMs >= range.fromMs && change.atMs <= range.toMs)
    .filter((change) => !fleet || change.fleetId === fleet.id)
    .sort((a, b) => b.atMs - a.atMs);
}

export function scalingSteps(fleet: FakeFleet, range: Range): ScalingStep[] {
  return fleet.locations
    .flatMap((location) =>
      desiredSteps(fleet, location, range.fromMs, range.toMs).map((step): ScalingStep => {
        const index = Math.round(step.atMs / minute);
        const full = step.to >= location.max;
        const replaced = step.to < step.from && chance(fleet.seed, index) < 0.2;
        const target = fleet.capped && step.atMs > anchorMs - 43 * minute ? 25 : 20;
        const free = Math.max(0, target - 3 - 6 * chance(fleet.seed + 3, index));
        return {
          key: `${fleet.id}/${location.name}/${step.atMs}`,
          atMs: step.atMs,
          location: location.name,
          fromDesired: step.from,
          toDesired: step.to,
          cause: full ? 'limitReached' : replaced ? 'unhealthy' : 'targetPolicy',
          causeText: full
            ? `maximum is ${location.max}`
            : replaced
              ? 'instances replaced'
              : `target policy ${target} %`,
          toActiveMs:
            step.to > step.from ? 198_000 + Math.round(42_000 * noise(fleet.seed, step.atMs, minute)) : null,
          evidence: full
            ? 'FLEET_SCALING_EVENT · 31 placements/min time out'
            : replaced
              ? 'SERVER_PROCESS_TERMINATED_UNHEALTHY ×6'
              : `available ${free.toFixed(1)} % for ${4 + (index % 4)} min`,
          byUs: null,
        };
      }),
    )
    .sort((a, b) => b.atMs - a.atMs);
}

export function scaling(fleet: FakeFleet, range: Range, nowMs: number): Omit<FleetScaling, 'freshness'> {
  const own = changes(range, fleet);
  const marks = own.map((change): Mark => ({
    key: change.key, atMs: change.atMs, kind: change.kind, severity: change.severity,
    text: `${change.subject} ${change.text}${change.after ? ` ${change.before ?? ''} → ${change.after}` : ''}`,
  })); // prettier-ignore
  const since = cappedSince(fleet, nowMs);
  return {
    steps: scalingSteps(fleet, range),
    marks,
    changes: own.filter((change) => change.kind !== 'scalingStep'),
    cappedRanges: since === null ? [] : [{ fromMs: since, toMs: Math.min(nowMs, range.toMs) }],
  };
}

const eventTypes: [code: string, message: string, severity: FleetEventRow['severity'], log: boolean][] = [
  ['FLEET_SCALING_EVENT', 'Fleet reached its maximum capacity; desired instances cannot grow.', 'bad', false],
  [
    'INSTANCE_INTERRUPTED',
    'A Spot instance was interrupted by EC2 with a two-minute notice.',
    'warning',
    false,
  ],
  [
    'SERVER_PROCESS_TERMINATED_UNHEALTHY',
    'Server process did not report healthy for three minutes.',
    'warning',
    true,
  ],
  ['SERVER_PROCESS_CRASHED', 'Server process ended with exit code 139 (signal 11).', 'bad', true],
  [
    'GAME_SESSION_ACTIVATION_TIMEOUT',
    'A game session was not activated within 300 seconds.',
    'warning',
    true,
  ],
  ['FLEET_STATE_ACTIVE', 'Fleet changed state to ACTIVE.', 'info', false],
  ['FLEET_VPC_PEERING_SUCCEEDED', 'A VPC peering connection was established.', 'info', false],
];

export function fleetEvents(fleet: FakeFleet, range: Range | null): FleetEventRow[] {
  const weight = fleet.state === 'bad' ? 26 : fleet.state === 'warning' ? 14 : 4;
  const rows = Array.from({ length: weight }, (_, index): FleetEventRow => {
    const spot = fleet.kind === 'ec2Spot' ? 1 : Math.floor(chance(fleet.seed, index) * eventTypes.length);
    const [code, message, severity, hasLog] = eventTypes[spot] ?? ['FLEET_STATE_ACTIVE', '', 'info', false];
    return {
      eventId: `${fleet.id}-event-${index}`,
      atMs: anchorMs - Math.round((9 + index * index * 1.7 + chance(fleet.seed + 9, index) * 20) * minute),
      code, message, severity, count: 1 + Math.floor(chance(fleet.seed + 4, index) * 7), hasLog,
    };
  }); // prettier-ignore
  rows.sort((a, b) => b.atMs - a.atMs);
  return rows.filter((row) => !range || (row.atMs >= range.fromMs && row.atMs <= range.toMs));
}

/** What the whole account is told to look at first. */
export function attention(nowMs: number) {
  const [capped] = fleets.filter((fleet) => cappedSince(fleet, nowMs) !== null);
  const spot = fleets.find((fleet) => fleet.name === 'arena-spot-eu');
  const since = capped ? (cappedSince(capped, nowMs) ?? nowMs) : nowMs;
  return [
    ...(capped
      ? [{
          key: 'capped', severity: 'bad' as const, title: `${capped.name} is at its maximum`,
          detail: `desired = max = ${fleetLoad(capped, nowMs).max} · ${fleetLoad(capped, nowMs).idle} idle instances · 31 placements/min time out`,
          fleetId: capped.id, sinceMs: since, link: `#/fleets/${capped.id}/scaling`,
        }]
      : []),
    ...(spot
      ? [{
          key: 'spot', severity: 'warning' as const, title: 'Spot interruptions, c6i.large eu-central-1',
          detail: '7 instances, 61 sessions, 214 players in 20 min', fleetId: spot.id,
          sinceMs: anchorMs - 24 * minute, link: `#/fleets/${spot.id}/events`,
        }]
      : []),
  ]; // prettier-ignore
}

/** What is wrong with collecting itself is told as well. */
export const failing = (nowMs: number): Attention => ({
  key: 'failing', severity: 'warning', title: 'Game sessions of eu-west-1 could not be read for 6 min',
  detail: 'Rate exceeded', fleetId: null, sinceMs: nowMs - 6 * minute, link: '#/settings',
}); // prettier-ignore
