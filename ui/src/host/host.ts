/**
 * Owns the shape of the host: every command and event the UI may use. Two things implement it: the program
 * (`tauri.ts`) and an invented world for development and tests (`fake.ts`). Nothing else in the UI knows which.
 */
import type {
  Action,
  ActivityPage,
  ActivityQuery,
  ActivityRow,
  AliasRow,
  AppState,
  AsideMessage,
  AwsProfile,
  Changed,
  ChartSave,
  ConnectionCheck,
  Confirmed,
  ConnectionDraft,
  ContentList,
  FieldError,
  FleetDetail,
  FleetEventPage,
  FleetList,
  FleetScaling,
  GotoHit,
  Health,
  InstanceList,
  Intent,
  MatchmakingEventPage,
  MatchmakingOverview,
  Overview,
  Page,
  PlacementDetail,
  PlacementGroups,
  PlacementPage,
  PlacementQuery,
  PlacementScope,
  PlacementSplit,
  PlayerPage,
  Preset,
  Preview,
  QueryCheck,
  QueueDetail,
  QueueLook,
  QueueRow,
  Range,
  RepointComparison,
  RepointWatch,
  Run,
  ScreenFocus,
  SeriesRequest,
  SearchCheck,
  SearchFound,
  SearchQuery,
  SessionDetail,
  SessionPage,
  SessionQuery,
  Settings,
  TicketDetail,
  TicketPage,
  TicketQuery,
  ZipCheck,
} from './bindings.gen';

export type Unsubscribe = () => void;

/** Every command rejects with an `AppError`. */
export interface Host extends ReadHost, OperateHost, SubjectHost {
  /** Draws everything larger or smaller by a factor, as a browser's zoom does: the layout gets the room that is left. */
  zoomSet(factor: number): Promise<void>;
}

/** What reads, and what concerns only this program. */
export interface ReadHost {
  appState(): Promise<AppState>;
  settingsSave(settings: Settings): Promise<AppState>;
  profileList(): Promise<AwsProfile[]>;
  connectionCheck(draft: ConnectionDraft): Promise<ConnectionCheck>;
  connectionSave(id: string | null, draft: ConnectionDraft): Promise<AppState>;
  connectionOpen(id: string): Promise<AppState>;
  connectionDelete(id: string): Promise<AppState>;
  connectionImport(json: string): Promise<AppState>;
  connectionExport(id: string): Promise<string>;
  demoOpen(scenario: string | null): Promise<AppState>;
  /** Looks at an event queue; each look is a delivery to the messages looked at, none is deleted. */
  feedLook(url: string, anyway: boolean): Promise<QueueLook>;
  /** Adopts the queue that was looked at last. */
  feedAdopt(url: string, setAside: boolean, typed: string | null): Promise<null>;
  feedRelease(url: string): Promise<null>;
  /** What was set aside, newest first, below a key. */
  feedAside(below: number | null): Promise<AsideMessage[]>;
  healthGet(): Promise<Health>;
  /** What is on screen now, so that the collector asks for it first. */
  focusSet(focus: ScreenFocus): Promise<null>;
  retryNow(): Promise<null>;
  overviewGet(range: Range): Promise<Overview>;
  fleetList(range: Range): Promise<FleetList>;
  fleetGet(fleetId: string): Promise<FleetDetail>;
  fleetInstances(fleetId: string): Promise<InstanceList>;
  fleetEvents(fleetId: string, range: Range | null, page: Page): Promise<FleetEventPage>;
  fleetScaling(fleetId: string, range: Range): Promise<FleetScaling>;
  /** Raw columns; `lib/series` reads them. */
  seriesRead(request: SeriesRequest): Promise<ArrayBuffer>;
  /** Resolves with the path written, null when the person cancelled. */
  chartSave(request: ChartSave): Promise<string | null>;
  sessionList(query: SessionQuery): Promise<SessionPage>;
  /** Sends a search to GameLift; `sessionList` lists what it found by its number. */
  sessionSearch(query: SearchQuery): Promise<SearchFound>;
  searchCheck(filter: string, sort: string): Promise<SearchCheck>;
  sessionGet(gameSessionId: string): Promise<SessionDetail>;
  queryCheck(text: string, caret: number): Promise<QueryCheck>;
  playerSearch(text: string, page: Page): Promise<PlayerPage>;
  placementList(query: PlacementQuery): Promise<PlacementPage>;
  placementSplit(scope: PlacementScope, split: PlacementSplit, range: Range): Promise<PlacementGroups>;
  queueList(): Promise<QueueRow[]>;
  aliasList(): Promise<AliasRow[]>;
  goto(text: string): Promise<GotoHit[]>;

  /** At most four a second, under 1 KB: what moved, not the data itself. */
  onChanged(listener: (changed: Changed) => void): Promise<Unsubscribe>;
  /** At most one a second. */
  onHealth(listener: (health: Health) => void): Promise<Unsubscribe>;
}

/** What changes things, all of it through the guard. */
export interface OperateHost {
  /** Leave to change things for so many minutes (5 to 480); `typed` is what a production connection asks for. */
  guardUnlock(minutes: number, typed: string | null): Promise<AppState>;
  guardLock(): Promise<AppState>;
  /** The form only, nothing is asked of AWS. `command` is the equivalent line of the AWS CLI. */
  actionCheck(action: Action): Promise<{ errors: FieldError[]; command: string }>;
  /** What would happen. Sends no change, and works while read-only. */
  actionPreview(intent: Intent): Promise<Preview>;
  actionConfirm(previewId: string, typed: string | null): Promise<Confirmed>;
  activityList(query: ActivityQuery): Promise<ActivityPage>;
  activityGet(id: string): Promise<ActivityRow>;
  /** Asks AWS what became of a change whose outcome is unknown. */
  activitySettle(id: string): Promise<ActivityRow>;
  /** Resolves with the path written, null when the person cancelled. */
  activityExport(query: ActivityQuery, format: 'csv' | 'ndjson' | 'json'): Promise<string | null>;
  runList(openOnly: boolean): Promise<Run[]>;
  runGet(id: string): Promise<Run>;
  runPause(id: string): Promise<Run>;
  runStop(id: string): Promise<Run>;
  presetList(): Promise<Preset[]>;
  presetSave(preset: Preset): Promise<Preset[]>;
  presetDelete(name: string): Promise<Preset[]>;
  /** Writes the log of an ended session to a file of the person's choice; null when they cancelled. */
  sessionLogSave(gameSessionId: string): Promise<string | null>;
}

/** What the screens of aliases, queues, matchmaking and content ask. */
export interface SubjectHost {
  repointCompare(aliasId: string, fleetId: string): Promise<RepointComparison>;
  repointWatch(activityId: string): Promise<RepointWatch>;
  placementGet(placementId: string): Promise<PlacementDetail>;
  queueGet(name: string, region: string): Promise<QueueDetail>;
  matchmakingGet(range: Range): Promise<MatchmakingOverview>;
  matchmakingEvents(
    configuration: string | null,
    range: Range | null,
    page: Page,
  ): Promise<MatchmakingEventPage>;
  ticketList(query: TicketQuery): Promise<TicketPage>;
  ticketGet(ticketId: string, region: string): Promise<TicketDetail>;
  contentList(): Promise<ContentList>;
  /** Opens a file dialog; null when the person cancelled. */
  scriptZipPick(): Promise<ZipCheck | null>;
}
