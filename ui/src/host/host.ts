/**
 * Owns the shape of the host: every command and event the UI may use. Two things implement it: the program
 * (`tauri.ts`) and an invented world for development and tests (`fake.ts`). Nothing else in the UI knows which.
 */
import type {
  AliasRow,
  AppState,
  AwsProfile,
  Changed,
  ChartSave,
  ConnectionCheck,
  ConnectionDraft,
  FleetDetail,
  FleetEventPage,
  FleetList,
  FleetScaling,
  GotoHit,
  Health,
  InstanceList,
  Overview,
  Page,
  PlacementPage,
  PlacementQuery,
  PlayerPage,
  QueryCheck,
  QueueRow,
  Range,
  ScreenFocus,
  SeriesRequest,
  SessionDetail,
  SessionPage,
  SessionQuery,
  Settings,
} from './bindings.gen';

export type Unsubscribe = () => void;

/** Every command rejects with an `AppError`. */
export interface Host {
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
  sessionGet(gameSessionId: string): Promise<SessionDetail>;
  queryCheck(text: string, caret: number): Promise<QueryCheck>;
  playerSearch(text: string, page: Page): Promise<PlayerPage>;
  placementList(query: PlacementQuery): Promise<PlacementPage>;
  queueList(): Promise<QueueRow[]>;
  aliasList(): Promise<AliasRow[]>;
  goto(text: string): Promise<GotoHit[]>;

  /** At most four a second, under 1 KB: what moved, not the data itself. */
  onChanged(listener: (changed: Changed) => void): Promise<Unsubscribe>;
  /** At most one a second. */
  onHealth(listener: (health: Health) => void): Promise<Unsubscribe>;
}
