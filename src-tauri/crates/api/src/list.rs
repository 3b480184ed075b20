// The one list of commands.
//
// Everything that has to know all of them is made from it: the dispatcher, the typed client, the TypeScript calls, the
// window's permissions and the table of the documents. A line reads: what kind, name, arguments, answer, and the
// subjects whose movement makes the answer old. The build script includes this file as text: keep it a single macro.

/// Hands every command to a macro, as `kind name(argument: Type, …) -> Answer [Subject …];` below its documentation.
/// The types are those of [`crate::types`].
#[macro_export]
macro_rules! commands {
    ($then:path) => { $then! {
        /// The state of the program. While a connection is being opened it waits for the outcome.
        read app_state() -> AppState [Settings];
        /// Keeps the settings and applies them to what is running.
        setting settings_save(settings: Settings) -> AppState [];

        /// The profiles of the shared AWS configuration.
        read profile_list() -> Vec<AwsProfile> [];
        /// Tries what a connection may do, without saving it.
        read connection_check(draft: ConnectionDraft) -> ConnectionCheck [];
        /// Saves a new connection, or the one with this id.
        setting connection_save(id: Option<String>, draft: ConnectionDraft) -> AppState [];
        /// Opens a connection; what was open is closed first.
        setting connection_open(id: String) -> AppState [];
        /// Forgets a connection. Its database stays.
        setting connection_delete(id: String) -> AppState [];
        /// Takes a connection file from a colleague.
        setting connection_import(json: String) -> AppState [];
        /// A connection as a file for a colleague; it holds no secret.
        read connection_export(id: String) -> String [];
        /// Opens the built-in demo; the default scenario when none is named.
        setting demo_open(scenario: Option<String>) -> AppState [];

        /// Unlocks the open connection for some minutes (5 to 480); a production connection asks for its name to be typed.
        change guard_unlock(minutes: u32, typed: Option<String>) -> AppState [];
        /// Makes the open connection read-only at once.
        change guard_lock() -> AppState [];

        /// How collection goes.
        read health_get() -> Health [Health];
        /// What is on screen now, so that the collector asks for it first.
        read focus_set(focus: Focus) -> () [];
        /// Asks again at once instead of waiting out the pause.
        read retry_now() -> () [];

        /// The Overview screen.
        read overview_get(range: TimeRange) -> Overview [Fleets Capacity GameSessions PlayerSessions Placements Matchmaking Events Changes Metrics Activity];
        /// Places whose name or id matches.
        read goto(text: String) -> Vec<Found> [];

        /// All fleets, with their utilization over the three hours up to the end of the range.
        read fleet_list(range: TimeRange) -> FleetList [Fleets Capacity GameSessions Aliases Queues];
        /// One fleet.
        read fleet_get(fleet_id: FleetId) -> FleetDetail [Fleets Capacity GameSessions Changes];
        /// The computes of a fleet.
        read fleet_instances(fleet_id: FleetId) -> InstanceList [Fleets Capacity GameSessions];
        /// The events of a fleet, newest first.
        read fleet_events(fleet_id: FleetId, range: Option<TimeRange>, page: Page) -> Listed<FleetEventRow> [Events];
        /// How a fleet scaled.
        read fleet_scaling(fleet_id: FleetId, range: TimeRange) -> FleetScaling [Capacity Events Changes Activity];
        /// Raw bytes, a `Float64Array [rows, columns, b1 …, t[rows] (epoch seconds), c1[rows] …, low1[rows], high1[rows] …]`:
        /// NaN = gap, b is 1 where a column has a band of the lowest and highest inside each bucket.
        read series_read(request: SeriesRequest) -> Columns [Metrics Capacity];
        /// The scaling chart of a fleet as a file.
        file chart_save(request: ChartSave) -> File [];

        /// A window onto game sessions.
        read session_list(query: SessionQuery) -> Listed<GameSessionRow> [GameSessions];
        /// Asks GameLift's own search; what it finds is kept in the database and listed by its number.
        read session_search(query: SearchQuery) -> SearchFound [];
        /// What GameLift would not understand of a search.
        read search_check(filter: String, sort: String) -> SearchCheck [];
        /// One game session.
        read session_get(game_session_id: GameSessionId) -> SessionDetail [GameSessions PlayerSessions Placements];
        /// The log of an ended game session as a file. It is also kept beside the connection's database: AWS keeps it
        /// for 14 days.
        file session_log_save(game_session_id: GameSessionId) -> File [];
        /// Whether a query parses, and completions at the caret.
        read query_check(text: String, caret: u32) -> QueryCheck [];
        /// Players by id or prefix, with the sessions they were seen in, newest first.
        read player_search(text: String, page: Page) -> Listed<PlayerHit> [PlayerSessions];

        /// A window onto placements, newest first, with figures over all of the range.
        read placement_list(query: PlacementQuery) -> PlacementPage [Placements];
        /// The placements of a range split by queue, Region or destination: how each part ended and how long it took.
        read placement_split(scope: PlacementScope, split: PlacementSplit, range: TimeRange) -> PlacementGroups [Placements];
        /// One placement with its story; GameLift is asked how it stands, because it lists none.
        read placement_get(placement_id: PlacementId) -> PlacementDetail [Placements Activity];

        /// All queues of the connection.
        read queue_list() -> Vec<QueueRow> [Queues];
        /// One queue with all its settings, how its destinations stand, and its history.
        read queue_get(name: QueueName, region: Region) -> QueueDetail [Queues Changes GameSessions Fleets Activity];

        /// All configurations with how their matches went, and how tickets stand.
        read matchmaking_get(range: TimeRange) -> MatchmakingOverview [Matchmaking Activity];
        /// A window onto FlexMatch events, newest first.
        read matchmaking_events(configuration: Option<String>, range: Option<TimeRange>, page: Page) -> Listed<MatchmakingEventRow> [Matchmaking];
        /// A window onto tickets, newest first.
        read ticket_list(query: TicketQuery) -> Listed<TicketRow> [Matchmaking];
        /// One ticket with its story; GameLift is asked how it stands, because it lists none.
        read ticket_get(ticket_id: TicketId, region: Region) -> TicketDetail [Matchmaking Activity];

        /// All aliases of the connection, with the history of where they led.
        read alias_list() -> Vec<AliasRow> [Aliases Fleets GameSessions Changes Activity];
        /// The fleet an alias leads to beside the one it would.
        read repoint_compare(alias_id: AliasId, fleet_id: FleetId) -> RepointComparison [Fleets Capacity];
        /// What happens after a repoint.
        read repoint_watch(activity_id: ActivityId) -> RepointWatch [Aliases GameSessions PlayerSessions Activity];

        /// What fleets run.
        read content_list() -> ContentList [Builds Fleets GameSessions Activity];
        /// What is in a zip of a script; the path is one of the computer Liftdeck runs on.
        read script_zip_check(path: String) -> Archive [];

        /// Looks at an event queue of the connection; deletes nothing. Each look is a delivery to the messages looked
        /// at, so where a dead-letter rule counts those it has to be asked for with `anyway`.
        read feed_look(url: String, anyway: bool) -> QueueLook [];
        /// Adopts the event queue that was looked at last. What is not this account's is set aside or stays in the queue.
        setting feed_adopt(url: String, set_aside: bool, typed: Option<String>) -> () [];
        /// Gives an adopted event queue up: its messages are left alone from then on.
        setting feed_release(url: String) -> () [];
        /// The event queues that are adopted.
        read feed_list() -> Vec<Adoption> [Health];
        /// Messages that were set aside, newest first, below a key.
        read feed_aside(below: Option<i64>) -> Vec<AsideMessage> [Health];

        /// Whether a change has the form AWS asks for; nothing is asked of anybody.
        read action_check(action: Action) -> ActionCheck [];
        /// What would happen; sends no change, and works while read-only.
        read action_preview(intent: Intent) -> Preview [];
        /// Does what a preview says, exactly that or nothing.
        change action_confirm(preview_id: PreviewId, typed: Option<String>) -> Confirmed [];

        /// A window onto attempts, newest first.
        read activity_list(query: ActivityQuery) -> ActivityPage [Activity GameSessions];
        /// One attempt.
        read activity_get(id: ActivityId) -> ActivityRow [Activity GameSessions];
        /// Asks AWS what became of an attempt without an answer.
        change activity_settle(id: ActivityId) -> ActivityRow [];
        /// The attempts that match as a file.
        file activity_export(query: ActivityQuery, format: ActivityFormat) -> File [];

        /// Runs, newest first; only those that may still go on when `open_only`.
        read run_list(open_only: bool) -> Vec<Run> [Activity];
        /// One run.
        read run_get(id: RunId) -> Run [Activity];
        /// Pauses a run once the changes under way have their answers.
        change run_pause(id: RunId) -> Run [];
        /// Ends a run before its last item.
        change run_stop(id: RunId) -> Run [];

        /// All presets of new sessions, by name.
        read preset_list() -> Vec<Preset> [Settings];
        /// Keeps a preset; one of the same name is replaced.
        setting preset_save(preset: Preset) -> Vec<Preset> [];
        /// Forgets a preset.
        setting preset_delete(name: String) -> Vec<Preset> [];
    } };
}
