/**
 * Owns the border's types as the screens see them: the generated ones, and those of changing things, whose names the
 * generated bindings take over. A type declared here wins over the generated one of the same name.
 */
import type {
  AppError as ReadError,
  AppState as ReadState,
  Change,
  Changed as ReadChanged,
  ErrorKind as ReadErrorKind,
  FleetState,
  Freshness,
  Page,
  Property,
  Range,
  SessionDetail as ReadSessionDetail,
  Subject as ReadSubject,
} from './bindings.gen';

export type * from './bindings.gen';

// ---- action types: as in Rust `model::action` (serde camelCase, internally tagged by `operation`)
export type Action = { region: string; request: Request };
export type RegionLatency = { region: string; latencyMs: number };
export type RoutingStrategy = { simple: { fleet_id: string } } | { terminal: { message: string } };
export type Request =
  | ({ operation: 'CreateGameSession' } & {
      target: { fleet: string } | { alias: string };
      location: string | null;
      maximumPlayerSessionCount: number;
      name: string | null;
      gameProperties: Property[];
      gameSessionData: string | null;
      idempotencyToken: string;
      creatorId: string | null;
    })
  | ({ operation: 'UpdateGameSession' } & {
      gameSessionId: string;
      name: string | null;
      maximumPlayerSessionCount: number | null;
      playerSessionCreationPolicy: 'ACCEPT_ALL' | 'DENY_ALL' | null;
      protectionPolicy: 'NoProtection' | 'FullProtection' | null;
      gameProperties: Property[];
    })
  | ({ operation: 'TerminateGameSession' } & {
      gameSessionId: string;
      terminationMode: 'TRIGGER_ON_PROCESS_TERMINATE' | 'FORCE_TERMINATE';
    })
  | ({ operation: 'CreatePlayerSessions' } & {
      gameSessionId: string;
      players: { playerId: string; playerData: string | null }[];
    })
  | ({ operation: 'StartGameSessionPlacement' } & {
      placementId: string;
      gameSessionQueueName: string;
      maximumPlayerSessionCount: number;
      gameSessionName: string | null;
      gameProperties: Property[];
      gameSessionData: string | null;
      players: { playerId: string; playerData: string | null; latencies: RegionLatency[] }[];
      priorityOverride: { locationOrder: string[]; fallBack: boolean } | null;
    })
  | ({ operation: 'StopGameSessionPlacement' } & { placementId: string })
  | ({ operation: 'CreateAlias' } & { name: string; description: string | null; routing: RoutingStrategy })
  | ({ operation: 'UpdateAlias' } & {
      aliasId: string;
      name: string | null;
      description: string | null;
      routing: RoutingStrategy | null;
    })
  | ({ operation: 'DeleteAlias' } & { aliasId: string })
  | ({ operation: 'UpdateFleetCapacity' } & {
      fleetId: string;
      location: string | null;
      desiredInstances: number | null;
      minSize: number | null;
      maxSize: number | null;
    })
  | ({ operation: 'PutScalingPolicy' } & {
      fleetId: string;
      name: string;
      rule:
        | { targetBased: { targetValue: number | null } }
        | {
            ruleBased: {
              metricName: string;
              comparisonOperator: string;
              threshold: number | null;
              evaluationPeriods: number;
              scalingAdjustmentType: string;
              scalingAdjustment: number;
            };
          };
    })
  | ({ operation: 'DeleteScalingPolicy' } & { fleetId: string; name: string })
  | ({ operation: 'StopFleetActions' } & { fleetId: string; location: string | null })
  | ({ operation: 'StartFleetActions' } & { fleetId: string; location: string | null })
  | ({ operation: 'UpdateFleetAttributes' } & {
      fleetId: string;
      newGameSessionProtectionPolicy: 'NoProtection' | 'FullProtection';
    })
  | ({ operation: 'UpdateGameSessionQueue' } & {
      name: string;
      timeoutSeconds: number | null;
      destinations: string[] | null;
      playerLatencyPolicies:
        { maximumIndividualPlayerLatencyMs: number | null; policyDurationSeconds: number | null }[] | null;
    })
  | ({ operation: 'StartMatchmaking' } & {
      configurationName: string;
      ticketId: string;
      players: MatchPlayer[];
    })
  | ({ operation: 'AcceptMatch' } & { ticketId: string; playerIds: string[]; accept: boolean })
  | ({ operation: 'StopMatchmaking' } & { ticketId: string })
  | ({ operation: 'StartMatchBackfill' } & {
      configurationName: string;
      ticketId: string;
      gameSessionId: string;
      players: MatchPlayer[];
    })
  | ({ operation: 'UpdateScript' } & {
      scriptId: string;
      name: string | null;
      version: string | null;
      zipFile: { path: string; sizeBytes: number; sha256: string } | null;
    });
