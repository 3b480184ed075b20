/** Owns the invented program: connections, settings, and how the collector is doing in each staged state. */
import type {
  AppState, AwsProfile, ConnectionCheck, ConnectionDraft, ConnectionSummary, FeedHealth, Health, HealthState,
} from '$host/bindings.gen'; // prettier-ignore
import { anchorMs } from './load';

const day = 86_400_000;
const regions = ['eu-west-1', 'eu-central-1', 'us-east-1', 'ap-northeast-1'];

const production: ConnectionSummary = {
  id: 'arena-prod', name: 'arena-prod', environment: 'production', profile: 'arena-prod', endpointUrl: null,
  account: '111122223333', regions, lastOpenedMs: anchorMs - 3_600_000,
  eventQueues: [{ region: 'eu-west-1', url: 'https://sqs.eu-west-1.amazonaws.com/111122223333/liftdeck' }],
}; // prettier-ignore

const connections: ConnectionSummary[] = [
  production,
  { ...production, id: 'arena-staging', name: 'arena-staging', environment: 'staging', profile: 'arena-staging', account: '444455556666', regions: ['eu-west-1'], lastOpenedMs: anchorMs - 2 * day },
  { ...production, id: 'demo', name: 'Demo', environment: 'demo', profile: null, endpointUrl: 'http://127.0.0.1:4566', account: '000000000000', regions: ['eu-west-1', 'us-east-1'], eventQueues: [], lastOpenedMs: null },
]; // prettier-ignore

/** What the program says of itself before anything is opened, and after. */
export function firstState(empty: boolean): AppState {
  return {
    version: '0.1.0',
    settings: {
      theme: 'system', timeZone: 'utc', budgetShare: 0.2, cloudwatchDailyCapUsd: 2,
      sessionRetentionDays: 30, metricRetentionDays: 455,
    },
    connections: empty ? [] : connections,
    current: empty ? null : production,
    demoScenarios: [
      { name: 'quiet', description: 'An ordinary evening: nothing is wrong.' },
      { name: 'launch-day', description: 'A launch: load grows tenfold within hours.' },
      { name: 'capped-fleet', description: 'A fleet reaches its maximum and players wait.' },
      { name: 'spot-storm', description: 'Spot instances are interrupted one after another.' },
    ],
    mode: { kind: 'readOnly' },
    unlockTyped: empty ? null : production.name,
    openError: null,
    connectionsError: null,
  }; // prettier-ignore
}

export const profiles: AwsProfile[] = [
  { name: 'arena-prod', kind: 'sso', region: 'eu-west-1' },
  { name: 'arena-staging', kind: 'assumeRole', region: 'eu-west-1' },
  { name: 'default', kind: 'keys', region: 'us-east-1' },
];

const actions: [action: string, feature: string][] = [
  ['gamelift:ListFleets', 'Fleets'],
  ['gamelift:DescribeFleetCapacity', 'Scaling'],
  ['gamelift:DescribeGameSessions', 'Sessions'],
  ['gamelift:DescribePlayerSessions', 'Players'],
  ['gamelift:ListAliases', 'Aliases'],
  ['cloudwatch:GetMetricData', 'Charts of the past'],
  ['sqs:ReceiveMessage', 'Placement events'],
];

export function check(draft: ConnectionDraft): ConnectionCheck {
  const checks = draft.regions.flatMap((region) =>
    actions
      .filter(([action]) => !action.startsWith('sqs') || draft.eventQueues.some((queue) => queue.region === region))
      .map(([action, feature]) => {
        const denied = action === 'cloudwatch:GetMetricData' && draft.profile === 'default';
        return {
          action, feature, region, outcome: denied ? ('denied' as const) : ('allowed' as const),
          detail: denied ? 'The caller may not perform cloudwatch:GetMetricData.' : null,
          requestId: denied ? '6f1c2a90-51be-4f0e-9a77-0c2d1d1f3b10' : null,
        };
      }),
  ); // prettier-ignore
  return {
    account: '111122223333',
    callerArn: `arn:aws:sts::111122223333:assumed-role/LiftdeckReader/${draft.profile ?? 'default'}`,
    checks,
    ok: checks.every((one) => one.outcome === 'allowed'),
    error: null,
  };
}

export function summaryOf(id: string, draft: ConnectionDraft): ConnectionSummary {
  return { ...draft, id, account: '111122223333', lastOpenedMs: null };
}

const troubles: Partial<Record<HealthState, [message: string, remedy: string]>> = {
  unreachable: ['No answer from gamelift.eu-west-1.amazonaws.com for 14 min.', 'Check the network or VPN of this machine. Liftdeck keeps trying.'],
  credentialsExpired: ['The SSO session of profile arena-prod ended 6 min ago.', 'Run: aws sso login --profile arena-prod'],
  throttled: ['DescribeGameSessions was throttled 14 times in 5 min.', 'Liftdeck slowed down by itself. Lower the request budget in Settings if the game also calls it.'],
}; // prettier-ignore

/** `fails`: the collection of a Region ended and is about to be begun again. */
export function health(
  state: HealthState,
  feeds: FeedHealth[],
  nowMs: number,
  revision: number,
  fails: boolean,
): Health {
  const trouble = troubles[state];
  const behindMs = state === 'live' ? 4_000 : state === 'throttled' ? 48_000 : 14 * 60_000;
  return {
    state, behindMs, quotaShare: state === 'throttled' ? 0.2 : 0.11,
    message: trouble?.[0] ?? null, remedy: trouble?.[1] ?? null,
    regions: regions.map((region, index) => {
      const own: HealthState = index === 0 || state === 'unreachable' || state === 'credentialsExpired' ? state : 'live';
      return {
        region, state: own, behindMs: own === 'live' ? 2_000 + index * 700 : behindMs,
        quotaShare: 0.11 - index * 0.02, busiestOperation: index === 0 ? 'DescribeGameSessions' : 'DescribeFleetCapacity',
        throttles: own === 'throttled' ? 14 : 0, message: own === 'live' ? null : (trouble?.[0] ?? null),
        remedy: own === 'live' ? null : (trouble?.[1] ?? null),
        lastSuccessMs: nowMs - (own === 'live' ? 2_000 + index * 700 : behindMs),
      };
    }),
    feeds,
    down: fails ? [{ task: 'The collection of eu-west-1', sinceMs: nowMs - 9_000, why: 'it failed: a test says so', nextTryMs: nowMs + 4_000 }] : [],
    cautions: [], backfill: null, cloudwatchMetricsToday: 41_200, cloudwatchCostTodayUsd: 0.41,
    cloudwatchCapUsd: 2, revision, nowMs,
  }; // prettier-ignore
}
