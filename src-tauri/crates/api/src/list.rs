// The only list of commands.
//
// Everything that needs all of them is generated from it: the dispatcher, the typed client, the TypeScript calls, the
// window's permissions and the table in COMMANDS.md. A line gives the kind, name, arguments and answer, then the
// subjects whose changes make the answer stale. The build script includes this file as text: keep it a single macro.

/// Passes every command to a macro, as `kind name(argument: Type, …) -> Answer [Subject …];` preceded by its
/// documentation. The types are those of [`crate::types`].
#[macro_export]
macro_rules! commands {
    ($then:path) => { $then! {
        /// The state of the program. Waits while a connection is being opened.
        read app_state() -> AppState [Settings];
        /// Saves the settings and applies them to the open connection.
        setting settings_save(settings: Settings) -> AppState [];

        /// The profiles of the shared AWS configuration.
        read profile_list() -> Vec<AwsProfile> [];
        /// Checks what a connection is allowed to do, without saving it.
        read connection_check(draft: ConnectionDraft) -> ConnectionCheck [];
        /// Saves a new connection, or updates the one with this id.
        setting connection_save(id: Option<String>, draft: ConnectionDraft) -> AppState [];
        /// Opens a connection, after closing the one that is open.
        setting connection_open(id: String) -> AppState [];
        /// Deletes a connection. Its database is kept.
        setting connection_delete(id: String) -> AppState [];
        /// Imports a connection file from a colleague.
        setting connection_import(json: String) -> AppState [];
        /// Exports a connection as a file for a colleague. The file contains no secret.
        read connection_export(id: String) -> String [];
        /// Opens the built-in demo, with the default scenario if none is named.
        setting demo_open(scenario: Option<String>) -> AppState [];

        /// Unlocks the open connection for 5 to 480 minutes. For a production connection its name must be typed.
        change guard_unlock(minutes: u32, typed: Option<String>) -> AppState [];
        /// Makes the open connection read-only at once.
        change guard_lock() -> AppState [];

        /// The state of data collection.
        read health_get() -> Health [Health];
        /// Tells the collector what is on screen, so that it polls that first.
        read focus_set(focus: Focus) -> () [];
        /// Retries at once instead of waiting for the pause to end.
        read retry_now() -> () [];

        /// The Overview screen.
        read overview_get(range: TimeRange) -> Overview [Fleets Capacity GameSessions PlayerSessions Placements Matchmaking Events Changes Metrics Activity Alerts Aliases Queues Health];
        /// Alerts that are open, and those that fired at some time in a range.
        read alert_list(range: TimeRange) -> AlertList [Alerts Fleets Capacity GameSessions PlayerSessions Placements Aliases Queues];
        /// One alert with its course.
        read alert_get(id: AlertId) -> AlertStory [Alerts];
        /// Records that somebody has taken note of an alert.
        setting alert_acknowledge(id: AlertId) -> AlertStory [];
        /// Adds a note to an alert.
        setting alert_note(id: AlertId, text: String) -> AlertStory [];
        /// The rules that alerts come from: ready-made ones with what is set about each, then those of one's own.
        read rule_list() -> Vec<RuleListed> [Alerts Fleets];
        /// Tries a setting of a rule on the alerts of the past, without saving it.
        read rule_try(trial: RuleTrial) -> RuleTried [];
        /// Switches a rule off, or sets how long it waits or how severe it is, for everything or for one Region or fleet.
        setting rule_put(setting: RuleSetting) -> Vec<RuleListed> [];
        /// Forgets what is set about a rule for everything or for one Region or fleet.
        setting rule_reset(rule: String, scope: RuleScope) -> Vec<RuleListed> [];
        /// Tries a rule of one's own on the stored past, without saving it.
        read custom_rule_try(trial: CustomRuleTrial) -> CustomTried [];
        /// Saves a rule of one's own, in the place of another if the draft says so.
        setting custom_rule_put(draft: CustomRuleDraft) -> Vec<RuleListed> [];
        /// Deletes a rule of one's own. Its alerts end.
        setting custom_rule_remove(name: String) -> Vec<RuleListed> [];
        /// The channels that alerts are told on, with how delivery goes.
        read channel_list() -> Vec<ChannelState> [Alerts];
        /// Saves a channel, replacing any channel of the same name. It names where its secret is found and holds none.
        setting channel_put(channel: Channel) -> Vec<ChannelState> [];
        /// Deletes a channel with what waits for it.
        setting channel_remove(name: String) -> Vec<ChannelState> [];
        /// Sends a test message to a channel in the way of every other, and waits for its end.
        setting channel_test(name: String) -> ChannelTest [];
        /// Silences, those of runs included.
        read silence_list() -> SilenceList [Alerts Activity];
        /// Silences alerts for a while: they are shown, but not told.
        setting silence_add(draft: SilenceDraft) -> SilenceList [];
        /// Ends a silence early.
        setting silence_end(id: SilenceId) -> SilenceList [];
        /// An alert, or any span of time, as one story: its course, lanes over one time axis, likely causes, who was
        /// hit, and what is offered.
        read incident_get(of: IncidentOf) -> Incident [Alerts Fleets Capacity GameSessions PlayerSessions Placements Matchmaking Events Changes Aliases Queues Activity Metrics];
        /// One page of the players hit by an incident, those hit last first.
        read incident_players(of: IncidentOf, page: Page) -> Listed<HitPlayer> [Alerts GameSessions PlayerSessions];
        /// One page of what happened in an incident, newest first.
        read incident_evidence(of: IncidentOf, filter: EvidenceFilter, page: Page) -> Listed<EvidenceLine> [Alerts GameSessions Placements Matchmaking Events Changes Aliases Activity];
        /// An incident as one file: a page without scripts, Markdown, or JSON.
        file incident_save(of: IncidentOf, format: ReportFormat) -> File [];
        /// Adds a note to a span of time, where everybody who opens the same span sees it.
        setting span_note(scope: IncidentScope, range: TimeRange, text: String) -> () [];
        /// Finds resources whose name or id matches.
        read goto(text: String) -> Vec<Found> [];

        /// All fleets, with their utilization over the range. If the range is over, with the figures of its end.
        read fleet_list(range: TimeRange) -> FleetList [Fleets Capacity GameSessions Aliases Queues];
        /// One fleet.
        read fleet_get(fleet_id: FleetId) -> FleetDetail [Fleets Capacity GameSessions Changes];
        /// The computes of a fleet.
        read fleet_instances(fleet_id: FleetId) -> InstanceList [Fleets Capacity GameSessions];
        /// The events of a fleet, newest first.
        read fleet_events(fleet_id: FleetId, range: Option<TimeRange>, page: Page) -> Listed<FleetEventRow> [Events];
        /// How a fleet scaled during a range.
        read fleet_scaling(fleet_id: FleetId, range: TimeRange) -> FleetScaling [Capacity Events Changes Activity];
        /// Raw bytes, a `Float64Array [rows, columns, b1 …, t[rows] (epoch seconds), c1[rows] …, low1[rows], high1[rows] …]`:
        /// NaN is a gap; b is 1 for a column that has a band of the lowest and highest value in each bucket.
        read series_read(request: SeriesRequest) -> Columns [Metrics Capacity Placements Matchmaking];
        /// What was usual over the range of a request, in the same form as `series_read` but with its own times: the
        /// median, and as its band what is usual. NaN while too little is known.
        read usual_read(request: SeriesRequest) -> Columns [Metrics];
        /// Every metric that CloudWatch has of a fleet, one of its locations or a metric group.
        read metric_list(of: MetricsOf) -> MetricList [Metrics];
        /// Values of metrics by the keys of `metric_list`, in the same form as `series_read`: as CloudWatch tells them, and
        /// only of the times at which they were on screen or collected anyway.
        read metric_read(request: MetricsRequest) -> Columns [Metrics];
        /// The scaling chart of a fleet as a file.
        file chart_save(request: ChartSave) -> File [];

        /// One page of the game sessions that match a query.
        read session_list(query: SessionQuery) -> Listed<GameSessionRow> [GameSessions];
        /// Runs GameLift's own search. The results are stored in the database and listed by the number this returns.
        read session_search(query: SearchQuery) -> SearchFound [];
        /// Checks the filter and sort expressions of a search against GameLift's grammar.
        read search_check(filter: String, sort: String) -> SearchCheck [];
        /// One game session.
        read session_get(game_session_id: GameSessionId) -> SessionDetail [GameSessions PlayerSessions Placements];
        /// What is different about the game sessions that match a query, against the rest: by fleet, build, location,
        /// properties and more.
        read session_difference(query: SessionDifferenceQuery) -> Differences [GameSessions Placements Fleets Builds];
        /// Saves the log of an ended game session as a file. A copy stays beside the connection's database, because
        /// AWS keeps the log for only 14 days.
        file session_log_save(game_session_id: GameSessionId) -> File [];
        /// Whether a query parses, and completions at the caret.
        read query_check(text: String, caret: u32) -> QueryCheck [];
        /// What the game attached to the players of a game session (`PlayerData`): personal data, in no other answer.
        read player_data_list(game_session_id: GameSessionId) -> Vec<PlayerData> [PlayerSessions];
        /// Finds players by id or id prefix, with the game sessions they were seen in, newest first.
        read player_search(text: String, page: Page) -> Listed<PlayerHit> [PlayerSessions];
        /// Everything recorded about one player, newest first: game sessions, placements and tickets with how they
        /// ended, latencies, and who else was there. Empty if the player was never seen.
        read player_get(player_id: PlayerId) -> PlayerDossier [PlayerSessions GameSessions Placements Matchmaking];
        /// Asks GameLift in every Region for all sessions of a player, within the request budget. What it answers is
        /// stored in the database.
        read player_look_up(player_id: PlayerId) -> Vec<PlayerAsked> [];
        /// Asks GameLift in every Region for a player session, and returns its player. What it answers is stored in the
        /// database.
        read player_session_look_up(player_session_id: PlayerSessionId) -> PlayerId [];

        /// One page of placements, newest first, with statistics over the whole range.
        read placement_list(query: PlacementRequest) -> PlacementPage [Placements];
        /// The placements of a range grouped by queue, Region or destination: how those in each group ended and how
        /// long they took.
        read placement_split(scope: PlacementScope, split: PlacementSplit, range: TimeRange) -> PlacementGroups [Placements];
        /// What is different about the placements that failed or timed out, against the rest; with `span`, about those
        /// that ended in it.
        read placement_difference(scope: PlacementScope, range: TimeRange, span: Option<TimeRange>) -> Differences [Placements Queues];
        /// One placement with its history. GameLift is asked for its current state, because GameLift cannot list
        /// placements.
        read placement_get(placement_id: PlacementId) -> PlacementDetail [Placements Activity];

        /// All queues of the connection.
        read queue_list() -> Vec<QueueRow> [Queues];
        /// One queue with all its settings, the state of its destinations, and its history.
        read queue_get(name: QueueName, region: Region) -> QueueDetail [Queues Changes GameSessions Fleets Activity];

        /// All matchmaking configurations with statistics of their matches, and the number of tickets in each state.
        read matchmaking_get(range: TimeRange) -> MatchmakingOverview [Matchmaking Activity];
        /// One page of FlexMatch events, newest first.
        read matchmaking_events(configuration: Option<String>, range: Option<TimeRange>, page: Page) -> Listed<MatchmakingEventRow> [Matchmaking];
        /// One page of tickets, newest first.
        read ticket_list(query: TicketRequest) -> Listed<TicketRow> [Matchmaking];
        /// What is different about the tickets that failed or timed out, against the rest; with `span`, about those that
        /// ended in it.
        read ticket_difference(scope: TicketScope, range: TimeRange, span: Option<TimeRange>) -> Differences [Matchmaking];
        /// One ticket with its history. GameLift is asked for its current state, because GameLift cannot list
        /// tickets.
        read ticket_get(ticket_id: TicketId, region: Region) -> TicketDetail [Matchmaking Activity];

        /// All aliases of the connection, with the history of the fleets they pointed to.
        read alias_list() -> Vec<AliasRow> [Aliases Fleets GameSessions Changes Activity];
        /// Compares the fleet an alias points to with the fleet it would point to.
        read repoint_compare(alias_id: AliasId, fleet_id: FleetId) -> RepointComparison [Fleets Capacity];
        /// The progress of a repoint: where new game sessions start, and what is left on the old fleet.
        read repoint_watch(activity_id: ActivityId) -> RepointWatch [Aliases GameSessions PlayerSessions Activity];

        /// All builds and scripts, with the fleets that run them.
        read content_list() -> ContentList [Builds Fleets GameSessions Activity];
        /// Checks the zip file of a script and lists its contents. The path is on the computer that Liftdeck runs on.
        read script_zip_check(path: String) -> Archive [];

        /// Inspects an event queue of the connection and deletes nothing. Inspecting counts as a delivery of the
        /// messages seen, so if a dead-letter rule counts deliveries, messages are read only with `anyway`.
        read feed_look(url: String, anyway: bool) -> QueueLook [];
        /// Adopts the event queue inspected last. Messages that are not this account's are set aside or stay in the
        /// queue.
        setting feed_adopt(url: String, set_aside: bool, typed: Option<String>) -> () [];
        /// Releases an adopted event queue. From then on its messages are left alone.
        setting feed_release(url: String) -> () [];
        /// The adopted event queues.
        read feed_list() -> Vec<Adoption> [Health];
        /// Messages that were set aside, newest first; with `below`, only those with a lower key.
        read feed_aside(below: Option<i64>) -> Vec<AsideMessage> [Health];

        /// Checks whether a change has the form AWS requires. Sends nothing.
        read action_check(action: Action) -> ActionCheck [];
        /// Previews a change. Sends no change, and works while the connection is read-only.
        read action_preview(intent: Intent) -> Preview [];
        /// Carries out exactly what a preview shows, or nothing.
        change action_confirm(preview_id: PreviewId, typed: Option<String>) -> Confirmed [];

        /// One page of attempted changes, newest first.
        read activity_list(query: ActivityRequest) -> ActivityPage [Activity GameSessions];
        /// One attempted change.
        read activity_get(id: ActivityId) -> ActivityRow [Activity GameSessions];
        /// Asks AWS what became of an attempted change that got no answer.
        change activity_settle(id: ActivityId) -> ActivityRow [];
        /// Exports the matching attempted changes as a file.
        file activity_export(query: ActivityRequest, format: Format) -> File [];

        /// Runs, newest first; with `open_only`, only those that may still continue.
        read run_list(open_only: bool) -> Vec<Run> [Activity];
        /// One run.
        read run_get(id: RunId) -> Run [Activity];
        /// Pauses a run. Returns when the changes in progress have been answered.
        change run_pause(id: RunId) -> Run [];
        /// Stops a run before its last item.
        change run_stop(id: RunId) -> Run [];

        /// All presets for new game sessions, by name.
        read preset_list() -> Vec<Preset> [Settings];
        /// Saves a preset, replacing any preset of the same name.
        setting preset_save(preset: Preset) -> Vec<Preset> [];
        /// Deletes a preset.
        setting preset_delete(name: String) -> Vec<Preset> [];
    } };
}