export type AttributeValue =
  | { text: string }
  | { number: number | null }
  | { textList: string[] }
  | { numberMap: { [key: string]: number | null } };
export type MatchPlayer = {
  playerId: string;
  team: string | null;
  attributes: { name: string; value: AttributeValue }[];
  latencies: RegionLatency[];
};
export type FieldError = { field: string; message: string };
// ---- mode (in AppState as `mode`, replacing readOnly; moves with subject "settings")
export type Mode = { kind: 'readOnly' } | { kind: 'operator'; untilMs: number };
// AppError kinds added: "readOnly" | "moved" | "notTyped" | "expired"; AppError gains `fields: { item: number; field: string; message: string }[]` (empty else)
// ---- preview and confirm
export type Intent =
  | { kind: 'actions'; actions: Action[] }
  | { kind: 'undo'; activityId: string }
  | { kind: 'drain'; plan: DrainPlan };
export type DrainPlan = {
  region: string;
  fleetId: string;
  routes: Action[];
  protect: boolean;
  suspendScaling: boolean;
  scaleToZero: boolean;
};
export type FactChange = { label: string; before: string | null; after: string | null };
export type Blast = {
  gameSessions: number;
  playerSessions: number;
  protectedGameSessions: number;
  shareOfRegion: number | null;
  sentence: string;
  asOfMs: number | null;
};
export type PreviewWarning = { severity: 'info' | 'warning' | 'bad'; text: string };
export type UndoOffer = { kind: 'exact' | 'partly' | 'none'; text: string };
export type Preview = {
  id: string;
  title: string;
  items: { action: Action; resourceName: string | null; facts: FactChange[] }[];
  blast: Blast;
  warnings: PreviewWarning[];
  undo: UndoOffer;
  mustType: string | null;
  commands: string[];
  expiresMs: number;
};
export type Receipt = { runId: string | null; activityIds: string[] };
// confirm answers this instead of rejecting when the world moved: the new preview to confirm again
export type Confirmed =
  { kind: 'sent'; receipt: Receipt } | { kind: 'moved'; what: FactChange[]; preview: Preview };
// ---- activity
export type ActivityOutcome = 'sending' | 'done' | 'failed' | 'unknown';
export type EffectState = 'awaited' | 'seen' | 'missed' | 'givenUp';
export type ActivityRow = {
  id: string;
  runId: string | null;
  atMs: number;
  endedMs: number | null;
  durationMs: number | null;
  region: string;
  operation: string;
  resourceKind: ResourceKind;
  resourceId: string;
  resourceName: string | null;
  fleetId: string | null;
  title: string;
  facts: FactChange[];
  outcome: ActivityOutcome;
  effect: { state: EffectState; text: string; atMs: number } | null;
  source: 'window' | 'commandLine';
  callerArn: string | null;
  requestId: string | null;
  awsCode: string | null;
  message: string | null;
  made: string | null;
  madePlayerSessions: { playerId: string; playerSessionId: string; connection: string | null }[];
  canUndo: boolean;
  undoOf: string | null;
  undoneBy: string | null;
  link: string | null;
  command: string;
};
export type ResourceKind = 'gameSession' | 'placement' | 'alias' | 'fleet' | 'queue' | 'ticket' | 'script';
export type ActivityQuery = {
  text: string;
  outcomes: ActivityOutcome[];
  operation: string | null;
  resourceKind: ResourceKind | null;
  resourceId: string | null;
  fleetId: string | null;
  runId: string | null;
  range: Range | null;
  page: Page;
};
export type ActivityPage = { rows: ActivityRow[]; total: number; unsettled: number };
// ---- runs
export type RunState = 'running' | 'paused' | 'stopped' | 'finished';
export type Run = {
  id: string;
  kind: 'bulk' | 'drain';
  state: RunState;
  title: string;
  region: string | null;
  fleetId: string | null;
  createdMs: number;
  changedMs: number;
  total: number;
  done: number;
  failed: number;
  unknown: number;
  left: number;
  /** why it is paused or stopped, what it waits for */ message: string | null;
  drain: DrainProgress | null;
};
export type DrainStep = {
  key: 'route' | 'protect' | 'suspend' | 'wait' | 'scale';
  title: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped';
  detail: string | null;
};
export type DrainProgress = {
  steps: DrainStep[];
  gameSessions: number;
  playerSessions: number;
  newGameSessions: number /* made on the fleet since routing moved */;
  startGameSessions: number;
  estimateMs: number | null /* left, from recorded session lengths */;
  estimateText: string;
};
// ---- aliases
export type CompareLine = {
  label: string;
  from: string;
  to: string;
  severity: 'same' | 'info' | 'warning' | 'bad';
  note: string | null;
};
export type RepointComparison = {
  aliasId: string;
  fromFleetId: string | null;
  toFleetId: string;
  lines: CompareLine[];
  warnings: PreviewWarning[];
  queues: string[]; /* queues that use this alias */
};
export type RepointWatch = {
  activityId: string;
  aliasId: string;
  sinceMs: number;
  fromFleetId: string | null;
  fromName: string | null;
  toFleetId: string | null;
  toName: string | null;
  newOnTarget: number;
  newOnOld: number /* stragglers */;
  liveOnOld: number;
  playersOnOld: number;
  liveOnTarget: number;
  stragglersUntilMs: number;
  settled: boolean;
  canUndo: boolean;
  series: { tMs: number; onOld: number; onTarget: number }[];
  freshness: Freshness;
};
// ---- new session presets
export type Preset = { name: string; kind: 'newSession'; body: string /* JSON of the form, the UI's own */ };
// ---- placements, queues
export type PlacementDetail = {
  placementId: string;
  status: string;
  queue: string;
  region: string;
  gameSessionId: string | null;
  gameSessionName: string | null;
  startMs: number | null;
  endMs: number | null;
  maximumPlayerSessionCount: number | null;
  ipAddress: string | null;
  dnsName: string | null;
  port: number | null;
  players: { playerId: string; playerSessionId: string | null; latencies: RegionLatency[] }[];
  events: { atMs: number; type: string; text: string }[];
  canStop: boolean;
  freshness: Freshness;
};
export type QueueDetail = {
  name: string;
  region: string;
  arn: string | null;
  timeoutSeconds: number | null;
  destinations: {
    arn: string;
    kind: 'fleet' | 'alias';
    id: string;
    name: string | null;
    fleetId: string | null;
    state: FleetState;
    sessions: number;
  }[];
  latencyPolicies: {
    maximumIndividualPlayerLatencyMs: number | null;
    policyDurationSeconds: number | null;
  }[];
  priorityOrder: string[];
  locationOrder: string[];
  allowedLocations: string[];
  notificationTarget: string | null;
  customEventData: string | null;
  history: Change[];
  freshness: Freshness;
};
// ---- matchmaking
export type MatchmakingConfigurationRow = {
  name: string;
  region: string;
  arn: string | null;
  description: string | null;
  queueArns: string[];
  requestTimeoutSeconds: number | null;
  acceptanceRequired: boolean;
  acceptanceTimeoutSeconds: number | null;
  ruleSetName: string | null;
  ruleSetBody: string | null;
  backfillMode: string | null;
  flexMatchMode: string | null;
  additionalPlayerCount: number | null;
  matches: number;
  failed: number;
  timedOut: number;
  waitP50Ms: number | null;
  waitP95Ms: number | null;
  acceptanceRate: number | null;
};
export type MatchmakingOverview = {
  configurations: MatchmakingConfigurationRow[];
  ticketsByState: { state: string; count: number }[];
  freshness: Freshness;
};
export type TicketRow = {
  ticketId: string;
  configuration: string;
  region: string;
  state: string;
  startedMs: number | null;
  updatedMs: number;
  waitMs: number | null;
  players: { playerId: string; team: string | null; accepted: boolean | null }[];
  matchId: string | null;
  gameSessionId: string | null;
  message: string | null;
};
export type TicketQuery = {
  text: string;
  configuration: string | null;
  state: string | null;
  range: Range | null;
  page: Page;
};
export type TicketPage = { rows: TicketRow[]; total: number; freshness: Freshness };
export type MatchmakingEventRow = {
  key: string;
  atMs: number;
  type: string;
  configuration: string;
  region: string;
  tickets: string[];
  players: number;
  matchId: string | null;
  text: string;
  severity: 'info' | 'warning' | 'bad';
};
export type MatchmakingEventPage = { rows: MatchmakingEventRow[]; total: number; freshness: Freshness };
export type TicketDetail = {
  row: TicketRow;
  live: boolean /* just asked of GameLift */;
  estimatedWaitSeconds: number | null;
  statusReason: string | null;
  statusMessage: string | null;
  connection: string | null;
  events: MatchmakingEventRow[];
  canAccept: boolean;
  canStop: boolean;
};
// ---- builds and scripts
export type BuildRow = {
  buildId: string;
  name: string;
  version: string | null;
  region: string;
  status: string;
  operatingSystem: string | null;
  sdkVersion: string | null;
  sizeBytes: number | null;
  createdMs: number | null;
  fleets: { fleetId: string; name: string }[];
};
export type ScriptRow = {
  scriptId: string;
  name: string;
  version: string | null;
  region: string;
  sizeBytes: number | null;
  createdMs: number | null;
  fleets: { fleetId: string; name: string }[];
  updatedMs: number | null /* newest version change seen */;
  sessionsBefore: number;
  sessionsAfter: number;
  history: Change[];
};
export type ContentList = { builds: BuildRow[]; scripts: ScriptRow[]; freshness: Freshness };
export type ZipCheck = {
  file: { path: string; sizeBytes: number; sha256: string } | null;
  entries: { name: string; sizeBytes: number }[];
  problems: string[];
  entryFile: string | null;
};
// ---- what the generated types gain
export type AppState = Omit<ReadState, 'readOnly' | 'mode'> & { mode: Mode };
export type ErrorKind = ReadErrorKind | 'readOnly' | 'moved' | 'notTyped' | 'expired';
export type ErrorField = { item: number; field: string; message: string };
export type AppError = Omit<ReadError, 'kind' | 'fields'> & { kind: ErrorKind; fields: ErrorField[] };
export type Subject = ReadSubject | 'activity';
export type Changed = Omit<ReadChanged, 'subjects'> & { subjects: Subject[] };
export type SessionLog = 'available' | 'kept' | 'gone' | 'notYet';
export type SessionDetail = Omit<ReadSessionDetail, 'log' | 'placementId'> & {
  log: SessionLog;
  placementId: string | null;
};
