// Made from src-tauri/crates/api by `cargo xtask generate`. Do not edit.


/** Sends one call to the core and returns its answer. */
export type Send = <T>(name: CommandName, args?: Record<string, unknown>) => Promise<T>;

/** Every command, over whatever carries it. */
export const createCalls = (send: Send) => ({
	/** The state of the program. Waits while a connection is being opened. */
	appState: () => send<AppState>("app_state"),
	/** Saves the settings and applies them to the open connection. */
	settingsSave: (settings: Settings) => send<AppState>("settings_save", { settings }),
	/** The profiles of the shared AWS configuration. */
	profileList: () => send<AwsProfile[]>("profile_list"),
	/** Checks what a connection is allowed to do, without saving it. */
	connectionCheck: (draft: ConnectionDraft) => send<ConnectionCheck>("connection_check", { draft }),
	/** Saves a new connection, or updates the one with this id. */
	connectionSave: (id: string | null, draft: ConnectionDraft) => send<AppState>("connection_save", { id, draft }),
	/** Opens a connection, after closing the one that is open. */
	connectionOpen: (id: string) => send<AppState>("connection_open", { id }),
	/** Deletes a connection. Its database is kept. */
	connectionDelete: (id: string) => send<AppState>("connection_delete", { id }),
	/** Imports a connection file from a colleague. */
	connectionImport: (json: string) => send<AppState>("connection_import", { json }),
	/** Exports a connection as a file for a colleague. The file contains no secret. */
	connectionExport: (id: string) => send<string>("connection_export", { id }),
	/** Opens the built-in demo, with the default scenario if none is named. */
	demoOpen: (scenario: string | null) => send<AppState>("demo_open", { scenario }),
	/** Unlocks the open connection for 5 to 480 minutes. For a production connection its name must be typed. */
	guardUnlock: (minutes: number, typed: string | null) => send<AppState>("guard_unlock", { minutes, typed }),
	/** Makes the open connection read-only at once. */
	guardLock: () => send<AppState>("guard_lock"),
	/** The state of data collection. */
	healthGet: () => send<Health>("health_get"),
	/** Tells the collector what is on screen, so that it polls that first. */
	focusSet: (focus: Focus) => send<null>("focus_set", { focus }),
	/** Retries at once instead of waiting for the pause to end. */
	retryNow: () => send<null>("retry_now"),
	/** The Overview screen. */
	overviewGet: (range: TimeRange) => send<Overview>("overview_get", { range }),
	/** Alerts that are open, and those that fired at some time in a range. */
	alertList: (range: TimeRange) => send<AlertList>("alert_list", { range }),
	/** One alert with its course. */
	alertGet: (id: AlertId) => send<AlertStory>("alert_get", { id }),
	/** Records that somebody has taken note of an alert. */
	alertAcknowledge: (id: AlertId) => send<AlertStory>("alert_acknowledge", { id }),
	/** Adds a note to an alert. */
	alertNote: (id: AlertId, text: string) => send<AlertStory>("alert_note", { id, text }),
	/** The rules that alerts come from: ready-made ones with what is set about each, then those of one's own. */
	ruleList: () => send<RuleListed[]>("rule_list"),
	/** Tries a setting of a rule on the alerts of the past, without saving it. */
	ruleTry: (trial: RuleTrial) => send<RuleTried>("rule_try", { trial }),
	/** Switches a rule off, or sets how long it waits or how severe it is, for everything or for one Region or fleet. */
	rulePut: (setting: RuleSetting) => send<RuleListed[]>("rule_put", { setting }),
	/** Forgets what is set about a rule for everything or for one Region or fleet. */
	ruleReset: (rule: string, scope: RuleScope) => send<RuleListed[]>("rule_reset", { rule, scope }),
	/** Tries a rule of one's own on the stored past, without saving it. */
	customRuleTry: (trial: CustomRuleTrial) => send<CustomTried>("custom_rule_try", { trial }),
	/** Saves a rule of one's own, in the place of another if the draft says so. */
	customRulePut: (draft: CustomRuleDraft) => send<RuleListed[]>("custom_rule_put", { draft }),
	/** Deletes a rule of one's own. Its alerts end. */
	customRuleRemove: (name: string) => send<RuleListed[]>("custom_rule_remove", { name }),
	/** The channels that alerts are told on, with how delivery goes. */
	channelList: () => send<ChannelState[]>("channel_list"),
	/** Saves a channel, replacing any channel of the same name. It names where its secret is found and holds none. */
	channelPut: (channel: Channel) => send<ChannelState[]>("channel_put", { channel }),
	/** Deletes a channel with what waits for it. */
	channelRemove: (name: string) => send<ChannelState[]>("channel_remove", { name }),
	/** Sends a test message to a channel in the way of every other, and waits for its end. */
	channelTest: (name: string) => send<ChannelTest>("channel_test", { name }),
	/** Silences, those of runs included. */
	silenceList: () => send<SilenceList>("silence_list"),
	/** Silences alerts for a while: they are shown, but not told. */
	silenceAdd: (draft: SilenceDraft) => send<SilenceList>("silence_add", { draft }),
	/** Ends a silence early. */
	silenceEnd: (id: SilenceId) => send<SilenceList>("silence_end", { id }),
	/** An alert, or any span of time, as one story: its course, lanes over one time axis, likely causes, who was hit, and what is offered. */
	incidentGet: (of: IncidentOf) => send<Incident>("incident_get", { of }),
	/** One page of the players hit by an incident, those hit last first. */
	incidentPlayers: (of: IncidentOf, page: Page) => send<Listed<HitPlayer>>("incident_players", { of, page }),
	/** One page of what happened in an incident, newest first. */
	incidentEvidence: (of: IncidentOf, filter: EvidenceFilter, page: Page) => send<Listed<EvidenceLine>>("incident_evidence", { of, filter, page }),
	/** An incident as one file: a page without scripts, Markdown, or JSON. */
	incidentSave: (of: IncidentOf, format: ReportFormat) => send<string | null>("incident_save", { of, format }),
	/** Adds a note to a span of time, where everybody who opens the same span sees it. */
	spanNote: (scope: IncidentScope, range: TimeRange, text: string) => send<null>("span_note", { scope, range, text }),
	/** Finds resources whose name or id matches. */
	goto: (text: string) => send<Found[]>("goto", { text }),
	/** All fleets, with their utilization over the range. If the range is over, with the figures of its end. */
	fleetList: (range: TimeRange) => send<FleetList>("fleet_list", { range }),
	/** One fleet. */
	fleetGet: (fleetId: FleetId) => send<FleetDetail>("fleet_get", { fleetId }),
	/** The computes of a fleet. */
	fleetInstances: (fleetId: FleetId) => send<InstanceList>("fleet_instances", { fleetId }),
	/** The events of a fleet, newest first. */
	fleetEvents: (fleetId: FleetId, range: TimeRange | null, page: Page) => send<Listed<FleetEventRow>>("fleet_events", { fleetId, range, page }),
	/** How a fleet scaled during a range. */
	fleetScaling: (fleetId: FleetId, range: TimeRange) => send<FleetScaling>("fleet_scaling", { fleetId, range }),
	/** Raw bytes, a `Float64Array [rows, columns, b1 …, t[rows] (epoch seconds), c1[rows] …, low1[rows], high1[rows] …]`: NaN is a gap; b is 1 for a column that has a band of the lowest and highest value in each bucket. */
	seriesRead: (request: SeriesRequest) => send<ArrayBuffer>("series_read", { request }),
	/** What was usual over the range of a request, in the same form as `series_read` but with its own times: the median, and as its band what is usual. NaN while too little is known. */
	usualRead: (request: SeriesRequest) => send<ArrayBuffer>("usual_read", { request }),
	/** Every metric that CloudWatch has of a fleet, one of its locations or a metric group. */
	metricList: (of: MetricsOf) => send<MetricList>("metric_list", { of }),
	/** Values of metrics by the keys of `metric_list`, in the same form as `series_read`: as CloudWatch tells them, and only of the times at which they were on screen or collected anyway. */
	metricRead: (request: MetricsRequest) => send<ArrayBuffer>("metric_read", { request }),
	/** The scaling chart of a fleet as a file. */
	chartSave: (request: ChartSave) => send<string | null>("chart_save", { request }),
	/** One page of the game sessions that match a query. */
	sessionList: (query: SessionQuery) => send<Listed<GameSessionRow>>("session_list", { query }),
	/** Runs GameLift's own search. The results are stored in the database and listed by the number this returns. */
	sessionSearch: (query: SearchQuery) => send<SearchFound>("session_search", { query }),
	/** Checks the filter and sort expressions of a search against GameLift's grammar. */
	searchCheck: (filter: string, sort: string) => send<SearchCheck>("search_check", { filter, sort }),
	/** One game session. */
	sessionGet: (gameSessionId: GameSessionId) => send<SessionDetail>("session_get", { gameSessionId }),
	/** What is different about the game sessions that match a query, against the rest: by fleet, build, location, properties and more. */
	sessionDifference: (query: SessionDifferenceQuery) => send<Differences>("session_difference", { query }),
	/** Saves the log of an ended game session as a file. A copy stays beside the connection's database, because AWS keeps the log for only 14 days. */
	sessionLogSave: (gameSessionId: GameSessionId) => send<string | null>("session_log_save", { gameSessionId }),
	/** Whether a query parses, and completions at the caret. */
	queryCheck: (text: string, caret: number) => send<QueryCheck>("query_check", { text, caret }),
	/** What the game attached to the players of a game session (`PlayerData`): personal data, in no other answer. */
	playerDataList: (gameSessionId: GameSessionId) => send<PlayerData[]>("player_data_list", { gameSessionId }),
	/** Finds players by id or id prefix, with the game sessions they were seen in, newest first. */
	playerSearch: (text: string, page: Page) => send<Listed<PlayerHit>>("player_search", { text, page }),
	/** Everything recorded about one player, newest first: game sessions, placements and tickets with how they ended, latencies, and who else was there. Empty if the player was never seen. */
	playerGet: (playerId: PlayerId) => send<PlayerDossier>("player_get", { playerId }),
	/** Asks GameLift in every Region for all sessions of a player, within the request budget. What it answers is stored in the database. */
	playerLookUp: (playerId: PlayerId) => send<PlayerAsked[]>("player_look_up", { playerId }),
	/** Asks GameLift in every Region for a player session, and returns its player. What it answers is stored in the database. */
	playerSessionLookUp: (playerSessionId: PlayerSessionId) => send<PlayerId>("player_session_look_up", { playerSessionId }),
	/** One page of placements, newest first, with statistics over the whole range. */
	placementList: (query: PlacementRequest) => send<PlacementPage>("placement_list", { query }),
	/** The placements of a range grouped by queue, Region or destination: how those in each group ended and how long they took. */
	placementSplit: (scope: PlacementScope, split: PlacementSplit, range: TimeRange) => send<PlacementGroups>("placement_split", { scope, split, range }),
	/** What is different about the placements that failed or timed out, against the rest; with `span`, about those that ended in it. */
	placementDifference: (scope: PlacementScope, range: TimeRange, span: TimeRange | null) => send<Differences>("placement_difference", { scope, range, span }),
	/** One placement with its history. GameLift is asked for its current state, because GameLift cannot list placements. */
	placementGet: (placementId: PlacementId) => send<PlacementDetail>("placement_get", { placementId }),
	/** All queues of the connection. */
	queueList: () => send<QueueRow[]>("queue_list"),
	/** One queue with all its settings, the state of its destinations, and its history. */
	queueGet: (name: QueueName, region: Region) => send<QueueDetail>("queue_get", { name, region }),
	/** All matchmaking configurations with statistics of their matches, and the number of tickets in each state. */
	matchmakingGet: (range: TimeRange) => send<MatchmakingOverview>("matchmaking_get", { range }),
	/** One page of FlexMatch events, newest first. */
	matchmakingEvents: (configuration: string | null, range: TimeRange | null, page: Page) => send<Listed<MatchmakingEventRow>>("matchmaking_events", { configuration, range, page }),
	/** One page of tickets, newest first. */
	ticketList: (query: TicketRequest) => send<Listed<TicketRow>>("ticket_list", { query }),
	/** What is different about the tickets that failed or timed out, against the rest; with `span`, about those that ended in it. */
	ticketDifference: (scope: TicketScope, range: TimeRange, span: TimeRange | null) => send<Differences>("ticket_difference", { scope, range, span }),
	/** One ticket with its history. GameLift is asked for its current state, because GameLift cannot list tickets. */
	ticketGet: (ticketId: TicketId, region: Region) => send<TicketDetail>("ticket_get", { ticketId, region }),
	/** All aliases of the connection, with the history of the fleets they pointed to. */
	aliasList: () => send<AliasRow[]>("alias_list"),
	/** Compares the fleet an alias points to with the fleet it would point to. */
	repointCompare: (aliasId: AliasId, fleetId: FleetId) => send<RepointComparison>("repoint_compare", { aliasId, fleetId }),
	/** The progress of a repoint: where new game sessions start, and what is left on the old fleet. */
	repointWatch: (activityId: ActivityId) => send<RepointWatch>("repoint_watch", { activityId }),
	/** All builds and scripts, with the fleets that run them. */
	contentList: () => send<ContentList>("content_list"),
	/** Checks the zip file of a script and lists its contents. The path is on the computer that Liftdeck runs on. */
	scriptZipCheck: (path: string) => send<Archive>("script_zip_check", { path }),
	/** Inspects an event queue of the connection and deletes nothing. Inspecting counts as a delivery of the messages seen, so if a dead-letter rule counts deliveries, messages are read only with `anyway`. */
	feedLook: (url: string, anyway: boolean) => send<QueueLook>("feed_look", { url, anyway }),
	/** Adopts the event queue inspected last. Messages that are not this account's are set aside or stay in the queue. */
	feedAdopt: (url: string, setAside: boolean, typed: string | null) => send<null>("feed_adopt", { url, setAside, typed }),
	/** Releases an adopted event queue. From then on its messages are left alone. */
	feedRelease: (url: string) => send<null>("feed_release", { url }),
	/** The adopted event queues. */
	feedList: () => send<Adoption[]>("feed_list"),
	/** Messages that were set aside, newest first; with `below`, only those with a lower key. */
	feedAside: (below: number | null) => send<AsideMessage[]>("feed_aside", { below }),
	/** Checks whether a change has the form AWS requires. Sends nothing. */
	actionCheck: (action: Action) => send<ActionCheck>("action_check", { action }),
	/** Previews a change. Sends no change, and works while the connection is read-only. */
	actionPreview: (intent: Intent) => send<Preview>("action_preview", { intent }),
	/** Carries out exactly what a preview shows, or nothing. */
	actionConfirm: (previewId: PreviewId, typed: string | null) => send<Confirmed>("action_confirm", { previewId, typed }),
	/** One page of attempted changes, newest first. */
	activityList: (query: ActivityRequest) => send<ActivityPage>("activity_list", { query }),
	/** One attempted change. */
	activityGet: (id: ActivityId) => send<ActivityRow>("activity_get", { id }),
	/** Asks AWS what became of an attempted change that got no answer. */
	activitySettle: (id: ActivityId) => send<ActivityRow>("activity_settle", { id }),
	/** Exports the matching attempted changes as a file. */
	activityExport: (query: ActivityRequest, format: Format) => send<string | null>("activity_export", { query, format }),
	/** Runs, newest first; with `open_only`, only those that may still continue. */
	runList: (openOnly: boolean) => send<Run[]>("run_list", { openOnly }),
	/** One run. */
	runGet: (id: RunId) => send<Run>("run_get", { id }),
	/** Pauses a run. Returns when the changes in progress have been answered. */
	runPause: (id: RunId) => send<Run>("run_pause", { id }),
	/** Stops a run before its last item. */
	runStop: (id: RunId) => send<Run>("run_stop", { id }),
	/** All presets for new game sessions, by name. */
	presetList: () => send<Preset[]>("preset_list"),
	/** Saves a preset, replacing any preset of the same name. */
	presetSave: (preset: Preset) => send<Preset[]>("preset_save", { preset }),
	/** Deletes a preset. */
	presetDelete: (name: string) => send<Preset[]>("preset_delete", { name }),
});

export type Calls = ReturnType<typeof createCalls>;

/** What each command does to the world. */
export const kinds = {
	app_state: "read",
	settings_save: "setting",
	profile_list: "read",
	connection_check: "read",
	connection_save: "setting",
	connection_open: "setting",
	connection_delete: "setting",
	connection_import: "setting",
	connection_export: "read",
	demo_open: "setting",
	guard_unlock: "change",
	guard_lock: "change",
	health_get: "read",
	focus_set: "read",
	retry_now: "read",
	overview_get: "read",
	alert_list: "read",
	alert_get: "read",
	alert_acknowledge: "setting",
	alert_note: "setting",
	rule_list: "read",
	rule_try: "read",
	rule_put: "setting",
	rule_reset: "setting",
	custom_rule_try: "read",
	custom_rule_put: "setting",
	custom_rule_remove: "setting",
	channel_list: "read",
	channel_put: "setting",
	channel_remove: "setting",
	channel_test: "setting",
	silence_list: "read",
	silence_add: "setting",
	silence_end: "setting",
	incident_get: "read",
	incident_players: "read",
	incident_evidence: "read",
	incident_save: "file",
	span_note: "setting",
	goto: "read",
	fleet_list: "read",
	fleet_get: "read",
	fleet_instances: "read",
	fleet_events: "read",
	fleet_scaling: "read",
	series_read: "read",
	usual_read: "read",
	metric_list: "read",
	metric_read: "read",
	chart_save: "file",
	session_list: "read",
	session_search: "read",
	search_check: "read",
	session_get: "read",
	session_difference: "read",
	session_log_save: "file",
	query_check: "read",
	player_data_list: "read",
	player_search: "read",
	player_get: "read",
	player_look_up: "read",
	player_session_look_up: "read",
	placement_list: "read",
	placement_split: "read",
	placement_difference: "read",
	placement_get: "read",
	queue_list: "read",
	queue_get: "read",
	matchmaking_get: "read",
	matchmaking_events: "read",
	ticket_list: "read",
	ticket_difference: "read",
	ticket_get: "read",
	alias_list: "read",
	repoint_compare: "read",
	repoint_watch: "read",
	content_list: "read",
	script_zip_check: "read",
	feed_look: "read",
	feed_adopt: "setting",
	feed_release: "setting",
	feed_list: "read",
	feed_aside: "read",
	action_check: "read",
	action_preview: "read",
	action_confirm: "change",
	activity_list: "read",
	activity_get: "read",
	activity_settle: "change",
	activity_export: "file",
	run_list: "read",
	run_get: "read",
	run_pause: "change",
	run_stop: "change",
	preset_list: "read",
	preset_save: "setting",
	preset_delete: "setting",
} as const;

export type CommandName = keyof typeof kinds;

/** Subjects whose movement makes an answer old. */
export const subjects: Record<CommandName, readonly Subject[]> = {
	app_state: ["settings"],
	settings_save: [],
	profile_list: [],
	connection_check: [],
	connection_save: [],
	connection_open: [],
	connection_delete: [],
	connection_import: [],
	connection_export: [],
	demo_open: [],
	guard_unlock: [],
	guard_lock: [],
	health_get: ["health"],
	focus_set: [],
	retry_now: [],
	overview_get: ["fleets", "capacity", "gameSessions", "playerSessions", "placements", "matchmaking", "events", "changes", "metrics", "activity", "alerts", "aliases", "queues", "health"],
	alert_list: ["alerts", "fleets", "capacity", "gameSessions", "playerSessions", "placements", "aliases", "queues"],
	alert_get: ["alerts"],
	alert_acknowledge: [],
	alert_note: [],
	rule_list: ["alerts", "fleets"],
	rule_try: [],
	rule_put: [],
	rule_reset: [],
	custom_rule_try: [],
	custom_rule_put: [],
	custom_rule_remove: [],
	channel_list: ["alerts"],
	channel_put: [],
	channel_remove: [],
	channel_test: [],
	silence_list: ["alerts", "activity"],
	silence_add: [],
	silence_end: [],
	incident_get: ["alerts", "fleets", "capacity", "gameSessions", "playerSessions", "placements", "matchmaking", "events", "changes", "aliases", "queues", "activity", "metrics"],
	incident_players: ["alerts", "gameSessions", "playerSessions"],
	incident_evidence: ["alerts", "gameSessions", "placements", "matchmaking", "events", "changes", "aliases", "activity"],
	incident_save: [],
	span_note: [],
	goto: [],
	fleet_list: ["fleets", "capacity", "gameSessions", "aliases", "queues"],
	fleet_get: ["fleets", "capacity", "gameSessions", "changes"],
	fleet_instances: ["fleets", "capacity", "gameSessions"],
	fleet_events: ["events"],
	fleet_scaling: ["capacity", "events", "changes", "activity"],
	series_read: ["metrics", "capacity", "placements", "matchmaking"],
	usual_read: ["metrics"],
	metric_list: ["metrics"],
	metric_read: ["metrics"],
	chart_save: [],
	session_list: ["gameSessions"],
	session_search: [],
	search_check: [],
	session_get: ["gameSessions", "playerSessions", "placements"],
	session_difference: ["gameSessions", "placements", "fleets", "builds"],
	session_log_save: [],
	query_check: [],
	player_data_list: ["playerSessions"],
	player_search: ["playerSessions"],
	player_get: ["playerSessions", "gameSessions", "placements", "matchmaking"],
	player_look_up: [],
	player_session_look_up: [],
	placement_list: ["placements"],
	placement_split: ["placements"],
	placement_difference: ["placements", "queues"],
	placement_get: ["placements", "activity"],
	queue_list: ["queues"],
	queue_get: ["queues", "changes", "gameSessions", "fleets", "activity"],
	matchmaking_get: ["matchmaking", "activity"],
	matchmaking_events: ["matchmaking"],
	ticket_list: ["matchmaking"],
	ticket_difference: ["matchmaking"],
	ticket_get: ["matchmaking", "activity"],
	alias_list: ["aliases", "fleets", "gameSessions", "changes", "activity"],
	repoint_compare: ["fleets", "capacity"],
	repoint_watch: ["aliases", "gameSessions", "playerSessions", "activity"],
	content_list: ["builds", "fleets", "gameSessions", "activity"],
	script_zip_check: [],
	feed_look: [],
	feed_adopt: [],
	feed_release: [],
	feed_list: ["health"],
	feed_aside: ["health"],
	action_check: [],
	action_preview: [],
	action_confirm: [],
	activity_list: ["activity", "gameSessions"],
	activity_get: ["activity", "gameSessions"],
	activity_settle: [],
	activity_export: [],
	run_list: ["activity"],
	run_get: ["activity"],
	run_pause: [],
	run_stop: [],
	preset_list: ["settings"],
	preset_save: [],
	preset_delete: [],
};

/**  AcceptMatch. */
export type AcceptMatch = {
	/**  Ticket in REQUIRES_ACCEPTANCE. */
	ticketId: TicketId,
	/**  Players who answer. */
	playerIds: PlayerId[],
	/**  `ACCEPT` if true, else `REJECT`. */
	accept: boolean,
};

/**  A 12-digit AWS account. */
export type AccountId = string;

/**  Who has taken note of an alert. */
export type Acknowledged = {
	/**  When. */
	at: Timestamp,
	/**  The name of the computer's user; empty if the system gave none. */
	by: string,
};

/**  One change to one resource in one Region. */
export type Action = {
	/**  Home Region of the resource, where the call goes. */
	region: Region,
	/**  The change requested. */
	request: Request,
};

/**  Whether a change has the form the service requires, and the equivalent AWS CLI command. */
export type ActionCheck = {
	errors: FieldError[],
	command: string,
};

/**  Id of an attempt: a UUID made before anything is sent. */
export type ActivityId = string;

/**  The outcome of an attempt. */
export type ActivityOutcome = 
/**  Recorded before the call; no response has come yet. */
"sending" | 
/**  AWS accepted the request. */
"done" | 
/**  AWS refused the request, or it certainly never reached AWS. */
"failed" | 
/**  The request may have reached AWS, but no response came; the outcome is not known yet. */
"unknown";

/**  One page of attempted changes, newest first. */
export type ActivityPage = {
	rows: ActivityRow[],
	total: number,
	/**  Whether `total` counts all rows; false if counting stopped and there are more. */
	totalIsExact: boolean,
	/**  Number of attempts with an unknown outcome, regardless of the filter. */
	unsettled: number,
};

/**  Selects attempts. An attempt must meet every condition that is set. */
export type ActivityRequest = {
	/**  Text to find, ignoring case, in operation, resource, name, fleet, request id, caller, message or player ids. */
	text: string,
	/**  Only these outcomes; all when empty. */
	outcomes: ActivityOutcome[],
	/**  Only these operations, as the API names them; all when empty. */
	operations: string[],
	/**  Only of this kind of resource. */
	resourceKind: ResourceKind | null,
	/**  Only of the resource with this id, ARN or name. */
	resourceId: string | null,
	/**  Only of this fleet. */
	fleetId: FleetId | null,
	/**  Only of this run. */
	runId: RunId | null,
	/**  When they were recorded. */
	range: TimeRange | null,
	/**  The page wanted, newest first. */
	page: Page,
};

/**  An attempted change. */
export type ActivityRow = {
	id: ActivityId,
	runId: RunId | null,
	at: Timestamp,
	endedAt: Timestamp | null,
	durationMs: number | null,
	region: Region,
	operation: string,
	/**  Whether it points an alias to another fleet. */
	isRepoint: boolean,
	resourceKind: ResourceKind,
	resourceId: string,
	resourceName: string | null,
	fleetId: FleetId | null,
	title: string,
	facts: FactChange[],
	outcome: ActivityOutcome,
	/**  How the outcome is known. */
	proof: Proof,
	effect: Effect | null,
	source: ActivitySource,
	callerArn: string | null,
	requestId: string | null,
	awsCode: string | null,
	message: string | null,
	/**  ARN or id of the created resource. */
	made: string | null,
	madePlayerSessions: ReservedSlot[],
	canUndo: boolean,
	undoOf: ActivityId | null,
	undoneBy: ActivityId | null,
	/**  The equivalent AWS CLI command. */
	command: string,
};

/**  Where an attempt came from. */
export type ActivitySource = 
/**  A person using the window. */
"window" | 
/**  The command line. */
"command_line";

/**  A setting with whose it is. */
export type Adjustment = {
	/**  What is set. */
	setting: RuleSetting,
	/**  When it was set. */
	at: Timestamp,
	/**  The name of the computer's user; empty if the system gave none. */
	by: string,
};

/**  What is set about a rule. */
export type AdjustmentListed = {
	/**  The adjustment. */
	adjustment: Adjustment,
	/**  What it holds for, as text. */
	scopeText: string,
	/**  What it sets, as text. */
	text: string,
};

/**  A queue that a person has adopted for this connection. Messages are received and deleted only from such queues. */
export type Adoption = {
	/**  ARN, as reported by SQS at the adoption. */
	queueArn: string,
	/**  URL it was adopted by. */
	queueUrl: string,
	/**  Region. */
	region: Region,
	/**  When the queue was created: one deleted and recreated under the same name is a different queue. */
	queueCreatedAt: Timestamp,
	/**  When it was adopted. */
	adoptedAt: Timestamp,
	/**  ARN of the identity that AWS saw then, if it reported one. */
	adoptedBy: string | null,
	/**  What to do with foreign messages. */
	foreignBodies: ForeignBodies,
	/**  Why nothing is received from it any more, until it is adopted again. */
	halted: string | null,
};

/**  An alert. */
export type Alert = {
	/**  Id. */
	id: AlertId,
	/**  The rule, as settings and exports spell it. */
	rule: string,
	/**  What it is about; stable for as long as it lasts. */
	subject: string,
	/**  Home Region; `None` for what concerns several. */
	region: Region | null,
	/**  The fleet concerned. */
	fleetId: FleetId | null,
	/**  `Warning` or `Bad`; `Info` for what is worth knowing and never fires. */
	severity: Severity,
	/**  State. */
	state: AlertState,
	/**  When the trouble began. It never moves to a later time. */
	since: Timestamp,
	/**  When it began to fire. */
	firedAt: Timestamp | null,
	/**  When data first no longer showed it. */
	clearSince: Timestamp | null,
	/**  Since when there is no data that could tell. */
	unknownSince: Timestamp | null,
	/**  When it was over. */
	endedAt: Timestamp | null,
	/**  Who has taken note of it. */
	acknowledged: Acknowledged | null,
	/**  The silence that keeps it from being told to anybody now. */
	silenced: Silence | null,
	/**  The facts; `None` if another version of the program recorded them in a form that this one cannot read. */
	facts: Facts | null,
	/**  What is wrong, as text. */
	title: string,
	/**  The figures behind it, as text. */
	detail: string,
	/**  Likely causes as text, in the order of the facts. */
	causes: CauseWords[],
	/**  What is said in their place while there is none. */
	unexplained: string,
	/**  What is offered against it; `None` when it is over, or was not asked for. */
	offered: Offered | null,
	/**  Whom it has hit; `None` if that was not asked for. */
	who: WhoIsHit | null,
};

/**  An alert of this database; a UUID. */
export type AlertId = string;

/**  Alerts of a range. */
export type AlertList = {
	/**  Open ones that are not alerts, or not yet, in the order they began. */
	seen: Alert[],
	/**
	 *  Those that fire or recover now, and those that fired at some time in the range, at most 500: open ones first, in
	 *  the order of the Overview, then the newest.
	 */
	alerts: Alert[],
	/**  What is known, and as of when. */
	knowledge: Knowledge,
};

/**  How far an alert has gone. */
export type AlertState = 
/**  Seen, but not yet for as long as its rule asks. */
"pending" | 
/**  Wrong now, as far as is known. */
"firing" | 
/**  No longer seen, but not yet for as long as its rule asks. */
"recovering" | 
/**  Over. */
"resolved";

/**  One line of the course of an alert. */
export type AlertStep = {
	/**  When. */
	at: Timestamp,
	/**  What. */
	kind: AlertStepKind,
	/**  Who, for what a person did. */
	by: string | null,
	/**  What was written down. */
	text: string | null,
};

/**  A moment in the course of an alert. */
export type AlertStepKind = 
/**  It was seen for the first time. */
"pending" | 
/**  It began to fire, or fired again while it recovered. */
"firing" | 
/**  Data no longer showed it. */
"recovering" | 
/**  It was over. */
"resolved" | 
/**  There was no longer any data that could tell. */
"unknown" | 
/**  There was data again. */
"known" | 
/**  A person took note of it. */
"acknowledged" | 
/**  A person wrote something down. */
"note";

/**  An alert with its course. */
export type AlertStory = {
	/**  The alert. */
	alert: Alert,
	/**  Its states and what people did, oldest first. */
	steps: AlertStep[],
};

/**  `alias-…`. */
export type AliasId = string;

/**  The routing strategy of an alias. */
export type AliasRouting = "SIMPLE" | "TERMINAL";

/**  An alias. */
export type AliasRow = {
	aliasId: AliasId,
	name: string,
	region: Region,
	description: string | null,
	routing: AliasRouting,
	fleetId: FleetId | null,
	fleetName: string | null,
	message: string | null,
	gameSessions: number,
	updatedAt: Timestamp | null,
	history: Change[],
	freshness: Freshness,
};

/**  What failed, on which resource, AWS's code and request id, and what to do. */
export type AppError = {
	kind: ErrorKind,
	message: string,
	resource: string | null,
	awsCode: string | null,
	requestId: string | null,
	retryable: boolean,
	remedy: string | null,
	/**  Invalid fields; empty unless the input is invalid. */
	fields: ItemError[],
};

/**  Everything the frame of the window needs. */
export type AppState = {
	version: string,
	settings: Settings,
	connections: ConnectionSummary[],
	current: ConnectionSummary | null,
	demoScenarios: DemoScenario[],
	/**  Whether this program may change anything at all; false if it was started read-only. */
	mayOperate: boolean,
	/**  Whether the open connection may be changed. */
	mode: Mode,
	/**
	 *  The text that must be typed to unlock the open connection, in characters found on any keyboard; null if none
	 *  is required.
	 */
	unlockTyped: string | null,
	/**  Why the last connection could not be opened, if it failed. */
	openError: AppError | null,
	/**  Why the connections file cannot be relied on, if so. Nothing can be changed until that is fixed. */
	connectionsError: AppError | null,
};

/**  What was found in a zip. */
export type Archive = {
	/**  The file to send; `None` if a problem prevents sending it. */
	file: ZipFile | null,
	/**  Files in it, with their unpacked size in bytes; at most 1 000. */
	entries: ([string, number])[],
	/**  What prevents sending it, in sentences. */
	problems: string[],
	/**  The JavaScript file at the top level, if there is exactly one: a Realtime server starts with it. */
	entryFile: string | null,
};

/**  A message that was set aside. */
export type AsideMessage = {
	/**  Key of its row; a later message has a greater key. */
	key: number,
	/**  Queue it came from. */
	queueUrl: string,
	/**  SQS message id. */
	messageId: string,
	/**  Region of the queue. */
	region: Region,
	/**  When it was received. */
	receivedAt: Timestamp,
	/**  Why it was set aside. */
	reason: QuarantineReason,
	/**  What exactly is wrong. */
	detail: string,
	/**  Size of the whole body in bytes. */
	bytes: number,
	/**  The body, cut to the requested number of characters. */
	body: string,
};

/**  A player attribute's value, as a rule set may ask for it. */
export type AttributeValue = 
/**  `S` */
({ text: string }) & { number?: never; numberMap?: never; textList?: never } | 
/**  `N` */
({ number: number }) & { numberMap?: never; text?: never; textList?: never } | 
/**  `SL` */
({ textList: string[] }) & { number?: never; numberMap?: never; text?: never } | 
/**  `SDM` */
({ numberMap: { [key in string]: number } }) & { number?: never; text?: never; textList?: never };

/**  A profile. */
export type AwsProfile = {
	/**  Name. */
	name: string,
	/**  Where its credentials come from. */
	kind: ProfileKind,
	/**  Region it names. */
	region: Region | null,
};

/**  Progress of the initial read of history. */
export type Backfill = {
	/**  Steps done. */
	done: number,
	/**  Steps in all. */
	total: number,
};

/**  Who a change affects: game sessions that end, may end or lose something because of it. */
export type Blast = {
	/**  Live game sessions. */
	gameSessions: number,
	/**  Players in them. */
	playerSessions: number,
	/**  Those of the game sessions that have full protection. */
	protectedGameSessions: number,
	/**
	 *  Their share of the Region, 0 to 1: of its players, or of its game sessions while it has no players. `None` if
	 *  that is not known or nobody is affected.
	 */
	shareOfRegion: number | null,
	/**  All of it in one sentence. */
	sentence: string,
	/**  Time of the oldest count; `None` if everything was read just now, or the age is not known. */
	asOf: Timestamp | null,
};

/**  A Region of which nothing can be read. */
export type BlindRegion = {
	/**  Region. */
	region: Region,
	/**  Its last answer; `None` if there never was one. */
	lastRead: Timestamp | null,
	/**  The error message. */
	failure: string | null,
};

/**  `build-…`. */
export type BuildId = string;

/**  A build. */
export type BuildRow = {
	buildId: BuildId,
	name: string,
	version: string | null,
	region: Region,
	status: string,
	operatingSystem: string | null,
	sdkVersion: string | null,
	sizeBytes: number | null,
	creationTime: Timestamp | null,
	fleets: UsingFleet[],
};

/**  The attempt or run of this installation that made a change. */
export type ByUs = 
/**  One attempt. */
{ kind: "activity"; id: ActivityId } | 
/**  A run of several. */
{ kind: "run"; id: RunId };

/**  Who made a call, and by which way. */
export type Caller = {
	/**  Whom AWS took the caller for. */
	principal: Principal,
	/**  By which way the call came. */
	via: Via,
	/**  The last four characters of the access key id. */
	accessKeyEnd: string | null,
	/**  Address the call came from, or the name of an AWS service. */
	sourceIp: string | null,
	/**  User agent. */
	userAgent: string | null,
};

/**  Why the number of desired instances changed. */
export type Cause = 
/**  The target-based policy. */
{ kind: "targetPolicy"; 
/**  Its target at the time, as a percentage (0 to 100). */
targetPercent: number } | 
/**  Rule-based policies. */
{ kind: "rulePolicy"; 
/**  The policies in force at the time, by name. */
policies: string[] } | 
/**  Somebody set the capacity. */
{ kind: "manual" } | 
/**  The step reached a limit and could go no further. */
{ kind: "limitReached"; 
/**  Which limit. */
limit: Limit; 
/**  The limit, in instances. */
instances: number } | 
/**  EC2 reclaimed Spot instances. */
{ kind: "interruption" } | 
/**  Unhealthy instances or processes were replaced. */
{ kind: "unhealthy" } | 
/**  There is no evidence for any of these. */
{ kind: "unknown" };

/**  An alert that a cause of a span is kept with. */
export type CauseAlert = {
	/**  Id. */
	id: AlertId,
	/**  What is wrong, as text. */
	title: string,
};

/**  A fact with its words. */
export type CauseFact = {
	/**  The fact. */
	fact: CauseFactKind,
	/**  What it speaks for. */
	speaks: Speaks,
	/**  The same as text. */
	text: string,
};

/**  A fact about a cause. */
export type CauseFactKind = 
/**  How long after the cause the first failure came, and how many had come before. */
{ kind: "lead"; 
/**  Milliseconds. */
ms: number; 
/**  Failures in the time shown before. */
before: number } | 
/**  How many failed here, and of what it is compared with. */
{ kind: "share"; 
/**  What it runs here, or the fleet. */
here: string; 
/**  How many failed. */
failed: number; 
/**  Of how many. */
of: number; 
/**  What it is compared with. */
there: string; 
/**  How many failed there. */
thereFailed: number; 
/**  Of how many. */
thereOf: number } | 
/**  Over how many locations and computes the failures are spread. */
{ kind: "spread"; 
/**  Locations with a failure. */
locations: number; 
/**  Locations of the fleets. */
ofLocations: number; 
/**  Computes with a failure. */
computes: number } | 
/**  Spot interruptions in the time shown. */
{ kind: "interruptions"; 
/**  How many. */
count: number } | 
/**  Free server processes now. */
{ kind: "room"; 
/**  Free. */
free: number; 
/**  All. */
processes: number };

/**  A likely cause with what speaks for and against it. */
export type CauseStory = {
	/**  What kind of cause it is, in a few words. */
	heading: string,
	/**  What it is, as text. */
	text: string,
	/**  How strongly the facts speak for it. */
	strength: Strength,
	/**  When it happened or began. */
	at: Timestamp | null,
	/**  By how many milliseconds it came before the trouble. */
	leadMs: number | null,
	/**  The facts. */
	proofs: CauseFact[],
	/**  The alerts of a span that it is kept with, oldest first; empty on an alert's own page. */
	alerts: CauseAlert[],
};

/**  A likely cause, as text. */
export type CauseWords = {
	/**  What it is. */
	text: string,
	/**  How strongly the facts speak for it. */
	strength: Strength,
	/**  When it happened or began, if that is known. */
	at: Timestamp | null,
	/**  By how many milliseconds it came before the trouble; negative if it was first seen afterwards. */
	leadMs: number | null,
};

/**  How a certificate stands. */
export type CertificateState = 
/**  Its end is more than 60 days ahead. */
"valid" | 
/**  It ends within 60 days. */
"near" | 
/**  It has ended. */
"ended";

/**  The end of a fleet's certificate. */
export type CertificateTerm = {
	/**  395 days after the fleet was created. */
	endsAt: Timestamp,
	/**  How it stands. */
	state: CertificateState,
};

/**  One line of the feed. */
export type Change = {
	/**  Identifies the line; stable when it is read again. */
	key: string,
	/**
	 *  The time: for an event, when it happened; for a setting, when the call was made if that is known, else when a
	 *  poll first saw the change.
	 */
	at: Timestamp,
	/**  When this program first saw it; for an event, when it happened. */
	seenAt: Timestamp,
	/**  Kind. */
	kind: ChangeKind,
	/**  How much it matters. */
	severity: Severity,
	/**  Home Region. */
	region: Region,
	/**  Id of the changed fleet, alias, queue, build or script. */
	resource: string,
	/**  The fleet that it belongs to. */
	fleetId: FleetId | null,
	/**  Every fleet affected: that one, or those an alias pointed to before and points to after. */
	fleets: FleetId[],
	/**  Location concerned. */
	location: Location | null,
	/**  What happened. */
	what: What,
	/**  The same, as words. */
	words: Words,
	/**  The attempt or run of this installation that did it; `None` if something else did or it is unknown. */
	byUs: ByUs | null,
	/**  Who made it; `None` for what nobody makes, such as an event. */
	who: Who | null,
};

/**  The kind of thing that changed. */
export type ChangeKind = 
/**  An entry of DescribeFleetEvents. */
"fleetEvent" | 
/**  Desired instances changed. */
"scalingStep" | 
/**  Minimum or maximum changed. */
"capacity" | 
/**  A scaling policy. */
"scalingPolicy" | 
/**  An alias. */
"alias" | 
/**  A queue. */
"queue" | 
/**  A matchmaking configuration. */
"matchmakingConfiguration" | 
/**  A runtime configuration or port settings. */
"runtimeConfiguration" | 
/**  A Realtime script. */
"script" | 
/**  A build. */
"build" | 
/**  A fleet or one of its locations. */
"fleet" | 
/**  A deployment of a container fleet. */
"deployment";

/**
 *  The subjects that changed: a hint to query again, under 1 KB, at most four a second. A lost hint only delays an
 *  update; it never makes a result wrong.
 */
export type Changed = {
	revision: number,
	subjects: Subject[],
};

/**  A channel, and which alerts it takes. */
export type Channel = {
	/**  Name, chosen by a person; unique. */
	name: string,
	/**  What it speaks. */
	kind: ChannelKind,
	/**
	 *  Where the address is found: URL of a webhook, of Slack or of an Alertmanager, routing key of PagerDuty, ARN of
	 *  a topic.
	 */
	address: Place,
	/**  Where the key is found that signs what is sent to a webhook. */
	signingKey: Place | null,
	/**  Another address of PagerDuty's Events API, such as that of its European service. */
	endpoint: string | null,
	/**  The least severity it takes. */
	leastSeverity: Severity,
	/**  The rules it takes; all if empty. */
	rules: string[],
	/**  The Regions it takes; all if empty. What concerns several Regions is taken in any case. */
	regions: Region[],
	/**  Whether anything is told there. */
	isOn: boolean,
};

/**  What a channel speaks. */
export type ChannelKind = 
/**  JSON by POST to an address of one's own. */
"webhook" | 
/**  An incoming webhook of Slack. */
"slack" | 
/**  Events API v2 of PagerDuty. */
"pagerDuty" | 
/**  API v2 of a Prometheus Alertmanager. */
"alertmanager" | 
/**  A topic of Amazon SNS, standard or FIFO. */
"sns";

/**  A channel, and how delivery to it goes. */
export type ChannelState = {
	channel: Channel,
	/**  The newest messages, newest first, at most ten. */
	newest: Notification[],
	/**  How many messages wait to be sent. */
	waiting: number,
};

/**  How a test of a channel ended. */
export type ChannelTest = {
	/**  Whether the receiver accepted the message. */
	isDelivered: boolean,
	/**  Why not. */
	detail: string | null,
};

/**  Format of a saved chart. */
export type ChartFormat = "png" | "svg" | "csv";

/**  A scaling chart to save. */
export type ChartSave = {
	fleetId: FleetId,
	range: TimeRange,
	format: ChartFormat,
	theme: Theme,
};

/**  Another player who was in game sessions at the same time. */
export type Companion = {
	/**  The other player. */
	playerId: PlayerId,
	/**  In how many game sessions. */
	gameSessions: number,
	/**  When the other player last joined such a game session. */
	lastAt: Timestamp,
};

/**  On which side of its threshold a value is wrong. */
export type Compare = 
/**  Above. */
"above" | 
/**  Below. */
"below";

/**  One line of the comparison. */
export type CompareLine = {
	/**  What is compared. */
	label: string,
	/**  Value for the fleet the alias points to now; empty if it points to none. */
	from: string,
	/**  Value for the fleet it would point to. */
	to: string,
	/**  How much the difference matters. */
	severity: CompareSeverity,
	/**  What the difference means, in a sentence. */
	note: string | null,
};

/**  How much a difference matters. */
export type CompareSeverity = 
/**  Nothing differs. */
"same" | 
/**  Worth knowing. */
"info" | 
/**  Players are likely to notice it. */
"warning" | 
/**  New game sessions fail, or AWS refuses. */
"bad";

/**  The bad ones against the rest. */
export type Comparison = {
	/**  Bad ones. */
	bad: number,
	/**  All, including the bad ones. */
	all: number,
	/**  The differences, the surest first; those that are too few to tell come last. */
	groups: DifferenceGroup[],
	/**  What else was compared, in a word each. */
	alike: string[],
};

/**  Text that could be inserted at the caret. */
export type Completion = {
	/**  Replaces the word before the caret. */
	insert: string,
	/**  What the list of completions shows. */
	label: string,
	/**  What it means. */
	detail: string | null,
};

/**  The kind of a fleet's computes. */
export type ComputeKind = 
/**  Managed EC2, billed on demand. */
"ec2_on_demand" | 
/**  Managed EC2 Spot: AWS may reclaim an instance with two minutes' notice. */
"ec2_spot" | 
/**  A container fleet, read with calls of its own. */
"container" | 
/**  The operator's own hardware. */
"anywhere";

/**  The answer to a confirmation. */
export type Confirmed = 
/**  It was recorded and sent. */
{ kind: "sent"; receipt: Receipt } | 
/**  Nothing was sent, because something changed since the preview. Contains a new preview. */
{ kind: "moved"; what: FactChange[]; preview: Preview };

/**  The result of checking what a connection is allowed to do before it is saved. */
export type ConnectionCheck = {
	account: AccountId | null,
	callerArn: string | null,
	checks: PermissionCheck[],
	ok: boolean,
	error: AppError | null,
};

/**  A connection as the operator describes it. */
export type ConnectionDraft = {
	name: string,
	environment: Environment,
	/**  Profile of the shared AWS configuration; null for the default chain. */
	profile: string | null,
	/**  A custom endpoint; null for AWS's own. */
	endpointUrl: string | null,
	regions: Region[],
	eventQueues: EventQueue[],
};

/**  A saved connection. */
export type ConnectionSummary = {
	id: string,
	name: string,
	environment: Environment,
	profile: string | null,
	endpointUrl: string | null,
	account: AccountId | null,
	regions: Region[],
	eventQueues: EventQueue[],
	lastOpened: Timestamp | null,
};

/**  All builds and scripts, with the fleets that run them. */
export type ContentList = {
	builds: BuildRow[],
	scripts: ScriptRow[],
	freshness: Freshness,
};

/**  CreateAlias. */
export type CreateAlias = {
	/**  Name, 1 to 1024 characters, not all blank; need not be unique. */
	name: string,
	/**  1 to 1024 characters. */
	description: string | null,
	/**  Where it leads. */
	routing: RoutingStrategy,
};

/**  CreateGameSession. */
export type CreateGameSession = {
	/**  Fleet or alias. */
	target: GameSessionTarget,
	/**  Location; the home Region when absent. AWS: required for Anywhere fleets. */
	location: Location | null,
	/**  Slots, 1 to 200. */
	maximumPlayerSessionCount: number,
	/**  Name, 1 to 1024 characters. */
	name: string | null,
	/**  At most 16. */
	gameProperties: GameProperty[],
	/**  1 to 262 144 characters. */
	gameSessionData: string | null,
	/**  Makes a retry harmless and becomes the last part of the ARN: 1 to 48 letters, digits and hyphens. */
	idempotencyToken: string,
	/**  Required where the fleet limits sessions per creator. */
	creatorId: string | null,
};

/**  CreateGameSessionQueue. */
export type CreateGameSessionQueue = {
	/**  Name (AWS: 1 to 128 letters, digits and hyphens; unique in the Region). */
	name: QueueName,
	/**  Seconds after which a placement is TIMED_OUT (AWS: 10 to 600); AWS chooses when absent. */
	timeoutSeconds: number | null,
	/**  ARNs of fleets or aliases in order of preference. */
	destinations: string[],
	/**  Latency policies in order. */
	playerLatencyPolicies: LatencyPolicy[],
	/**  The locations in which game sessions may be placed; all when empty. */
	allowedLocations: string[],
	/**  What matters first: `LATENCY`, `COST`, `DESTINATION`, `LOCATION`; AWS's own order when empty. */
	priorityOrder: string[],
	/**  Locations in order of preference, for `LOCATION` (AWS: at most 100). */
	locationOrder: string[],
	/**  Copied to every event of the queue (AWS: at most 256 characters). */
	customEventData: string | null,
	/**  ARN of the SNS topic that gets the events of placements. */
	notificationTarget: string | null,
};

/**  CreatePlayerSessions, also used for a single player. */
export type CreatePlayerSessions = {
	/**  Full ARN. */
	gameSessionId: GameSessionId,
	/**  1 to 25 players. */
	players: NewPlayerSession[],
};

/**  A rule of one's own. */
export type CustomRule = {
	/**  Its name, unlike that of every other. */
	name: string,
	/**  What it looks at. */
	watched: Watched,
	/**  On which side of its threshold a value is wrong. */
	compare: Compare,
	/**  A value beyond this is wrong. In the figure's unit, or a percentage (0 to 100) for a share. */
	raise: number,
	/**  What was wrong is over once a value is back at this or further on the calm side. */
	clear: number,
	/**  Milliseconds that it must be wrong before it fires, 0 to a day. */
	pendingMs: number,
	/**  The severity of what fires, `Warning` or `Bad`. */
	severity: Severity,
	/**  Switched off: it is not looked for. */
	isOff: boolean,
};

/**  A rule of one's own to be saved. */
export type CustomRuleDraft = {
	/**  The rule. */
	rule: CustomRule,
	/**  The name of the rule whose place it takes; `None` for a new one. */
	replaces: string | null,
};

/**  A rule of one's own to be tried on the stored past. */
export type CustomRuleTrial = {
	/**  The rule. */
	rule: CustomRule,
	/**  How many days to look back, 1 to 30. */
	days: number,
};

/**  An alert that a rule would have given. */
export type CustomSpan = {
	/**  Name of what it is about; empty for everything at once. */
	subject: string,
	/**  When the value crossed the threshold. */
	since: Timestamp,
	/**  When it would have fired. */
	from: Timestamp,
	/**  When it would have been over; `None` while it goes on. */
	until: Timestamp | null,
	/**  What was wrong when it fired, as text. */
	title: string,
};

/**  What a rule would have done. */
export type CustomTried = {
	/**  The time asked for. */
	range: TimeRange,
	/**  The part of it that there was time to look at: it ends with the range. */
	looked: TimeRange,
	/**  Milliseconds between two moments looked at. */
	stepMs: number,
	/**  How many alerts there would have been. */
	fired: number,
	/**  Those alerts, the newest first, at most 200. */
	spans: CustomSpan[],
	/**  The longest of them, in milliseconds; `None` if there is none. */
	longestMs: number | null,
	/**  How much of the time asked for there is data of, over all that was looked at, 0 to 1. */
	knownShare: number,
	/**  How many things were looked at. */
	subjects: number,
	/**  How many more there are without any data. */
	silent: number,
	/**  Whether there was time for everything. */
	isWhole: boolean,
	/**  All of this, as text. */
	text: string,
};

/**  DeleteAlias. */
export type DeleteAlias = {
	/**  Alias. */
	aliasId: AliasId,
};

/**  DeleteScalingPolicy. */
export type DeleteScalingPolicy = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Policy. */
	name: string,
};

/**  A scenario of the built-in demo. */
export type DemoScenario = {
	name: string,
	/**  What an operator should notice in it. */
	description: string,
};

/**  The kind of a destination. */
export type DestinationKind = "fleet" | "alias";

/**  A destination of a queue and its name. */
export type DestinationNamed = {
	/**  ARN of a fleet or an alias. */
	arn: string,
	/**  Name of that fleet or alias, or its id if the store has never listed it. */
	name: string,
};

/**  One value that the bad ones have more often than the rest. */
export type Difference = {
	/**  The dimension. */
	dimension: Dimension,
	/**  The dimension in a word, such as `build`; a property's own key. */
	name: string,
	/**  The value: an id, a name or a number. */
	value: string,
	/**  The value as a person knows it. */
	label: string,
	/**
	 *  The term that selects it, if there is one: of the query language for game sessions; for placements and tickets
	 *  what a list of them takes as `having`.
	 */
	term: string | null,
	/**  Bad ones with this value. */
	badIn: number,
	/**  All with this value. */
	allIn: number,
	/**  Bad ones without it. */
	badOut: number,
	/**  All without it. */
	allOut: number,
	/**  How many times more often those with it are bad; `None` when no other is. */
	lift: number | null,
	/**  Probability of such a surplus by chance, corrected for the number of values looked at (0 to 1). */
	p: number,
	/**  Whether it is more than chance. Otherwise they are too few to call it a difference. */
	isSignificant: boolean,
};

/**  Values that select the same ones, such as a build and the only fleet that runs it. */
export type DifferenceGroup = {
	/**  The first of them. */
	first: Difference,
	/**  Those that repeat it. */
	same: Difference[],
};

/**  What is different about the bad ones, and about those of the first difference. */
export type Differences = {
	/**  All that were compared, as a query; empty when that is everything. */
	among: string,
	/**  What makes one bad, as a query; empty for placements and tickets, which failed or timed out, or ended in a span. */
	bad: string,
	/**  The comparison. */
	whole: Comparison,
	/**  The same within the first difference, if there is more to tell there. */
	within: Comparison | null,
	/**  What to know of the figures, such as what is not known of the bad ones, as text; empty if there is nothing. */
	note: string,
	/**  How fresh the data is. */
	freshness: Freshness,
};

/**  What game sessions, placements or tickets are compared by. */
export type Dimension = 
/**  Build of the fleet. */
"build" | 
/**  Realtime script of the fleet. */
"script" | 
/**  Fleet. */
"fleet" | 
/**  Where it runs. */
"location" | 
/**  Instance type of the fleet. */
"instanceType" | 
/**  A game property, by its key. */
{ property: string } | 
/**  The queue that placed it. */
"queue" | 
/**  Home Region of the queue. */
"region" | 
/**  Player slots. */
"size" | 
/**  Instance or compute. */
"compute" | 
/**  The matchmaking configuration that asked for it. */
"configuration" | 
/**  The rule set of that configuration. */
"ruleSet" | 
/**  Players it was asked for. */
"players";

/**  A placement of the player. */
export type DossierPlacement = {
	row: PlacementRow,
	/**  Why it led to no game session. */
	why: string | null,
};

/**  A player session, its game session and what became of the player there. */
export type DossierSession = {
	playerSession: PlayerSessionRow,
	/**  Absent if the game session was not read. */
	gameSession: GameSessionRow | null,
	/**  How the game session ended under the player, if nobody wanted it to. */
	cutOff: GameSessionEnding | null,
};

/**  A task that is not running, or has not run long enough since its restart to be trusted. */
export type Down = {
	/**  What it does, in words for people. */
	task: string,
	/**  When it first ended. */
	since: Timestamp,
	/**  Why it last ended. */
	why: string,
	/**  When it will be restarted; `None` once it has been. */
	nextTry: Timestamp | null,
};

/**  How a fleet is drained: the steps, in the order of the fields. */
export type DrainPlan = {
	/**  Home Region of the fleet. */
	region: Region,
	/**  Fleet. */
	fleetId: FleetId,
	/**  The UpdateAlias and UpdateGameSessionQueue changes that send new sessions elsewhere. */
	routes: Action[],
	/**  Whether new and live sessions are protected from scale-in until they end by themselves. */
	protect: boolean,
	/**  Whether scaling is suspended, so that no policy works against the drain. */
	suspendScaling: boolean,
	/**  Whether every location is set to no instances once it is empty. */
	scaleToZero: boolean,
};

/**  The progress of a drain, for people. */
export type DrainProgress = {
	/**  The steps in order. */
	steps: DrainStep[],
	/**  Live game sessions at the last count; before the first one, those on record. */
	gameSessions: number,
	/**  Players in them; `None` before the first count. */
	playerSessions: number | null,
	/**  Game sessions created on the fleet since new ones are sent elsewhere; `None` before the first count. */
	newGameSessions: number | null,
	/**  Live game sessions when the drain began. */
	startGameSessions: number,
	/**  Median of the estimate, in milliseconds from the last count; `None` if there is no estimate. */
	estimateMs: number | null,
	/**  The estimate in a sentence, or why there is none. */
	estimateText: string,
};

/**  A step and its state. */
export type DrainStep = {
	/**  Which step it is. */
	key: DrainStepKey,
	/**  Its title for people. */
	title: string,
	/**  Its state. */
	state: DrainStepState,
	/**  Its progress, or why it failed. */
	detail: string | null,
	/**  Its changes, by their place in the run. */
	items?: number[],
};

/**  A step. */
export type DrainStepKey = 
/**  Send new sessions elsewhere. */
"route" | 
/**  Protect live sessions from scale-in. */
"protect" | 
/**  Suspend scaling. */
"suspend" | 
/**  Wait until the live sessions have ended by themselves. */
"wait" | 
/**  Set every location to no instances. */
"scale";

/**  The state of a step. */
export type DrainStepState = 
/**  Its turn has not come. */
"waiting" | 
/**  Under way. */
"running" | 
/**  Done. */
"done" | 
/**  A change of it failed. Resuming tries that change again. */
"failed" | 
/**  Not wanted, or nothing to do. */
"skipped";

/**  The effect of a change, as last checked. */
export type Effect = {
	/**  State of the effect. */
	state: EffectState,
	/**  What is seen, in a sentence: `The game session is ACTIVE`. */
	text: string,
	/**  When it was checked. */
	at: Timestamp,
};

/**  Progress of the effect of a change that AWS accepted. */
export type EffectState = 
/**  Not seen yet, and still being checked for. */
"awaited" | 
/**  Seen on AWS. */
"seen" | 
/**  Turned out differently: the placement failed, the session would not end. */
"missed" | 
/**  No longer checked for; the record says until when it was. */
"given_up";

/**  The environment of an account, strictest first: if several apply, the lowest counts. */
export type Environment = 
/**  Players are on it: every change must be confirmed by typing. */
"production" | 
/**  Before production. */
"staging" | 
/**  A developer's own. */
"development" | 
/**  The simulator. */
"demo";

/**  The kinds of error that the window can distinguish. */
export type ErrorKind = "invalidInput" | "notFound" | "unreachable" | "credentials" | 
/**  The credentials belong to another account than the connection. */
"wrongAccount" | 
/**  AWS could not confirm which account the credentials belong to. */
"unproven" | "denied" | "throttled" | "service" | "store" | "storeFull" | "storeReadOnly" | "storeNewer" | "storeBusy" | "refused" | 
/**  The connection is read-only: an operator must unlock it. */
"readOnly" | 
/**  The confirmation lacks the text that must be typed. */
"notTyped" | 
/**  The preview is too old to confirm. */
"expired" | "internal";

/**  The connection's own queue that receives its events; never one that another consumer reads. */
export type EventQueue = {
	/**  Region of the queue. */
	region: Region,
	/**  Queue URL. */
	url: string,
};

/**  A fleet, or one of its locations, all of whose metrics are on screen. */
export type EveryMetric = {
	/**  Home Region of the fleet, where CloudWatch has its metrics. */
	region: Region,
	/**  Fleet. */
	fleetId: FleetId,
	/**  Only this location; the fleet as a whole if `None`. */
	location: Location | null,
	/**  The metric groups the fleet belongs to; theirs are read with those of the fleet as a whole. */
	metricGroups: string[],
};

/**  Evidence for a cause. */
export type Evidence = 
/**  This installation sent it. */
{ kind: "sentFromHere" } | 
/**  CloudTrail recorded the call. */
{ kind: "recorded" } | 
/**  A limit changed with the step. */
{ kind: "limitMoved"; 
/**  Which limit. */
limit: Limit; 
/**  Instances before. */
from: number; 
/**  Instances after. */
to: number } | 
/**  Server processes that were free just before the step. */
{ kind: "available"; 
/**  Their share as a percentage (0 to 100). */
percent: number; 
/**
 *  How long, in milliseconds, that share had been on the side of the target where the policy acts; 0 if it
 *  was not.
 */
forMs: number } | 
/**  A FLEET_SCALING_EVENT at about that time. */
{ kind: "scalingEvent" } | 
/**  Instances that were lost before the step. */
{ kind: "instancesLost"; 
/**  How many. */
count: number } | 
/**  Processes or instances found unhealthy before the step. */
{ kind: "unhealthy"; 
/**  How many. */
count: number } | 
/**  Automatic scaling was suspended in the location. */
{ kind: "suspended" } | 
/**  No scaling policy was in force in the location. */
{ kind: "noPolicy" } | 
/**  A policy was in force, and CloudTrail has no call that set the capacity. */
{ kind: "noCall"; 
/**  Whether no such call is to be expected any more. */
isSettled: boolean };

/**  Which lines are wanted. */
export type EvidenceFilter = 
/**  All. */
"all" | 
/**  What shows the trouble: the alert's steps, failures and fleet events. */
"evidence" | 
/**  What was changed, by anybody. */
"changes" | 
/**  What people did here: changes with this installation, and notes. */
"ours";

/**  What kind of line it is. */
export type EvidenceKind = 
/**  The alert began, fired, recovered or ended, or could not be told. */
"alert" | 
/**  Something failed. */
"failure" | 
/**  Something was changed. */
"change" | 
/**  A fleet event or a scaling step. */
"event" | 
/**  Something was done with this installation. */
"ours" | 
/**  A person wrote something down, or took note. */
"note";

/**  One line. */
export type EvidenceLine = {
	/**  Identifies it; stable when it is read again. */
	key: string,
	/**  When. */
	at: Timestamp,
	/**  Kind. */
	kind: EvidenceKind,
	/**  How much it matters. */
	severity: Severity,
	/**  What happened, as text. */
	text: string,
	/**  Who, if that is known. */
	by: string | null,
	/**  Whether it changed a setting. */
	isChange: boolean,
	/**  Whether it is a likely cause. */
	isCause: boolean,
	/**  The attempt of this installation. */
	activityId: ActivityId | null,
	/**  The change, for its screen. */
	change: Change | null,
};

/**  A message that belongs to someone else. */
export type Example = {
	/**  Why it is considered foreign. */
	reason: QuarantineReason,
	/**  The reason in words. */
	detail: string,
	/**  Size of the whole body in bytes. */
	bytes: number,
	/**  Beginning of the body. */
	beginning: string,
};

/**  A fact before and after, as shown to people: `Desired instances`, `4`, `8`. */
export type FactChange = {
	/**  Name of the fact. */
	label: string,
	/**  Value before; absent if it did not exist or was not known. */
	before: string | null,
	/**  Value after; absent if it no longer exists. */
	after: string | null,
};

/**  The facts of a trouble. */
export type Facts = {
	/**  What is wrong, with the figures behind it. */
	trouble: Trouble,
	/**  Whom it has hit. */
	hit: Hit,
	/**  Likely causes, the likeliest first. */
	causes: Likely[],
	/**  Where to look. */
	target: Target,
};

/**  What failed, as the lists of the screens select it. */
export type FailedList = 
/**  Game sessions that match a query. */
{ kind: "sessions"; 
/**  In the query language; what is the same on both sides of a comparison comes first. */
text: string; 
/**  The fleet, if it is one. */
fleetId: FleetId | null; 
/**  When they ran. */
range: TimeRange } | 
/**  Placements that failed or timed out. */
{ kind: "placements"; 
/**  Which. */
scope: PlacementScope; 
/**  When their events were sent. */
range: TimeRange } | 
/**  Tickets that failed or timed out. */
{ kind: "tickets"; 
/**  Matchmaking configuration. */
configuration: string; 
/**  When they were last heard of. */
range: TimeRange } | 
/**  Nothing that is listed. */
{ kind: "nothing" };

/**  The health of a queue's event feed; counts are since the start. */
export type FeedHealth = {
	/**  Region of the queue. */
	region: Region,
	/**  URL of the queue. */
	queueUrl: string,
	/**  State of the feed. */
	state: FeedState,
	/**  Messages received. */
	received: number,
	/**  Events stored, without duplicates. */
	stored: number,
	/**  Events that were already stored. */
	duplicates: number,
	/**  Messages put aside, including those waiting to be confirmed. */
	quarantined: number,
	/**  Events put aside because they name a resource this connection does not know. */
	unconfirmed: number,
	/**  Messages that were left in the queue. */
	left: number,
	/**  Of the messages left, those that were too large to set aside or for which no room was left. */
	noRoom: number,
	/**  Messages waiting in the queue when SQS was last asked. */
	waiting: number | null,
	/**  Another reader of the queue, if one was noticed. */
	otherReader: OtherReader | null,
	/**  When the last message that is not foreign was received. */
	lastMessage: Timestamp | null,
	/**  What is wrong, if anything. */
	message: string | null,
};

/**  The state of an event queue's feed. */
export type FeedState = 
/**  Nothing is known about it yet. */
"starting" | 
/**  This connection has not adopted it, so its messages are left alone. */
"notAdopted" | 
/**  Its messages are received. */
"receiving" | 
/**  It was adopted, but nothing is received from it until it is adopted again. */
"halted";

/**  A field the service would refuse. */
export type FieldError = {
	/**  The field, as the request spells it in camelCase, with an index for items of lists: `gameProperties[2].key`. */
	field: string,
	/**  What is wrong and what would be right, in a sentence. */
	message: string,
	/**  Nothing was entered. A form shows this only once somebody has tried to send it. */
	isMissing: boolean,
};

/**  Counts for the tabs. */
export type FleetCounts = {
	gameSessions: number,
	instances: number,
};

/**  One fleet. */
export type FleetDetail = {
	row: FleetRow,
	description: string | null,
	creationTime: Timestamp | null,
	terminationTime: Timestamp | null,
	operatingSystem: string | null,
	protection: string | null,
	certificate: string | null,
	/**  When its certificate ends; `None` without one, or if that is not known. */
	certificateTerm: CertificateTerm | null,
	/**  What its end means and what to do, once it is near; `None` before. */
	certificateNote: string | null,
	instanceRoleArn: string | null,
	metricGroups: string[],
	creatorLimit: string | null,
	/**  The time since which a location has been at its limit with no free process. */
	cappedSince: Timestamp | null,
	locations: FleetLocationRow[],
	policies: ScalingPolicyRow[],
	configurationFreshness: Freshness,
	runtime: ServerProcess[],
	maxConcurrentActivations: number | null,
	activationTimeoutSeconds: number | null,
	ports: PortRange[],
	scriptVersion: string | null,
	counts: FleetCounts,
};

/**  An event of a fleet. */
export type FleetEventRow = {
	eventId: string,
	at: Timestamp,
	code: string,
	message: string,
	/**  The game session the message names. */
	gameSessionId: GameSessionId | null,
	severity: Severity,
	count: number,
	hasLog: boolean,
};

/**  `fleet-…` or with a prefix such as `containerfleet-…`; never the ARN. */
export type FleetId = string;

/**  All fleets. */
export type FleetList = {
	rows: FleetRow[],
	/**  The moment whose figures the rows have, if they are not those of now. Names, settings and status are of now. */
	figuresAt: Timestamp | null,
	freshness: Freshness,
};

/**  A fleet in one of its locations. */
export type FleetLocationRow = {
	location: Location,
	/**  Empty until the location was listed. */
	status: string,
	/**  Like each figure of the location, `None` while it is unknown, and if there is no such figure. */
	desired: number | null,
	min: number | null,
	max: number | null,
	pending: number | null,
	active: number | null,
	idle: number | null,
	terminating: number | null,
	gameSessions: number | null,
	playerSessions: number | null,
	processes: number | null,
	/**  `None` until the location was listed. */
	scalingSuspended: boolean | null,
	updatePending: boolean,
	freshness: Freshness,
};

/**  A fleet and its name. */
export type FleetNamed = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Its name, or its id if the store has never listed it. */
	name: string,
};

/**  A fleet in the list. */
export type FleetRow = {
	fleetId: FleetId,
	arn: string,
	name: string,
	region: Region,
	status: string,
	state: FleetState,
	kind: ComputeKind,
	instanceType: string | null,
	buildOrScript: string | null,
	buildOrScriptId: string | null,
	isRealtime: boolean,
	locations: Location[],
	/**
	 *  Like each figure of the fleet, `None` while it is unknown, wholly or of one location, and if there is no such
	 *  figure: fleets of one's own hardware have no instances.
	 */
	desired: number | null,
	active: number | null,
	max: number | null,
	gameSessions: number | null,
	playerSessions: number | null,
	/**  Percentage of available game sessions, 0 to 100. */
	freePercent: number | null,
	spark: (number | null)[],
	aliases: string[],
	queues: string[],
	freshness: Freshness,
};

/**  A fleet's scaling over a range. */
export type FleetScaling = {
	/**  Steps, newest first. */
	steps: ScalingStep[],
	/**  Marks, oldest first. */
	marks: Mark[],
	/**  Changes of the fleet's settings and its events, newest first. */
	changes: Change[],
	/**  When a location was at its limit with no free process. */
	cappedRanges: TimeRange[],
	/**  Freshness of the figures. */
	freshness: Freshness,
};

/**  The state of a fleet. */
export type FleetState = 
/**  Nothing wrong, by fresh figures. */
"good" | 
/**  Little room left. */
"warning" | 
/**  In status ERROR, without a server process, or at its limit without a free one. */
"bad" | 
/**  Becoming ACTIVE, or being deleted. */
"pending" | 
/**  Ended. */
"off" | 
/**  Nothing wrong is known, but its figures are old, or were never read. */
"unknown";

/**  What is on screen now; polled first and more often. */
export type Focus = {
	/**  Fleets. */
	fleets: FleetId[],
	/**  Game sessions. */
	gameSessions: GameSessionId[],
	/**  Whether CloudWatch charts are shown. */
	metrics: boolean,
	/**  Whose metrics are shown one and all, also those that are read only then. */
	everyMetric?: EveryMetric | null,
};

/**  The feed in short. */
export type Folded = {
	/**
	 *  What people did and what happened, newest first. Events of one code and fleet that follow each other are one
	 *  line with their number.
	 */
	lines: Change[],
	/**  Whether there were more lines. */
	hasMore: boolean,
	/**  The steps that policies made. */
	byPolicy: PolicySteps,
};

/**  What to do with messages of an adopted queue that are not GameLift events of this account. */
export type ForeignBodies = 
/**  They stay in the queue. */
"leave" | 
/**  They are kept in the database, then deleted from the queue. */
"set_aside";

/**  How rows are written. */
export type Format = 
/**  One JSON object per line. */
"ndjson" | 
/**  RFC 4180 with a header, safe to open in a spreadsheet; nested values as JSON. */
"csv" | 
/**  One JSON array. */
"json";

/**  A search hit with the details that identify it. */
export type Found = 
/**  A fleet by name or id. */
{ kind: "fleet"; 
/**  Id. */
fleetId: FleetId; 
/**  Name, or id. */
name: string; 
/**  Home Region. */
region: Region } | 
/**  An alias by name or id. */
{ kind: "alias"; 
/**  Id. */
aliasId: AliasId; 
/**  Name. */
name: string; 
/**  Region. */
region: Region } | 
/**  A queue by name. */
{ kind: "queue"; 
/**  Name. */
name: QueueName; 
/**  Region. */
region: Region } | 
/**  A game session by id, name, or address and port. */
{ kind: "gameSession"; 
/**  Full ARN. */
gameSessionId: GameSessionId; 
/**  Name. */
name: string | null; 
/**  Name of its fleet. */
fleetName: string; 
/**  Status. */
status: string; 
/**  When it was created. */
creationTime: Timestamp; 
/**  When it ended. */
terminationTime: Timestamp | null } | 
/**  A player by the beginning of the id. */
{ kind: "player"; 
/**  Id. */
playerId: PlayerId } | 
/**  A placement by the beginning of its id. */
{ kind: "placement"; 
/**  Id. */
placementId: PlacementId; 
/**  Queue. */
queue: QueueName; 
/**  When its event was sent. */
eventTime: Timestamp } | 
/**  A matchmaking ticket by the beginning of its id. */
{ kind: "ticket"; 
/**  Id. */
ticketId: TicketId; 
/**  Configuration. */
configuration: string; 
/**  Region. */
region: Region; 
/**  State, as the API spells it. */
state: string } | 
/**  A player session by its whole id. */
{ kind: "playerSession"; 
/**  Id. */
playerSessionId: PlayerSessionId; 
/**  Player. */
playerId: PlayerId; 
/**  Game session. */
gameSessionId: GameSessionId } | 
/**  A compute by part of its name, its EC2 instance id, its address or its DNS name. */
{ kind: "compute"; 
/**  Name. */
computeName: string; 
/**  Fleet. */
fleetId: FleetId; 
/**  The fleet's name. */
fleetName: string; 
/**  Location. */
location: string } | 
/**  A build by name or id. */
{ kind: "build"; 
/**  Id. */
buildId: BuildId; 
/**  Name and version, or id. */
name: string; 
/**  Region. */
region: Region } | 
/**  A Realtime script by name or id. */
{ kind: "script"; 
/**  Id. */
scriptId: ScriptId; 
/**  Name and version, or id. */
name: string; 
/**  Region. */
region: Region };

/**  When rows were last confirmed against AWS, and whether that is late. */
export type Freshness = {
	/**
	 *  The oldest of the confirmations the rows depend on. `None` if one of them is missing, or if it lies ahead of
	 *  the computer's clock, so that its age is unknown.
	 */
	asOf: Timestamp | null,
	/**  Whether a confirmation is overdue. */
	stale: boolean,
};

/**  How placements ended. */
export type Funnel = {
	/**  PlacementFulfilled. */
	fulfilled: number,
	/**  PlacementCancelled. */
	cancelled: number,
	/**  PlacementTimedOut. */
	timedOut: number,
	/**  PlacementFailed. */
	failed: number,
};

/**  A key and value the game attached. */
export type GameProperty = {
	/**  Up to 32 characters. */
	key: string,
	/**  Up to 96 characters. */
	value: string,
};

/**  How a game session ended. When several are known, the greatest holds. */
export type GameSessionEnding = 
/**  GameLift no longer knew it before its end was seen. */
"unseen" | 
/**  By itself; nothing says otherwise. */
"normal" | 
/**  Its instance was replaced as unhealthy (INSTANCE_REPLACED_UNHEALTHY). */
"host_lost" | 
/**  Its server process exited without ProcessEnding(), or its container group crashed. */
"crashed" | 
/**  Its server process or container group did not report healthy and was terminated. */
"terminated_unhealthy" | 
/**  It was not activated in time (GAME_SESSION_ACTIVATION_TIMEOUT). */
"activation_timed_out" | 
/**  GameLift gave it the status ERROR. */
"error" | 
/**  EC2 reclaimed its Spot instance (INTERRUPTED). */
"interrupted" | 
/**  TerminateGameSession asked its server process to end (TRIGGERED_ON_PROCESS_TERMINATE). */
"terminated_by_request" | 
/**  TerminateGameSession ended its server process at once, or the process did not end when asked to. */
"force_terminated";

/**  Always a full ARN: `arn:aws:gamelift:<home region>::gamesession/<fleet id>/[<location>/]<id>`. */
export type GameSessionId = string;

/**  A game session as a list shows it. */
export type GameSessionRow = {
	/**  Full ARN. */
	gameSessionId: GameSessionId,
	/**  Name. */
	name: string | null,
	/**  Fleet. */
	fleetId: FleetId,
	/**  The fleet's name, or its id. */
	fleetName: string,
	/**  Home Region of the fleet. */
	region: Region,
	/**  Where it runs. */
	location: Location,
	/**  Status. Also TERMINATED if GameLift no longer knew the session and its end was not seen. */
	status: string,
	/**  AWS's reason for its status. */
	statusReason: string | null,
	/**  How it ended, told from its status, its reason and the fleet's events; absent while it is live. */
	ending: GameSessionEnding | null,
	/**  Players ACTIVE or RESERVED when last seen. */
	currentPlayerSessionCount: number,
	/**  Player slots. */
	maximumPlayerSessionCount: number,
	/**  When it was created. */
	creationTime: Timestamp,
	/**  When it ended; if its end was not seen, when GameLift was first found not to know it. */
	terminationTime: Timestamp | null,
	/**  True when `termination_time` is only a bound, because the end was not seen. */
	endUnseen: boolean,
	/**  Address. */
	ipAddress: string | null,
	/**  DNS name. */
	dnsName: string | null,
	/**  Port. */
	port: number | null,
	/**  Compute it runs on. */
	computeName: string | null,
	/**  Who created it. */
	creatorId: string | null,
	/**  `ACCEPT_ALL` or `DENY_ALL`. */
	playerSessionCreationPolicy: string | null,
	/**  Protection in force, once it has been read. */
	protectionPolicy: string | null,
};

/**  Where a game session is created without a queue. AWS: exactly one of FleetId and AliasId. */
export type GameSessionTarget = 
/**  The fleet itself. */
({ fleet: FleetId }) & { alias?: never } | 
/**  The fleet an alias leads to when the call arrives. */
({ alias: AliasId }) & { fleet?: never };

/**  The health of the whole connection. */
export type Health = {
	/**  The worst state of any Region. */
	state: HealthState,
	/**  The longest delay of any Region, in milliseconds. */
	behindMs: number,
	/**  The highest share of a published rate in any Region, 0 to 1. */
	quotaShare: number,
	/**  What is wrong in the worst Region. */
	message: string | null,
	/**  What to do about that. */
	remedy: string | null,
	/**  Each Region. */
	regions: RegionHealth[],
	/**  Each event queue. */
	feeds: FeedHealth[],
	/**  Tasks that ended unexpectedly: which, since when, why, and when each is restarted. */
	down: Down[],
	/**  Cautions, in sentences: they stop nothing but should be known. */
	cautions: string[],
	/**  Progress of the initial read of history, while it runs. */
	backfill: Backfill | null,
	/**  CloudWatch metrics requested this UTC day. */
	cloudwatchMetricsToday: number,
	/**  Their price in US dollars. */
	cloudwatchCostTodayUsd: number,
	/**  The daily cap in US dollars. */
	cloudwatchCapUsd: number,
	/**  Change notices that a slow listener has missed since the start; it then reads everything again. */
	droppedNotices: number,
	/**  The store's revision. */
	revision: number,
	/**  When this report was made. */
	now: Timestamp,
};

/**  The overall state; later variants are worse. */
export type HealthState = 
/**  Everything is read on time. */
"live" | 
/**  Nothing has been read yet. */
"starting" | 
/**  Live figures are older than they should be. */
"behind" | 
/**  AWS throttles us, or our own share of its rates is used up. */
"throttled" | 
/**  AWS denies the calls that matter most. */
"denied" | 
/**  The endpoint cannot be reached. */
"unreachable" | 
/**  AWS does not say which account the credentials belong to, so no other calls are made. */
"unproven" | 
/**  There are no valid credentials. */
"credentialsExpired" | 
/**
 *  The credentials belong to a different account than the connection and its database, so no other calls are
 *  made.
 */
"wrongAccount" | 
/**  The database cannot be written. */
"storeProblem" | 
/**  Collection was stopped. */
"stopped";

/**  A fleet in one location, as a cell of the heat table. */
export type HeatCell = {
	/**  Location. */
	location: Location,
	/**  Share (0 to 1) of server processes hosting a game session; `None` if there is no process, or that is unknown. */
	utilization: number | null,
	/**  Game sessions. Like each figure, `None` while it is unknown, and if there is none of the kind. */
	gameSessions: number | null,
	/**  Server processes. */
	processes: number | null,
	/**  Active instances. */
	activeInstances: number | null,
	/**  Desired instances. */
	desiredInstances: number | null,
	/**  Upper limit of scaling. */
	maxInstances: number | null,
};

/**  A fleet's row of the heat table. */
export type HeatRow = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Its name. */
	name: string,
	/**  Home Region. */
	region: Region,
	/**  Its state. */
	state: FleetState,
	/**  One cell for each location it runs in. */
	cells: HeatCell[],
	/**  Game sessions over all locations; `None` while those of one are unknown. */
	gameSessions: number | null,
	/**  Player sessions over all locations; the same. */
	playerSessions: number | null,
};

/**  A change that most likely helps. */
export type Help = 
/**  Point an alias back to the fleet it led to before. */
{ kind: "repointBack"; 
/**  Alias. */
aliasId: AliasId; 
/**  Its name. */
alias: string; 
/**  Where it leads now; `None` if to no fleet. */
from: FleetNamed | null; 
/**  Where it led before. */
to: FleetNamed; 
/**  Whether that fleet is known only from the game sessions that ceased on it when the alias was updated. */
isInferred: boolean } | 
/**  Raise the maximum of locations that stand at it. */
{ kind: "raiseMaximum"; 
/**  Fleet. */
fleet: FleetNamed; 
/**  Each location. */
places: Raise[]; 
/**  Whether the new maxima are those that were in force before. */
isFormer: boolean } | 
/**  Resume the automatic scaling of locations. */
{ kind: "resumeScaling"; 
/**  Fleet. */
fleet: FleetNamed; 
/**  Those locations. */
locations: Location[] } | 
/**  Give a queue back what it had before. */
{ kind: "restoreQueue"; 
/**  Queue. */
queue: QueueName; 
/**  Region. */
region: Region; 
/**  The setting, as the store names it. */
field: string };

/**  Placements that took at most this long, and longer than the previous bar. */
export type HistogramBar = {
	/**  Upper bound in milliseconds; `None` for the last bar. */
	upToMs: number | null,
	/**  Number of placements. */
	count: number,
};

/**  Whom a trouble has hit since it began. */
export type Hit = {
	/**  How many of what failed: game sessions, placements, tickets, instances. */
	count: number,
	/**  Out of how many, if that can be said. */
	of: number | null,
};

/**  Failures in one part of the time. */
export type HitBucket = {
	/**  Start. */
	at: Timestamp,
	/**  How many failed. */
	failed: number,
};

/**  What failed for a player. */
export type HitBy = 
/**  A game session ended under the player, or could not be reached by the player. */
{ kind: "gameSession"; 
/**  Game session. */
gameSessionId: GameSessionId; 
/**  Name of its fleet. */
fleetName: string; 
/**  Where it ran. */
location: Location; 
/**  Address and port of it, once known. */
address: string | null } | 
/**  A matchmaking ticket the player was in failed or timed out. */
{ kind: "ticket"; 
/**  Ticket. */
ticketId: TicketId };

/**  Those hit in one location. */
export type HitHere = {
	/**  Location. */
	location: Location,
	/**  Different players cut off there; of game sessions whose players were never read, none is counted. */
	players: number,
	/**  Game sessions that failed there. */
	gameSessions: number,
};

/**  What is counted. */
export type HitNoun = 
/**  Game sessions. */
"gameSessions" | 
/**  Placements. */
"placements" | 
/**  Matchmaking tickets. */
"tickets" | 
/**  Slots reserved for players. */
"reservations" | 
/**  Placements or tickets of which nothing is known: no event queue listens where they are. */
"unheard" | 
/**  Nothing that is counted. */
"nothing";

/**  A player whom failures of an incident hit. */
export type HitPlayer = {
	/**  Player. */
	playerId: PlayerId,
	/**  When last. */
	at: Timestamp,
	/**  How often. */
	times: number,
	/**  What failed last. */
	by: HitBy,
	/**  Where the player was at the end of the time looked at; `None` if in no game session. */
	playing: PlayerPlace | null,
};

/**  An incident. */
export type Incident = {
	/**  What it is about. */
	of: IncidentOf,
	/**  What is wrong, as text; for a span, what is looked at. */
	title: string,
	/**  The figures behind it, as text. */
	detail: string,
	/**  The alert; `None` for a span. */
	alert: Alert | null,
	/**  The rule that found the alert. */
	rule: RuleFacts | null,
	/**  When it began. */
	since: Timestamp,
	/**  When it was over; `None` while it goes on. */
	until: Timestamp | null,
	/**  What the lanes and the marks show. */
	shown: TimeRange,
	/**  When this was read. */
	at: Timestamp,
	/**  The fleets concerned, those in trouble first. */
	fleets: FleetNamed[],
	/**  Home Regions of those fleets. */
	regions: Region[],
	/**  The course of the alert, oldest first. */
	course: Phase[],
	/**  Start of each bucket of the lanes, ascending. */
	times: Timestamp[],
	/**  The lanes, over those buckets. */
	lanes: Lane[],
	/**  What happened in the range shown, oldest first, at most 600. */
	marks: IncidentMark[],
	/**  Likely causes, the likeliest first; of a span, those of the alerts that were open in it. */
	causes: CauseStory[],
	/**  What is said in their place while there is none. */
	unexplained: string,
	/**
	 *  What was changed in a span before the first failure, newest first, at most 8, without the likely causes; empty
	 *  for an alert, whose timeline begins before it.
	 */
	changedBefore: EvidenceLine[],
	/**  What was looked at and is not the cause. */
	ruledOut: CauseFact[],
	/**  What is offered; `None` for what is over, and for a span. */
	offered: Offered | null,
	/**  Whom it hit. */
	who: WhoIsHit,
	/**  What failed, for a list. */
	failed: FailedList,
	/**  What to compare; `None` where nothing can be compared. */
	compared: IncidentCompared | null,
	/**
	 *  What to compare to find what is different in a span: all of it against the rest of the time around it; `None`
	 *  for an alert.
	 */
	apart: IncidentCompared | null,
	/**  Times in the range shown for which nothing is known, oldest first. */
	gaps: TimeRange[],
	/**  Age of what it rests on. */
	freshness: Freshness,
};

/**  What is compared with the rest, to find what is different about the bad ones. */
export type IncidentCompared = 
/**  Game sessions that match a query, against the others of the range. */
{ kind: "sessions"; 
/**  In the query language. */
text: string; 
/**  The range. */
range: TimeRange } | 
/**  Placements that failed or timed out, against the others. */
{ kind: "placements"; 
/**  Which. */
scope: PlacementScope; 
/**  The range. */
range: TimeRange; 
/**  If given, those that ended in this span against the others, however they ended. */
span: TimeRange | null } | 
/**  Tickets that failed or timed out, against the others. */
{ kind: "tickets"; 
/**  Which. */
scope: TicketScope; 
/**  The range. */
range: TimeRange; 
/**  If given, those that ended in this span against the others, however they ended. */
span: TimeRange | null };

/**  A mark. */
export type IncidentMark = {
	/**  Identifies it; stable when it is read again. */
	key: string,
	/**  When. */
	at: Timestamp,
	/**  What it stands for. */
	kind: MarkKind,
	/**  How much it matters. */
	severity: Severity,
	/**  What it is, as text. */
	text: string,
	/**  Whether it is a likely cause. */
	isCause: boolean,
};

/**  What an incident is about. */
export type IncidentOf = 
/**  An alert. */
{ kind: "alert"; 
/**  Its id. */
id: AlertId } | 
/**  Any span of time. */
{ kind: "span"; 
/**  What is looked at. */
scope: IncidentScope; 
/**  The span. */
range: TimeRange };

/**  What a span is looked at for. */
export type IncidentScope = 
/**  Everything. */
{ kind: "all" } | 
/**  The fleets of a home Region. */
{ kind: "region"; 
/**  Region. */
region: Region } | 
/**  A fleet. */
{ kind: "fleet"; 
/**  Fleet. */
fleetId: FleetId } | 
/**  A queue, with the fleets it leads to. */
{ kind: "queue"; 
/**  Name. */
name: QueueName; 
/**  Region. */
region: Region } | 
/**  An alias, with the fleets it led to in the span. */
{ kind: "alias"; 
/**  Alias. */
aliasId: AliasId } | 
/**  A matchmaking configuration. */
{ kind: "matchmaking"; 
/**  Name. */
name: string; 
/**  Region. */
region: Region } | 
/**  The fleets that run a build or a Realtime script. */
{ kind: "build"; 
/**  Its id. */
id: string };

/**  The computes of a fleet. */
export type InstanceList = {
	rows: InstanceRow[],
	/**  The server processes of each location. */
	locations: LocationProcesses[],
	/**  Where the number of server processes comes from. */
	basis: ProcessBasis,
	/**  The same in words, with what GameLift does not tell. */
	note: string,
	freshness: Freshness,
};

/**  A compute of a fleet. */
export type InstanceRow = {
	instanceId: string,
	computeName: string,
	status: string,
	location: Location,
	type: string | null,
	ipAddress: string | null,
	dnsName: string | null,
	creationTime: Timestamp | null,
	gameSessions: number,
	playerSessions: number,
	/**
	 *  Server processes that the runtime configuration starts on it; `None` while it starts or ends, and where nothing
	 *  says so.
	 */
	processes: number | null,
};

/**  What is to be previewed. */
export type Intent = 
/**  These changes. More than one becomes a run. */
{ kind: "actions"; of: Action[] } | 
/**  Back to the state before an earlier change. */
{ kind: "undo"; of: ActivityId } | 
/**  The orderly end of everything on a fleet. */
{ kind: "drain"; of: DrainPlan } | 
/**  The rest of a paused run. */
{ kind: "resume"; of: RunId };

/**  A field that the service would reject. */
export type ItemError = {
	/**  Index of the change, from 0. */
	item: number,
	field: string,
	message: string,
};

/**  A rule of one's own with whose it is. */
export type KeptRule = {
	/**  The rule. */
	rule: CustomRule,
	/**  When it was saved. */
	at: Timestamp,
	/**  The name of the computer's user; empty if the system gave none. */
	by: string,
};

/**  What is known about all Regions. */
export type Knowledge = {
	/**  Each Region that was ever asked about. */
	regions: RegionKnown[],
	/**  Since when nothing can be read of any Region; `None` while something can. */
	blindSince: Timestamp | null,
	/**  When alerts were last judged; `None` if never. */
	judgedAt: Timestamp | null,
	/**  Whether everything is fresh and was judged as such: only then may anything be called well. */
	isComplete: boolean,
};

/**  A key figure. */
export type Kpi = {
	/**  Which figure. */
	key: KpiKey,
	/**  The value, now or at the end of a range that is over; `None` if unknown. */
	value: number | null,
	/**  The total that the value is part of. */
	of: number | null,
	/**  What is usual at the hour of the value; `None` while too little is known. */
	usual: Usual | null,
	/**  How the value stands to that. */
	standing: Standing,
	/**  Placements: share (0 to 1) that failed or timed out. */
	failedShare: number | null,
	/**  The shares that are usual for as many placements at this hour; `None` while too little is known. */
	usualFailedShare: UsualShare | null,
	/**  How many fleets the value leaves out, because theirs is unknown. */
	unknownFleets: number,
	/**  Values over the range, `None` for gaps. */
	spark: (number | null)[],
	/**  Lower end of what was usual at each of those times, `None` where too little is known. */
	sparkLow: (number | null)[],
	/**  Upper end. */
	sparkHigh: (number | null)[],
	/**  Freshness of the value. */
	freshness: Freshness,
};

/**  Identifies a key figure. */
export type KpiKey = 
/**  Crashes of server processes in the last 15 min. */
"crashes" | 
/**  Player sessions ACTIVE or RESERVED. */
"playersOnline" | 
/**  Running game sessions. */
"activeSessions" | 
/**  Active instances, out of the maximum that scaling allows. */
"instances" | 
/**  Server processes without a game session. */
"freeProcesses" | 
/**  Placements ended per minute. */
"placementsPerMinute" | 
/**  95th percentile of the wait of matched players, in seconds. */
"matchmakingWaitP95";

/**  Lines with one scale. */
export type Lane = {
	/**  Title. */
	title: string,
	/**  What its values are. */
	unit: LaneUnit,
	/**  Whether the area below its lines is tinted, and each value holds to the next. */
	isStep: boolean,
	/**  Whether the figures count the whole incident; else they are the newest values. */
	countsAll: boolean,
	/**  Its lines. */
	lines: LaneLine[],
};

/**  A line of a lane. */
export type LaneLine = {
	/**  Its label. */
	label: string,
	/**  What it stands for. */
	tone: Tone,
	/**  A value for each bucket; `None` is a gap. */
	values: (number | null)[],
	/**  The figure of the line, as text: `12 of 17`. */
	figure: string,
};

/**  What the values of a lane are. */
export type LaneUnit = 
/**  Whole numbers. */
"count" | 
/**  Percent, 0 to 100. */
"percent";

/**  A latency policy of a queue. */
export type LatencyPolicy = {
	/**  The highest latency any player may have, in milliseconds. */
	maximumIndividualPlayerLatencyMs: number | null,
	/**  For how many seconds the policy applies; the last one applies to the end. */
	policyDurationSeconds: number | null,
};

/**  How far learning has come while too little is known. */
export type Learning = {
	/**  Days of the same kind (working day or weekend) that have a value for this hour. */
	days: number,
	/**  Days needed. */
	ofDays: number,
};

/**  All changes that are left out. */
export type LeftOut = {
	/**  How many. */
	total: number,
	/**  How many for each reason: `56 035 already ended, 1 that AWS would refuse`. */
	sentence: string,
	/**  Each of them. A screen receives only the first 200. */
	rows: Skipped[],
};

/**  A likely cause. */
export type Likely = {
	/**  What it is. */
	cause: LikelyCause,
	/**  How strongly the facts speak for it. */
	strength: Strength,
	/**  When it happened or began, if that is known. */
	at: Timestamp | null,
};

/**  What may be the cause. */
export type LikelyCause = 
/**  A recorded change. */
{ kind: "changed"; 
/**  The change. */
change: Change } | 
/**  An alias was updated. Only its LastUpdatedTime tells, so what it pointed to before is not known. */
{ kind: "aliasUpdated"; 
/**  Name of the alias. */
alias: string; 
/**  The fleet it points to now. */
fleet: string } | 
/**  The fleet was created shortly before. */
{ kind: "newFleet"; 
/**  Its name. */
fleet: string } | 
/**
 *  The rule set of a matchmaking configuration was created shortly before: it may have been given to the
 *  configuration then.
 */
{ kind: "newRuleSet"; 
/**  Name of the configuration. */
configuration: string; 
/**  Name of the rule set. */
ruleSet: string } | 
/**  A fleet that game sessions are placed on gets no more instances: the account's limit for its type is reached. */
{ kind: "instanceLimit"; 
/**  The fleet's name. */
fleet: string; 
/**  Its EC2 instance type. */
instanceType: string; 
/**  Where. */
locations: Location[]; 
/**  Instances of that type that the account has in these locations. */
current: number; 
/**  Instances that it may have there. */
limit: number } | 
/**  A fleet that game sessions are placed on is at its maximum with no free server process. */
{ kind: "atMaximum"; 
/**  Its name. */
fleet: string; 
/**  Where. */
locations: Location[] } | 
/**  A fleet that game sessions are placed on has no free server process. */
{ kind: "full"; 
/**  Its name. */
fleet: string; 
/**  Instances that are desired but not yet active. */
comingInstances: number } | 
/**  Automatic scaling of a full fleet is suspended. */
{ kind: "scalingSuspended"; 
/**  Its name. */
fleet: string } | 
/**  A destination of the queue cannot host game sessions. */
{ kind: "destinationNotActive"; 
/**  Its name. */
fleet: string; 
/**  Its status. */
status: string } | 
/**  A destination of the queue is an alias that leads to no fleet. */
{ kind: "destinationTerminal"; 
/**  Name of the alias. */
alias: string } | 
/**  A destination of the queue has no instances, or none of the locations that the queue allows. */
{ kind: "destinationUnusable"; 
/**  The destination, and why it cannot host game sessions. */
lost: LostDestination } | 
/**  The latency policies of the queue may leave players no destination: the destinations have room. */
{ kind: "latencyPolicies"; 
/**  Queue. */
queue: string; 
/**  The highest latency that any of its policies allows a player, in milliseconds. */
maximumMs: number; 
/**  Server processes of its destinations without a game session. */
freeProcesses: number } | 
/**  Game sessions of a destination crash, or instances are interrupted. */
{ kind: "elsewhere"; 
/**  The rule of that other trouble. */
rule: Rule; 
/**  Name of the fleet or queue. */
name: string } | 
/**  More game sessions are asked for than in the hour before. */
{ kind: "moreDemand"; 
/**  Region of the queues. */
region: Region; 
/**  Placements that ended per minute around the beginning. */
perMin: number; 
/**  The same in the hour before. */
beforePerMin: number } | 
/**  Game sessions start late in one location. */
{ kind: "oneLocation"; 
/**  The location. */
location: Location; 
/**  Game sessions of this fleet that were not activated in time there, or are late now. */
failed: number; 
/**  The same anywhere. */
of: number; 
/**  How many fleets are late there, this one included. */
fleets: number } | 
/**  EC2 needs the capacity back. */
{ kind: "spot" } | 
/**  Every Region stopped answering within seconds: the fault is likely on this side. */
{ kind: "ownNetwork" };

/**  A limit of scaling. */
export type Limit = 
/**  The minimum number of instances. */
"minimum" | 
/**  The maximum number of instances. */
"maximum";

/**  A window with the freshness of its rows. */
export type Listed<T> = {
	/**  The requested rows. */
	rows: T[],
	/**  Rows in the whole list, as in [`Window::total`]. */
	total: number,
	/**  Whether `total` counts all rows; false if counting stopped and there are more. */
	totalIsExact: boolean,
	/**  Freshness of the rows. */
	freshness: Freshness,
};

/**  Where a fleet runs: a Region code, a Local Zone code or `custom-…` (AWS: API Reference, Location). */
export type Location = string;

/**  The server processes of a location. */
export type LocationProcesses = {
	location: Location,
	/**  Computes that are ACTIVE. */
	computes: number,
	/**  Server processes or container groups that they are to run; `None` if nothing says so. */
	configured: number | null,
	/**  Server processes or container groups that run, as GameLift counts them; `None` if it does not. */
	running: number | null,
	/**  Game sessions on the listed computes. */
	gameSessions: number,
};

/**  A destination of a queue that cannot host a game session. */
export type LostDestination = {
	/**  Name of the fleet or alias. */
	name: string,
	/**  Why. */
	why: Unusable,
};

/**  A mark below the charts. */
export type Mark = {
	/**  Identifies the mark. */
	key: string,
	/**  When. */
	at: Timestamp,
	/**  Kind. */
	kind: ChangeKind,
	/**  How much it matters. */
	severity: Severity,
	/**  What happened. */
	text: string,
	/**  The attempt or run of this installation that did it; `None` if it was not ours. */
	byUs: ByUs | null,
};

/**  What a mark stands for. */
export type MarkKind = 
/**  A failure. */
"failure" | 
/**  An alias, a queue, a limit, a policy or the like was changed. */
"change" | 
/**  A scaling step. */
"scaling" | 
/**  A fleet event. */
"event";

/**  A player of a ticket. */
export type MatchPlayer = {
	/**  Player. */
	playerId: PlayerId,
	/**  Team; only for a backfill, where it is required. */
	team: string | null,
	/**  At most 10. */
	attributes: PlayerAttribute[],
	/**  Latencies to Regions, as measured by the player. */
	latencies: RegionLatency[],
};

/**  Which alerts a silence covers: those that match everything that is given. */
export type Matchers = {
	/**  Any of these rules; every rule if empty. */
	rules: string[],
	/**  The Region. */
	region: Region | null,
	/**  The fleet. */
	fleetId: FleetId | null,
	/**  What the alert is about, exactly. */
	subject: string | null,
};

/**  A matchmaking configuration, with statistics over the requested range. */
export type MatchmakingConfigurationRow = {
	name: string,
	region: string,
	arn: string | null,
	description: string | null,
	queueArns: string[],
	requestTimeoutSeconds: number | null,
	acceptanceRequired: boolean,
	acceptanceTimeoutSeconds: number | null,
	ruleSetName: string | null,
	/**  Indented JSON. */
	ruleSetBody: string | null,
	backfillMode: string | null,
	flexMatchMode: string | null,
	additionalPlayerCount: number | null,
	matches: number,
	failed: number,
	timedOut: number,
	waitP50Ms: number | null,
	waitP95Ms: number | null,
	/**  Share of the players asked that accepted, 0 to 1. */
	acceptanceRate: number | null,
};

/**  A FlexMatch event. */
export type MatchmakingEventRow = {
	key: string,
	at: Timestamp,
	type: string,
	configuration: string,
	region: string,
	tickets: string[],
	players: number,
	matchId: string | null,
	text: string,
	severity: Severity,
};

/**  All configurations, and the number of tickets in each state. */
export type MatchmakingOverview = {
	configurations: MatchmakingConfigurationRow[],
	ticketsByState: TicketCount[],
	freshness: Freshness,
};

/**  What is told at once: alerts of one rule in one Region. */
export type Message = {
	/**  The alerts, those with news first. */
	alerts: ToldAlert[],
};

/**  The metrics of a fleet, of one of its locations, or of a metric group. */
export type MetricList = {
	/**  By topic, then by name. */
	rows: MetricRow[],
	/**  When CloudWatch was last read. */
	freshness: Freshness,
};

/**  A metric. */
export type MetricRow = {
	/**  Number by which its values are read. It holds for this database only. */
	key: number,
	/**  Name, as CloudWatch spells it. */
	name: string,
	/**  What else tells it from others of the same name, such as a container group type. */
	more: string[],
	topic: MetricTopic,
	unit: MetricUnit,
	statistic: MetricStatistic,
};

/**  The statistic that is read of a metric. */
export type MetricStatistic = 
/**  The average over the period, for what has a level. */
"Average" | 
/**  The sum over the period, for what happens. */
"Sum";

/**  Of what a figure is taken. */
export type MetricSubject = 
/**  Each fleet of the connection. */
{ kind: "eachFleet" } | 
/**  A fleet, or one of its locations. */
{ kind: "fleet"; 
/**  The fleet. */
fleetId: FleetId; 
/**  Only this location. */
location: Location | null } | 
/**  A queue. */
{ kind: "queue"; 
/**  Its name. */
name: QueueName; 
/**  Its Region. */
region: Region } | 
/**  A matchmaking configuration. */
{ kind: "configuration"; 
/**  Its name. */
name: string; 
/**  Its Region. */
region: Region };

/**  What a metric of a fleet is about, as AWS groups them. */
export type MetricTopic = 
/**  Instances. */
"instances" | 
/**  Server processes. */
"serverProcesses" | 
/**  Game sessions. */
"gameSessions" | 
/**  Player sessions. */
"playerSessions" | 
/**  Processor, network and disks of all instances in a location. */
"hardware" | 
/**  Containers and their groups. */
"containers" | 
/**  The player gateway. */
"playerGateway" | 
/**  A metric that is not known here. */
"other";

/**  The unit of a metric. */
export type MetricUnit = 
/**  A number of things. */
"Count" | 
/**  A percentage, 0 to 100. */
"Percent" | 
/**  Bytes in the period. */
"Bytes" | 
/**  Not known: CloudWatch tells units neither in its list of metrics nor with their values. */
"Unknown";

/**  Whose metrics to list. */
export type MetricsOf = 
/**  A fleet as a whole, or one of its locations. */
{ kind: "fleet"; 
/**  The fleet. */
fleetId: FleetId; 
/**  Only this location; the fleet as a whole when `None`. */
location: Location | null } | 
/**  A metric group. */
{ kind: "group"; 
/**  Name. */
name: string; 
/**  Region; a group of another Region with the same name is another group. */
region: Region };

/**  Selects values of listed metrics for charts. */
export type MetricsRequest = {
	/**  Keys of the metrics; one column for each, in this order. At most 500. */
	keys: number[],
	/**  The time range. */
	range: TimeRange,
	/**  Maximum number of rows to return. */
	maxPoints: number,
};

/**  Whether the connection may be changed. */
export type Mode = 
/**  Nothing can be sent. */
{ kind: "readOnly" } | 
/**  A person unlocked it. */
{ kind: "operator"; 
/**  When the unlocked time ends. */
until: Timestamp };

/**  A player to reserve a slot for. */
export type NewPlayerSession = {
	/**  Player, 1 to 1024 characters. */
	playerId: PlayerId,
	/**  1 to 2048 characters. */
	playerData: string | null,
};

/**  A message to one channel. */
export type Notification = {
	/**  Id. */
	id: NotificationId,
	/**  Name of the channel. */
	channel: string,
	/**  What belongs together: rule and Region. */
	topic: string,
	/**  How far it has come. */
	state: NotificationState,
	/**  When it was handed over for delivery. */
	queuedAt: Timestamp,
	/**  When the next attempt is due. */
	dueAt: Timestamp,
	/**  Attempts begun. */
	attempts: number,
	/**  Whether an attempt ended without an answer: the receiver may have it already. */
	mayBeRepeat: boolean,
	/**  When it was delivered, failed or superseded. */
	endedAt: Timestamp | null,
	/**  Why the last attempt failed. */
	detail: string | null,
	/**  The message. */
	message: Message,
};

/**  A message to one channel; a UUID. The same at every attempt, so that a receiver can tell a repeat. */
export type NotificationId = string;

/**  How far a delivery has come. */
export type NotificationState = 
/**  To be sent when due. */
"waiting" | 
/**  Being sent. Durable before the attempt. */
"sending" | 
/**  The receiver has accepted it. */
"delivered" | 
/**  It was rejected, or could not be delivered for a day. */
"failed" | 
/**  A later message tells the same and more. */
"superseded";

/**  A change that is offered. */
export type Offer = {
	/**  What it is. */
	help: Help,
	/**  The changes to preview; several become a run. */
	actions: Action[],
	/**  What it is, in words: `Point arena-live-eu back to arena-prod-eu`. */
	title: string,
	/**  What the button says. */
	button: string,
	/**  Why it is likely to help. */
	why: string,
	/**  What it would change, as of now. */
	facts: OfferFact[],
	/**  The same in the terminal, a command for each change. */
	commands: string[],
};

/**  One thing that the change would change, or leave. */
export type OfferFact = {
	/**  What. */
	label: string,
	/**  As it is. */
	before: string,
	/**  As it would be. */
	after: string,
};

/**  What is offered against a trouble. */
export type Offered = 
/**  A change. */
{ kind: "change"; of: Offer } | 
/**  No change is safe. What to look at, in a sentence. */
{ kind: "look"; of: string };

/**  Another reader of an adopted queue. Messages it takes are lost to us. */
export type OtherReader = {
	/**  Deliveries to the other reader, as far as they were noticed. */
	deliveries: number,
	/**  When the first was noticed. */
	since: Timestamp,
};

/**  The content of the Overview screen. */
export type Overview = {
	/**
	 *  The end of a range that is over: figures, heat table and states are of that moment, alerts of the range. `None`
	 *  while they are of now.
	 */
	figuresAt: Timestamp | null,
	/**  The parts of a range that is over about which nothing is known, by Region. No alert in such a part means nothing. */
	unwatched: Unwatched[],
	/**  Key figures, in the order of the screen. */
	kpis: Kpi[],
	/**  Locations of the heat table, in an order that only changes with the fleets. */
	locations: Location[],
	/**  Rows of the heat table, by Region and name. */
	heat: HeatRow[],
	/**  Freshness of the heat table. */
	heatFreshness: Freshness,
	/**
	 *  Alerts that fire or recover, the worst first, then in the order they began. Of a range that is over, those that
	 *  were open at some time in it, at most 500.
	 */
	alerts: Alert[],
	/**  What was seen and is no alert, or not yet, in the order it began; of now only. */
	seen: Alert[],
	/**  What is known of now, and as of when. */
	knowledge: Knowledge,
	/**  What changed in the range, newest first. */
	changes: Change[],
	/**  The same range in short, further back: what people did and what happened. */
	folded: Folded,
	/**  Regions in the store. */
	regions: number,
	/**  Fleets that exist, or did at that moment. */
	fleets: number,
};

/**  The part of a list to return. */
export type Page = {
	/**  Rows to skip. */
	offset: number,
	/**  Rows to return; capped at [`Page::MOST`]. */
	limit: number,
};

/**  A part of a fleet. */
export type Part = 
/**  A scaling policy, by name. */
{ kind: "policy"; id: string } | 
/**  A location. */
{ kind: "location"; id: Location } | 
/**  A deployment, by id. */
{ kind: "deployment"; id: string };

/**  One action tried in one Region. */
export type PermissionCheck = {
	/**  IAM action, such as `gamelift:DescribeFleetEvents`. */
	action: string,
	/**  What the program needs it for. */
	feature: string,
	/**  Region. */
	region: Region,
	/**  Result. */
	outcome: PermissionOutcome,
	/**  The error in words, unless allowed. */
	detail: string | null,
	/**  AWS request id of the refusal. */
	requestId: string | null,
};

/**  The result of trying an action. */
export type PermissionOutcome = 
/**  Allowed. */
"allowed" | 
/**  Denied. */
"denied" | 
/**  Undecided, because something else went wrong. */
"failed";

/**  A time in the course of an alert. */
export type Phase = {
	/**  State; `None` where there was no data that could tell. */
	state: AlertState | null,
	/**  From when. */
	from: Timestamp,
	/**  Until when; `None` while it goes on. */
	to: Timestamp | null,
};

/**  Where an address or a key is found. */
export type Place = 
/**  In this environment variable of the program that sends. */
{ from: "environment"; name: string } | 
/**  In this file on the computer that sends; only its owner may read it. */
{ from: "file"; name: string } | 
/**  Here: it is no secret. */
{ from: "plain"; name: string };

/**  One placement with its history. */
export type PlacementDetail = {
	placementId: PlacementId,
	status: string,
	queue: string,
	region: Region,
	gameSessionId: GameSessionId | null,
	gameSessionName: string | null,
	startTime: Timestamp | null,
	endTime: Timestamp | null,
	maximumPlayerSessionCount: number | null,
	ipAddress: string | null,
	dnsName: string | null,
	port: number | null,
	players: PlacementPlayerRow[],
	events: PlacementMoment[],
	canStop: boolean,
	freshness: Freshness,
};

/**  A group of placements. */
export type PlacementGroup = {
	/**  The value that selects this group in a [`PlacementScope`]. */
	key: string,
	/**  The Region of a queue: two may have one of the same name. */
	region: Region | null,
	label: string,
	statistics: PlacementStatistics,
};

/**  The placements of a range in groups, the largest first. */
export type PlacementGroups = {
	groups: PlacementGroup[],
	freshness: Freshness,
};

/**  Chosen by whoever started the placement; unique over all Regions and never reused. */
export type PlacementId = string;

/**  An event in the history of a placement. */
export type PlacementMoment = {
	at: Timestamp,
	type: string,
	text: string,
};

/**  One page of placements, with statistics over the whole range. */
export type PlacementPage = {
	rows: PlacementRow[],
	total: number,
	/**  Whether `total` counts all rows; false if counting stopped and there are more. */
	totalIsExact: boolean,
	statistics: PlacementStatistics,
	freshness: Freshness,
};

/**  A player to reserve a slot for once the session exists. */
export type PlacementPlayer = {
	/**  Player, 1 to 1024 characters. */
	playerId: PlayerId,
	/**  1 to 2048 characters. */
	playerData: string | null,
	/**  Latencies to Regions, as measured by the player. */
	latencies: RegionLatency[],
};

/**  A player of a placement. */
export type PlacementPlayerRow = {
	playerId: PlayerId,
	playerSessionId: PlayerSessionId | null,
	latencies: RegionLatency[],
};

/**  Selects placements. */
export type PlacementRequest = {
	/**  Only placements in this scope. */
	scope: PlacementScope,
	/**  Only these outcomes; all when empty. */
	eventTypes: string[],
	/**
	 *  Only placements whose id begins with this, that placed a player with exactly this id, or that belong to a
	 *  match this player was in.
	 */
	text: string,
	/**  When the event was sent. */
	range: TimeRange,
	/**  The page wanted, newest first. */
	page: Page,
};

/**  A placement and its outcome. */
export type PlacementRow = {
	/**  Key within this database. */
	eventKey: number,
	/**  Placement. */
	placementId: PlacementId,
	/**  Outcome. */
	eventType: string,
	/**  Queue. */
	queue: QueueName,
	/**  Region of the queue. */
	region: Region,
	/**  When the event was sent. */
	eventTime: Timestamp,
	/**  When the placement was queued. */
	startTime: Timestamp | null,
	/**  When the placement ended; if the event does not say, when the event was sent. */
	endTime: Timestamp,
	/**  Milliseconds from queued to ended. */
	durationMs: number | null,
	/**  The game session created. */
	gameSessionId: GameSessionId | null,
	/**  Fleet of that session. */
	fleetId: FleetId | null,
	/**  Location of that session. */
	location: Location | null,
	/**  Players placed. */
	players: number,
};

/**  Selects placements regardless of time; all of them by default. */
export type PlacementScope = {
	/**  Only of this queue. */
	queue: string | null,
	/**  Only of queues in this Region. */
	region: Region | null,
	/**  Only placements with this destination: the id of a fleet, or `nowhere`. */
	destination: string | null,
	/**
	 *  Only placements with this value of what placements are compared by, such as `fleet=fleet-1`: as far as known of
	 *  failed and fulfilled ones alike, so a fleet is one that the queue leads to now.
	 */
	having: string | null,
};

/**  What placements can be split by. */
export type PlacementSplit = 
/**  By queue. */
"queue" | 
/**  By the Region of the queue. */
"region" | 
/**  By the fleet that took them. */
"destination";

/**  Outcomes and times to place over a range. */
export type PlacementStatistics = {
	/**  How they ended. */
	funnel: Funnel,
	/**  Median time to place of the fulfilled, in milliseconds. */
	p50Ms: number | null,
	/**  95th percentile. */
	p95Ms: number | null,
	/**  99th percentile. */
	p99Ms: number | null,
	/**  Fulfilled placements by time to place, quickest first. */
	histogram: HistogramBar[],
};

/**  What GameLift answered in one Region when it was asked about a player. What it told is in the database. */
export type PlayerAsked = {
	region: Region,
	askedAt: Timestamp,
	/**
	 *  Number of player sessions GameLift has of the player. AWS: they are kept until 30 days after their game session
	 *  ended.
	 */
	playerSessions: number,
	/**  Number of their game sessions that were not read: too many, or GameLift has them no longer. */
	unread: number,
	/**  Why the answer is missing or not whole. */
	failure: AppError | null,
};

/**  A player's attribute. */
export type PlayerAttribute = {
	/**  Name, as the rule set spells it. */
	name: string,
	/**  Value. */
	value: AttributeValue,
};

/**  The data of one player session. */
export type PlayerData = {
	/**  Player session. */
	playerSessionId: PlayerSessionId,
	/**  `PlayerData`, as it was given when the slot was reserved (AWS: 1 to 2048 characters). */
	text: string,
	/**  The same, laid out over several lines if it is JSON. */
	pretty: string,
};

/**  Everything known about one player, newest first. */
export type PlayerDossier = {
	playerId: PlayerId,
	/**  At most 200. */
	sessions: DossierSession[],
	/**  Number of player sessions. */
	total: number,
	placements: DossierPlacement[],
	tickets: TicketRow[],
	latencies: PlayerLatencies[],
	companions: Companion[],
	freshness: Freshness,
};

/**  A player found, with the newest of their player sessions and placements. */
export type PlayerHit = {
	/**  Player. */
	playerId: PlayerId,
	/**  Newest first. */
	playerSessions: PlayerSessionRow[],
	/**  Number of their player sessions. */
	total: number,
	/**  Placements that placed the player, and those of matches the player was in, newest first. */
	placements: PlacementRow[],
	/**  Number of their matchmaking tickets. */
	tickets: number,
};

/**  Chosen by the game, up to 1024 characters. */
export type PlayerId = string;

/**  The latencies a player had measured when a placement or a ticket was made. */
export type PlayerLatencies = {
	/**  Placement or ticket id. */
	of: string,
	/**  Whether `of` is a ticket. */
	isTicket: boolean,
	/**  When it was queued. */
	at: Timestamp,
	/**  Region or location, and milliseconds. */
	latencies: ([string, number])[],
};

/**  The game session a player is in. */
export type PlayerPlace = {
	/**  Game session. */
	gameSessionId: GameSessionId,
	/**  Fleet. */
	fleetId: FleetId,
	/**  The fleet's name. */
	fleetName: string,
};

/**  Whether new players may join. */
export type PlayerSessionCreationPolicy = 
/**  `ACCEPT_ALL` */
"ACCEPT_ALL" | 
/**  `DENY_ALL` */
"DENY_ALL";

/**  `psess-…`; not an ARN. */
export type PlayerSessionId = string;

/**  A player session with its game session, fleet and Region. */
export type PlayerSessionRow = {
	/**  Id. */
	playerSessionId: PlayerSessionId,
	/**  Player. */
	playerId: PlayerId,
	/**  Game session. */
	gameSessionId: GameSessionId,
	/**  Fleet. */
	fleetId: FleetId,
	/**  The fleet's name, or its id. */
	fleetName: string,
	/**  Home Region of the fleet. */
	region: Region,
	/**  Status. Also COMPLETED if it was live and then missing from a complete listing. */
	status: string,
	/**  When the slot was reserved. */
	creationTime: Timestamp,
	/**  When it ended, or was first found gone. */
	terminationTime: Timestamp | null,
	/**  True when `termination_time` is only a bound, because the end was not seen. */
	endUnseen: boolean,
	/**  Whether the game attached data. */
	hasPlayerData: boolean,
};

/**  Steps that scaling policies made, as far as is known. */
export type PolicySteps = {
	/**  How many there were. */
	steps: number,
	/**  Instances they added, less those they removed. */
	netInstances: number,
	/**  When each was made, newest first. */
	times: Timestamp[],
};

/**  What can be polled. */
export type PollKind = 
/**  Fleet attributes of the Region. */
"fleets" | 
/**  Locations of a fleet. */
"fleet_locations" | 
/**  Capacity of a fleet, all locations. */
"fleet_capacity" | 
/**  Utilization of a fleet, all locations. */
"fleet_utilization" | 
/**  The account's instance limits, all locations of the Region's fleets. */
"instance_limits" | 
/**  Computes of a fleet. */
"computes" | 
/**  Events of a fleet. */
"fleet_events" | 
/**  Policies of a fleet. */
"scaling_policies" | 
/**  Runtime configuration and ports of a fleet. */
"fleet_configuration" | 
/**  Live game sessions of a fleet. */
"game_sessions" | 
/**  Ended game sessions of a fleet. */
"ended_game_sessions" | 
/**  Player sessions of a game session. */
"player_sessions" | 
/**  Queues. */
"queues" | 
/**  Aliases. */
"aliases" | 
/**  Matchmaking configurations. */
"matchmaking_configurations" | 
/**  Matchmaking rule sets. */
"matchmaking_rule_sets" | 
/**  Builds. */
"builds" | 
/**  Scripts. */
"scripts" | 
/**  Event feed of an SQS queue. */
"event_feed" | 
/**  CloudWatch metrics. */
"metrics" | 
/**  CloudTrail's event history, for who made the changes that were seen. */
"trail" | 
/**  Placements that failed: who was to be placed, which no event tells. */
"failed_placements";

/**  A range of open ports. */
export type PortRange = {
	fromPort: number,
	toPort: number,
	ipRange: string,
	protocol: string,
};

/**  A filled-in form kept for the next time, identified by its kind and name together. */
export type Preset = {
	/**  Name, chosen by a person. */
	name: string,
	/**  Which form. */
	kind: PresetKind,
	/**  The form's content, as JSON in the form's own format. */
	body: string,
};

/**  The form that a preset fills in. */
export type PresetKind = 
/**  The creation of a game session. */
"newSession";

/**  A preview. A confirmation carries out exactly this, or nothing. */
export type Preview = {
	/**  Id. */
	id: PreviewId,
	/**  What is going to happen, as a heading: `Repoint alias live to fleet-b`. */
	title: string,
	/**  Each change that would be sent, with its facts. */
	items: PreviewItem[],
	/**  Changes that are not sent even if the preview is confirmed; `None` if nothing is left out. */
	leftOut: LeftOut | null,
	/**  Whether it can be confirmed: it has a change to send, or resumes a run. */
	confirmable: boolean,
	/**  Who is affected. */
	blast: Blast,
	/**  What to know before confirming, worst first. */
	warnings: Warning[],
	/**  Whether it can be undone. */
	undo: UndoOffer,
	/**  Text that must be typed to confirm it; `None` if a click is enough. */
	mustType: string | null,
	/**  The equivalent `aws gamelift …` lines, one per item. */
	commands: string[],
	/**  From this time on it can no longer be confirmed. */
	expiresAt: Timestamp,
};

/**  Identifies a preview, so that it can be confirmed. */
export type PreviewId = string;

/**  One change of a preview. */
export type PreviewItem = {
	/**  What is asked of AWS. */
	action: Action,
	/**  Name of the resource. */
	resourceName: string | null,
	/**  What it changes. */
	facts: FactChange[],
};

/**  Whom AWS takes a caller for. */
export type Principal = 
/**  An IAM user. */
{ kind: "user"; 
/**  Name of the user. */
name: string } | 
/**  A session of an IAM role. For a role of IAM Identity Center the session is named after the person. */
{ kind: "role"; 
/**  Name of the role. */
role: string; 
/**  Name of the session. */
session: string | null; 
/**  ARN of the role that issued the session. */
issuer: string | null } | 
/**  A user of IAM Identity Center who acts without a role. */
{ kind: "identityCenter"; 
/**  Id in the identity store. */
userId: string } | 
/**  The root user of the account. */
{ kind: "root" } | 
/**  An AWS service. */
{ kind: "service"; 
/**  Its name, such as `autoscaling.amazonaws.com`. */
name: string } | 
/**  Another form of identity, as CloudTrail spells it. */
{ kind: "other"; 
/**  The type, such as `FederatedUser`. */
of: string; 
/**  A name or ARN, if there is one. */
name: string | null };

/**  PriorityConfigurationOverride. AWS: the queue must prioritise LOCATION, and latencies may not be given. */
export type PriorityOverride = {
	/**  Locations in order, 1 to 10. */
	locationOrder: string[],
	/**  Whether the queue's own order follows: `DEFAULT_AFTER_SINGLE_PASS` if true, else `NONE`. */
	fallBack: boolean,
};

/**  Where the number of a compute's server processes comes from. */
export type ProcessBasis = 
/**  The runtime configuration: so many concurrent executions on each instance. */
{ kind: "runtimeConfiguration"; 
/**  Processes on each instance. */
perInstance: number } | 
/**  Each compute is a game server container group. */
{ kind: "containerGroups"; 
/**  Groups on each instance; `None` while it is not known. */
perInstance: number | null } | 
/**  The fleet's own hardware, where GameLift starts nothing. */
{ kind: "ownHardware" } | 
/**  The runtime configuration was not read yet. */
{ kind: "unknown" };

/**  Where a profile's credentials come from. */
export type ProfileKind = 
/**  IAM Identity Center: a login that expires. */
"sso" | 
/**  A role assumed with the credentials of another profile or source. */
"assumeRole" | 
/**  Keys in the file. */
"keys" | 
/**  Printed by a program. */
"process" | 
/**  Provided by the environment, container or instance. */
"environment" | 
/**  None of the kinds this program knows. */
"other";

/**  How the outcome of an attempt is known. */
export type Proof = 
/**  AWS answered. */
"answered" | 
/**
 *  No response came. AWS shows something that only this attempt can have made: it carries an id this attempt gave
 *  it.
 */
"own" | 
/**
 *  No response came. AWS shows what was asked for, whoever did it; or it shows no trace, and none can appear any
 *  more.
 */
"seen";

/**  Whether a session survives scale-in. */
export type Protection = 
/**  `NoProtection` */
"NoProtection" | 
/**  `FullProtection` */
"FullProtection";

/**
 *  PutScalingPolicy: creates the policy if its name is new to the fleet, else replaces it. AWS: applies to all
 *  locations.
 */
export type PutScalingPolicy = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Name, 1 to 1024 characters. */
	name: string,
	/**  What it does. */
	rule: ScalingRule,
};

/**  Why a message could not be accepted as an event at once. */
export type QuarantineReason = 
/**  The body is not JSON. */
"not_json" | 
/**  JSON, but neither an event nor an envelope with one. */
"not_an_event" | 
/**  A well-formed event that is not from GameLift. */
"not_game_lift" | 
/**  An event that names another account, or none. */
"other_account" | 
/**  A GameLift event of a type this program does not know. */
"unknown_type" | 
/**  An event of a known type that lacks essential fields. */
"incomplete" | 
/**  An event that names a Region, queue, configuration or fleet this connection does not know. */
"unconfirmed";

/**  Whether a query parses, and completions at the caret. */
export type QueryCheck = {
	/**  The mistake, if the text has one. */
	problem: QueryProblem | null,
	/**  What could stand at the caret. */
	completions: Completion[],
};

/**  What a query counts apart. */
export type QueryPer = 
/**  Nothing: all game sessions together. */
"all" | 
/**  Each fleet. */
"fleet" | 
/**  Each location. */
"location";

/**  A mistake in a query, and the characters it spans. */
export type QueryProblem = {
	/**  What is wrong. */
	message: string,
	/**  First character, counted in UTF-16 code units as in JavaScript. */
	start: number,
	/**  First character after. */
	end: number,
};

/**  A destination of a queue. */
export type QueueDestination = {
	/**  ARN as given. */
	arn: string,
	/**  Name of the fleet or alias, or the last part of the ARN. */
	label: string,
	/**  The fleet; for an alias, the fleet it points to. */
	fleetId: FleetId | null,
	/**  The alias, if the destination is one. */
	aliasId: AliasId | null,
};

/**  A destination with its current state. */
export type QueueDestinationDetail = {
	arn: string,
	kind: DestinationKind,
	id: string,
	name: string | null,
	/**  The fleet itself or the fleet the alias points to; null for a terminal alias. */
	fleetId: FleetId | null,
	state: FleetState,
	/**  Live game sessions on that fleet, whoever placed them. */
	gameSessions: number,
};

/**  One queue with all its settings. */
export type QueueDetail = {
	name: QueueName,
	region: Region,
	arn: string | null,
	timeoutSeconds: number | null,
	destinations: QueueDestinationDetail[],
	latencyPolicies: LatencyPolicy[],
	priorityOrder: string[],
	locationOrder: string[],
	allowedLocations: string[],
	notificationTarget: string | null,
	customEventData: string | null,
	history: Change[],
	freshness: Freshness,
};

/**  Everything to know about a queue before adopting it. */
export type QueueLook = {
	queueUrl: string,
	arn: string,
	name: string,
	account: AccountId,
	createdAt: Timestamp | null,
	waiting: number,
	inFlight: number,
	delayed: number,
	isFifo: boolean,
	policy: string | null,
	deadLetterArn: string | null,
	maxReceives: number | null,
	senders: Sender[],
	seen: Waiting | null,
	unseen: Unseen | null,
	/**  The reason not to adopt it, if any; then its name must be typed. */
	against: string | null,
};

/**  Name of a game session queue, unique in its Region. */
export type QueueName = string;

/**  A queue. */
export type QueueRow = {
	name: QueueName,
	region: Region,
	arn: string,
	timeoutSeconds: number | null,
	destinations: QueueDestination[],
	/**  Latency policies in plain words. */
	latencyPolicies: string[],
	priority: string[],
	notificationTarget: string | null,
	freshness: Freshness,
};

/**  A maximum to raise. */
export type Raise = {
	/**  Location. */
	location: Location,
	/**  Instances now. */
	from: number,
	/**  Instances offered. */
	to: number,
};

/**  What one verdict of a rule is about. */
export type Reach = 
/**  A fleet. */
"fleet" | 
/**  Something of a Region that is no fleet. */
"region" | 
/**  Something of the whole connection. */
"connection";

/**  What a confirmation started. */
export type Receipt = {
	runId: RunId | null,
	activityIds: ActivityId[],
	/**  The single change, if it was not sent because its resource had already ended; null otherwise. */
	leftOut: LeftOut | null,
};

/**  A call as CloudTrail recorded it. */
export type RecordedCall = {
	/**  Id of CloudTrail's event. */
	eventId: string,
	/**  Name of the call. */
	eventName: string,
	/**  When it was made, to the second. */
	at: Timestamp,
	/**  Who made it. */
	caller: Caller,
};

/**  An AWS Region code, the home Region of a resource, such as `eu-west-1`. */
export type Region = string;

/**  The health of a Region. */
export type RegionHealth = {
	/**  Region. */
	region: Region,
	/**  State. */
	state: HealthState,
	/**  By how many milliseconds the oldest live figure is overdue. */
	behindMs: number,
	/**  The busiest operation's share of the published rate over the last minute, 0 to 1. */
	quotaShare: number,
	/**  The busiest operation. */
	busiestOperation: string | null,
	/**  Throttled calls since the start. */
	throttles: number,
	/**  What is wrong, in a sentence with code and request id. */
	message: string | null,
	/**  What to do about it. */
	remedy: string | null,
	/**  When something was last read. */
	lastSuccess: Timestamp | null,
};

/**  What is known about one Region. */
export type RegionKnown = {
	/**  Region. */
	region: Region,
	/**  When anything of it was last read; `None` if never. */
	lastRead: Timestamp | null,
	/**  Since when nothing of it can be read; `None` while something can. */
	blindSince: Timestamp | null,
	/**  Why, if it is blind. */
	failure: string | null,
	/**  How many things could not be read since. */
	failed: number,
	/**  Each source there is. */
	sources: SourceKnown[],
};

/**  A player's latency to a Region. */
export type RegionLatency = {
	/**  Region. */
	region: string,
	/**  Whole milliseconds. */
	latencyMs: number,
};

/**  The players of a Region in the time of the incident. */
export type RegionShare = {
	/**  Home Region. */
	region: Region,
	/**  Different players in game sessions of its fleets in that time. */
	players: number,
};

/**  What of a fleet's size a figure is a share of. */
export type RelativeTo = 
/**  Of the most instances that scaling may ask for. */
"maximum" | 
/**  Of the instances that are desired. */
"desired";

/**  What is still running where it may be hit. */
export type Remaining = {
	/**  Live game sessions of the fleets in trouble. */
	gameSessions: number,
	/**  Players in them. */
	players: number,
};

/**  The fleet an alias points to, beside the fleet it would point to. */
export type RepointComparison = {
	/**  Alias. */
	aliasId: AliasId,
	/**  Where it points now; `None` if it is terminal. */
	fromFleetId: FleetId | null,
	/**  Where it would point. */
	toFleetId: FleetId,
	/**  The lines of the comparison, in the order people read them. */
	lines: CompareLine[],
	/**  What to know before repointing, worst first. */
	warnings: Warning[],
	/**  Queues that place through this alias. */
	queues: string[],
};

/**  How a repoint is progressing. */
export type RepointWatch = {
	/**  The attempt. */
	activityId: ActivityId,
	/**  Alias. */
	aliasId: AliasId,
	/**  When AWS accepted it. */
	since: Timestamp,
	/**  Where it pointed before; `None` if it was terminal. */
	fromFleetId: FleetId | null,
	/**  That fleet's name. */
	fromName: string | null,
	/**  Where it points; `None` if it is terminal now. */
	toFleetId: FleetId | null,
	/**  That fleet's name. */
	toName: string | null,
	/**  Game sessions created on the new fleet since. */
	newOnTarget: number,
	/**  Stragglers: game sessions created on the old fleet in the two minutes AWS takes. */
	newOnOld: number,
	/**  Live game sessions on the old fleet. */
	liveOnOld: number,
	/**  Players in them. */
	playersOnOld: number,
	/**  Live game sessions on the new fleet. */
	liveOnTarget: number,
	/**  Until when stragglers are to be expected. */
	stragglersUntil: Timestamp,
	/**  Whether that time is over and the old fleet is empty. */
	settled: boolean,
	/**  Whether it can be undone. */
	canUndo: boolean,
	/**  Live game sessions over time, from ten minutes before; empty if GameLift does not report them. */
	series: WatchPoint[],
	/**  How old the counts are. */
	freshness: Freshness,
};

/**  The form of a saved incident. */
export type ReportFormat = 
/**  One page without scripts, with its charts inside, light and dark. */
"html" | 
/**  Markdown, for a ticket or a post-mortem. */
"markdown" | 
/**  The incident, its timeline and the players as data. */
"json";

/**  The call, under the name of its operation. */
export type Request = 
/**  Creates a game session on a fleet or through an alias. */
{
	operation: "CreateGameSession",
} & CreateGameSession | 
/**  Changes name, slots, properties, policy or protection of a game session. */
{
	operation: "UpdateGameSession",
} & UpdateGameSession | 
/**  Ends a game session. */
{
	operation: "TerminateGameSession",
} & TerminateGameSession | 
/**  Reserves slots of a game session for players. */
{
	operation: "CreatePlayerSessions",
} & CreatePlayerSessions | 
/**  Starts a game session through a queue. */
{
	operation: "StartGameSessionPlacement",
} & StartGameSessionPlacement | 
/**  Ends a placement that is still PENDING. */
{
	operation: "StopGameSessionPlacement",
} & StopGameSessionPlacement | 
/**  Creates an alias. */
{
	operation: "CreateAlias",
} & CreateAlias | 
/**  Changes name, description or routing of an alias; also used to repoint it. */
{
	operation: "UpdateAlias",
} & UpdateAlias | 
/**  Deletes an alias. */
{
	operation: "DeleteAlias",
} & DeleteAlias | 
/**  Changes desired, minimum or maximum instances of a location. */
{
	operation: "UpdateFleetCapacity",
} & UpdateFleetCapacity | 
/**  Creates or changes a scaling policy. */
{
	operation: "PutScalingPolicy",
} & PutScalingPolicy | 
/**  Deletes a scaling policy. */
{
	operation: "DeleteScalingPolicy",
} & DeleteScalingPolicy | 
/**  Suspends scaling. */
{
	operation: "StopFleetActions",
} & SetFleetActions | 
/**  Resumes scaling. */
{
	operation: "StartFleetActions",
} & SetFleetActions | 
/**  Changes the protection of new game sessions of a fleet. */
{
	operation: "UpdateFleetAttributes",
} & UpdateFleetAttributes | 
/**  Creates a queue. */
{
	operation: "CreateGameSessionQueue",
} & CreateGameSessionQueue | 
/**  Changes destinations, timeout, latency policies or notification target of a queue. */
{
	operation: "UpdateGameSessionQueue",
} & UpdateGameSessionQueue | 
/**  Starts a matchmaking ticket. */
{
	operation: "StartMatchmaking",
} & StartMatchmaking | 
/**  Accepts or rejects a proposed match for players. */
{
	operation: "AcceptMatch",
} & AcceptMatch | 
/**  Ends a ticket, whether for a match or for a backfill. */
{
	operation: "StopMatchmaking",
} & StopMatchmaking | 
/**  Requests new players for a running match. */
{
	operation: "StartMatchBackfill",
} & StartMatchBackfill | 
/**  Changes name, version or files of a Realtime script. */
{
	operation: "UpdateScript",
} & UpdateScript;

/**  A slot reserved for a player. */
export type ReservedSlot = {
	playerId: string,
	playerSessionId: string,
	/**  The address the player connects to, once the game session reports it. */
	connection: string | null,
};

/**  Kinds of resources that can be changed. */
export type ResourceKind = 
/**  A game session, by ARN. */
"gameSession" | 
/**  A placement, by id. */
"placement" | 
/**  An alias, by id. */
"alias" | 
/**  A fleet, by id. */
"fleet" | 
/**  A queue, by name. */
"queue" | 
/**  A matchmaking ticket, by id. */
"ticket" | 
/**  A Realtime script, by id. */
"script";

/**  Where an alias leads. */
export type RoutingStrategy = 
/**  To a fleet. */
({ simple: {
	/**  The fleet, by id. */
	fleet_id: FleetId,
} }) & { terminal?: never } | 
/**  To a message for the player. */
({ terminal: {
	/**  The message. */
	message: string,
} }) & { simple?: never };

/**  A kind of trouble that is looked for. */
export type Rule = 
/**  Nothing can be read of a Region. */
"blind" | 
/**  Game sessions of a fleet crash far more often than usual. */
"crashes" | 
/**  Game sessions of a fleet do not become ACTIVE in time. */
"activation" | 
/**  Server processes of a fleet do not get ready. */
"startup" | 
/**  The instances of a location run no server process. */
"noProcess" | 
/**  Placements of a queue time out or fail far more often than usual. */
"placements" | 
/**  No destination of a queue can host a game session any more. */
"noDestination" | 
/**  Tickets of a matchmaking configuration time out or fail far more often than usual. */
"tickets" | 
/**  Placements of a queue take far longer than usual. */
"slowPlacements" | 
/**  Tickets of a matchmaking configuration wait far longer than usual for a match. */
"slowTickets" | 
/**  An alias leads nowhere any more although game sessions were created through it. */
"terminalAlias" | 
/**  A location is at its maximum with no free server process. */
"capped" | 
/**  A fleet has few free server processes. */
"littleRoom" | 
/**  A fleet gets no more instances, because the account may have no more of its type. */
"instanceLimit" | 
/**  Automatic scaling of a fleet is suspended although its policy would ask for more instances. */
"scalingSuspended" | 
/**  Game sessions of a fleet stay without players far longer than usual. */
"emptySessions" | 
/**  Game sessions of a fleet have far fewer players than usual. */
"unfilledSessions" | 
/**  Game sessions of a fleet run far longer than usual. */
"longSessions" | 
/**  Game sessions of a fleet stay ACTIVATING or TERMINATING. */
"stuckSessions" | 
/**  Players of a fleet reserve slots and do not connect far more often than usual. */
"reservations" | 
/**  A fleet is in status ERROR. */
"fleetError" | 
/**  EC2 reclaims Spot instances. */
"interruptions" | 
/**  An event queue brings none of the events that must have happened. */
"feedMute" | 
/**  Messages of an event queue could not be turned into events. */
"eventsAside" | 
/**  Something of a Region cannot be read, while the rest can. */
"unread" | 
/**  GameLift throttles calls in a Region. */
"throttled";

/**  A rule-based scaling policy; values as the API spells them. */
export type RuleBasedScaling = {
	/**  Metric, such as `IdleInstances`. */
	metricName: string,
	/**  Comparison, such as `LessThanThreshold`. */
	comparisonOperator: string,
	/**  Threshold of the metric. */
	threshold: number,
	/**  Minutes the comparison must hold, at least 1. */
	evaluationPeriods: number,
	/**  `ChangeInCapacity`, `ExactCapacity` or `PercentChangeInCapacity`. */
	scalingAdjustmentType: string,
	/**  Size of the change, or the new capacity. */
	scalingAdjustment: number,
};

/**  The rule that found an alert, and how patient it is. */
export type RuleFacts = {
	/**  The rule, in words. */
	text: string,
	/**  Milliseconds it must be seen before it fires. */
	pendingMs: number,
	/**  Milliseconds it must not be seen before it is over. */
	clearMs: number,
};

/**  A rule, ready-made or of one's own. */
export type RuleListed = {
	/**  The rule, as settings and exports spell it. */
	rule: string,
	/**  Its name, as text. */
	title: string,
	/**  What it looks for, as text. */
	looksFor: string,
	/**  What one alert of it is about. */
	reach: Reach,
	/**  Milliseconds it must be seen before it fires, by itself. */
	pendingMs: number,
	/**  Milliseconds it must not be seen before it is over. */
	clearMs: number,
	/**  The highest severity it has by itself; `Info` for one that only fires once a severity is set. */
	severity: Severity,
	/**  What is set about it, for everything first. */
	adjustments: AdjustmentListed[],
	/**  The rule itself, if it is one of one's own: such a rule is edited, not adjusted. */
	custom: KeptRule | null,
};

/**  What an adjustment holds for: everything, one Region, or one fleet. */
export type RuleScope = {
	/**  The Region; `None` unless it is for one. */
	region: Region | null,
	/**  The fleet; `None` unless it is for one. */
	fleetId: FleetId | null,
};

/**  What is set about a rule. */
export type RuleSetting = {
	/**  The rule, as settings and exports spell it. */
	rule: string,
	/**  What it holds for. */
	scope: RuleScope,
	/**  Switched off: it is still seen, but never fires. */
	isOff: boolean,
	/**  Milliseconds it must be seen before it fires, 0 to a day; `None` for the rule's own. */
	pendingMs: number | null,
	/**
	 *  The severity of what fires, `Warning` or `Bad`; `None` for the rule's own. What is only worth knowing stays
	 *  that, whatever is set.
	 */
	severity: Severity | null,
};

/**  A setting to be tried on the stored past. */
export type RuleTrial = {
	/**  The setting. */
	setting: RuleSetting,
	/**  How many days to look back, 1 to 30. */
	days: number,
};

/**  What a setting would have done to the alerts of the past. */
export type RuleTried = {
	/**  The time looked at. */
	range: TimeRange,
	/**  How many alerts of the rule fired there. */
	fired: number,
	/**  Those that would have fired, newest first. */
	wouldFire: TriedSpan[],
	/**  The longest of them, in milliseconds; `None` if there is none. */
	longestMs: number | null,
	/**  Whether more may have fired than the past can tell: what never fired is not kept. */
	mayBeMore: boolean,
	/**  All of this, as text. */
	text: string,
};

/**  A run as people see it. */
export type Run = {
	/**  Id. */
	id: RunId,
	/**  Bulk change or drain. */
	kind: RunKind,
	/**  Whether it sends, waits for a person, or is over. */
	state: RunState,
	/**  What it does, as a heading. */
	title: string,
	/**  Region, if all of it is in one. */
	region: Region | null,
	/**  The fleet concerned, if there is one. */
	fleetId: FleetId | null,
	/**  When it was confirmed. */
	createdAt: Timestamp,
	/**  When it last changed. */
	changedAt: Timestamp,
	/**  Changes in all. */
	total: number,
	/**  Changes that AWS accepted. */
	done: number,
	/**  Changes that AWS refused. */
	failed: number,
	/**  Changes whose outcome is not known. */
	unknown: number,
	/**  Changes whose target had ended by itself, so that nothing was left to do. */
	ended: number,
	/**  Changes that were not sent, because their target had changed since it was looked at. */
	skipped: number,
	/**  Changes not begun, or without an answer yet. */
	left: number,
	/**  What had ended or was left out, and why. A screen receives only the first 200. */
	leftOut: Skipped[],
	/**  Why it is paused or stopped, or what it waits for, in a sentence. */
	message: string | null,
	/**  Steps and countdown of a drain. */
	drain: DrainProgress | null,
};

/**  Id of a series of related attempts, such as a bulk change or the drain of a fleet: a UUID. */
export type RunId = string;

/**  The kind of a run, which is a series of attempts. */
export type RunKind = 
/**  The same change to many resources. */
"bulk" | 
/**  The drain of a fleet. */
"drain";

/**  The state of a run. */
export type RunState = 
/**  Sending attempts. */
"running" | 
/**  Waiting for somebody to resume it. */
"paused" | 
/**  Ended before its last item. */
"stopped" | 
/**  Ended after its last item. */
"finished";

/**  A change of the desired instances. */
export type Scaled = {
	/**  Desired instances before. */
	from: number,
	/**  Desired instances after. */
	to: number,
};

/**  How a policy scales. */
export type ScalingPolicyKind = "targetBased" | "ruleBased";

/**  A scaling policy. */
export type ScalingPolicyRow = {
	name: string,
	kind: ScalingPolicyKind,
	status: string,
	location: Location | null,
	metric: string,
	targetValue: number | null,
	/**  What it does, in plain words; null if AWS does not report all of it. */
	rule: string | null,
	/**  The definition with which to put it again; null if AWS does not report all of it. */
	definition: ScalingRule | null,
};

/**  What a scaling policy does. */
export type ScalingRule = 
/**  Keeps a share of game sessions available (AWS: PercentAvailableGameSessions, one such policy per fleet). */
({ targetBased: {
	/**  Percent, above 0 to 100. */
	targetValue: number,
} }) & { ruleBased?: never } | 
/**  Adjusts capacity when a metric has been past a threshold for a while. */
({ ruleBased: RuleBasedScaling }) & { targetBased?: never };

/**  One change of a location's desired instances. */
export type ScalingStep = {
	/**  Identifies the step; stable when it is read again. */
	key: string,
	/**  When it was first seen. */
	at: Timestamp,
	/**  Where. */
	location: Location,
	/**  Desired instances before. */
	fromDesired: number,
	/**  Desired instances after. */
	toDesired: number,
	/**  Likely cause. */
	cause: Cause,
	/**  The cause as text: `target policy 20 %`, `maximum is 40`. */
	causeText: string,
	/**  Milliseconds until that many instances were active; `None` if that was not seen (yet). */
	toActiveMs: number | null,
	/**  The evidence for the cause, strongest first. */
	evidence: Evidence[],
	/**  The same as text. */
	evidenceText: string,
	/**  The attempt or run of this installation that made it; `None` if it was not ours. */
	byUs: ByUs | null,
	/**  Who made it, if CloudTrail recorded the call. */
	who: Who | null,
};

/**  `script-…`. */
export type ScriptId = string;

/**  A Realtime script. */
export type ScriptRow = {
	scriptId: ScriptId,
	name: string,
	version: string | null,
	region: Region,
	sizeBytes: number | null,
	creationTime: Timestamp | null,
	fleets: UsingFleet[],
	/**  When its newest files arrived, or were first seen. */
	updatedAt: Timestamp | null,
	/**  Live game sessions with older files. */
	liveBefore: number,
	/**  Live game sessions with the newest files. */
	liveAfter: number,
	/**  Live game sessions that were created before the script was first seen, with files that nothing tells. */
	liveUnknown: number,
	history: Change[],
};

/**  What is wrong with the two expressions, as far as the service's rules are known. */
export type SearchCheck = {
	/**  What is wrong with the filter. */
	filter: QueryProblem | null,
	/**  What is wrong with the order. */
	sort: QueryProblem | null,
};

/**  The result of a search. */
export type SearchFound = {
	/**  The number by which a query for game sessions refers to this search. */
	search: number,
	askedAt: Timestamp,
	found: number,
	/**  Whether GameLift has more results than the pages read. */
	more: boolean,
	/**  The maximum number of pages read, with 20 game sessions each. */
	pagesAtMost: number,
	/**  The error that ended the search after its first page, if any. */
	failure: AppError | null,
};

/**  A query for SearchGameSessions. */
export type SearchQuery = {
	/**  The Region to search in. */
	region: Region,
	/**  The fleet to search; absent if an alias is given. */
	fleetId: FleetId | null,
	/**  The alias whose fleet to search; absent if a fleet is given. */
	aliasId: AliasId | null,
	/**  One location of the fleet; all of them if absent. */
	location: Location | null,
	/**  In the service's own grammar; blank for all game sessions. */
	filter: string,
	/**  In the service's own grammar; blank for no particular order. */
	sort: string,
};

/**  The season that a band was learnt from. */
export type Season = 
/**  The same hour of the week, in several weeks. */
"hourOfWeek" | 
/**  The same hour of the day, on several working days or several days of weekends. */
"hourOfDay";

/**  Who may send, and from where. */
export type Sender = {
	/**  Service or principal; `*` means everybody. */
	principal: string,
	/**  ARNs or accounts the statement is limited to, such as topics and rules. Empty means no limit. */
	sources: string[],
};

/**  What a change by this installation did. */
export type Sent = 
/**  Desired instances were set, maybe with minimum and maximum. */
{ kind: "capacity" } | 
/**  Minimum or maximum instances were set, and not the desired ones. */
{ kind: "limits" } | 
/**  The scaling policy of this name was set. */
{ kind: "policy"; policy: string } | 
/**  The scaling policy of this name was deleted. */
{ kind: "policyRemoved"; policy: string } | 
/**  Automatic scaling was suspended. */
{ kind: "scalingSuspended" } | 
/**  Automatic scaling was resumed. */
{ kind: "scalingResumed" } | 
/**  Protection of new game sessions was set. */
{ kind: "protection" } | 
/**  It was created. */
{ kind: "added" } | 
/**  It points to another fleet. */
{ kind: "repointed" } | 
/**  Its settings were changed. */
{ kind: "edited" } | 
/**  Its files were replaced. */
{ kind: "files" } | 
/**  It was deleted. */
{ kind: "removed" };

/**  A figure charts can draw. */
export type SeriesName = 
/**  Desired instances. */
"desiredInstances" | 
/**  Instances that can host game sessions. */
"activeInstances" | 
/**  Instances starting. */
"pendingInstances" | 
/**  Active instances without a game session. */
"idleInstances" | 
/**  Instances terminating. */
"terminatingInstances" | 
/**  Lower limit of scaling. */
"minInstances" | 
/**  Upper limit of scaling. */
"maxInstances" | 
/**  Percent (0 to 100) of server processes free for a game session. */
"percentAvailableGameSessions" | 
/**  Target of the fleet's target-based policy, in percent (0 to 100). */
"policyTarget" | 
/**  Game sessions running. */
"activeGameSessions" | 
/**  Game sessions starting. */
"activatingGameSessions" | 
/**  Server processes free for a game session. */
"availableGameSessions" | 
/**  Server processes running. */
"activeServerProcesses" | 
/**  Server processes that report being healthy. */
"healthyServerProcesses" | 
/**  Percent (0 to 100) of the running server processes that report being healthy. */
"percentHealthyServerProcesses" | 
/**  Server processes that started and called `ProcessReady()` inside the bucket. */
"serverProcessActivations" | 
/**  Server processes that ended inside the bucket, however they ended. */
"serverProcessTerminations" | 
/**  Server processes that ended abnormally inside the bucket. */
"serverProcessAbnormalTerminations" | 
/**  Game sessions lost to interrupted spot instances, inside the bucket. */
"gameSessionInterruptions" | 
/**  Spot instances interrupted by AWS inside the bucket. */
"instanceSpotInterruptions" | 
/**  Player sessions ACTIVE or RESERVED. */
"currentPlayerSessions" | 
/**  Placements fulfilled per minute. */
"placementsFulfilled" | 
/**  Placements failed or timed out per minute. */
"placementsFailed" | 
/**  Placements waiting. */
"queueDepth" | 
/**  Placements cancelled per minute. */
"placementsCancelled" | 
/**  Percent (0 to 100) of the placements ended that failed or timed out. */
"placementFailedPercent" | 
/**  Median milliseconds that fulfilled placements took. */
"timeToPlaceP50" | 
/**  95th percentile of the milliseconds that fulfilled placements took. */
"timeToPlaceP95" | 
/**  Tickets matched per minute. */
"ticketsCompleted" | 
/**  Tickets failed per minute. */
"ticketsFailed" | 
/**  Tickets timed out per minute. */
"ticketsTimedOut" | 
/**  Tickets cancelled per minute. */
"ticketsCancelled" | 
/**  Median milliseconds that matched tickets waited. */
"matchmakingWaitP50" | 
/**  95th percentile of the milliseconds that matched tickets waited. */
"matchmakingWaitP95";

/**  Selects figures for a chart. */
export type SeriesRequest = {
	/**  What they are about. */
	scope: SeriesScope,
	/**  The columns, in this order. */
	names: SeriesName[],
	/**  The time range. */
	range: TimeRange,
	/**  Maximum number of rows to return. */
	maxPoints: number,
};

/**  What the figures are about. */
export type SeriesScope = 
/**  All fleets and queues together. */
{ kind: "all" } | 
/**  A fleet, or one of its locations. */
{ kind: "fleet"; 
/**  The fleet. */
fleetId: FleetId; 
/**  Only this location; the sum over all when `None`. */
location: Location | null } | 
/**  A queue. */
{ kind: "queue"; 
/**  Name. */
name: string; 
/**  Region. */
region: Region } | 
/**  A matchmaking configuration. */
{ kind: "configuration"; 
/**  Name. */
name: string; 
/**  Region. */
region: Region };

/**  A server process of the runtime configuration. */
export type ServerProcess = {
	launchPath: string,
	parameters: string | null,
	concurrent: number,
};

/**  A column lists can be sorted by. */
export type SessionColumn = 
/**  When it was created. */
"created" | 
/**  When it ended; sessions still running come last. */
"ended" | 
/**  Players. */
"players" | 
/**  Player slots. */
"maximum" | 
/**  Status. */
"status" | 
/**  Name. */
"name" | 
/**  Fleet's name. */
"fleet" | 
/**  Location. */
"location";

/**  One game session. */
export type SessionDetail = {
	row: GameSessionRow,
	properties: GameProperty[],
	gameSessionData: string | null,
	/**  Indented if it is JSON. */
	matchmakerData: string | null,
	timeline: TimelineEntry[],
	playerSessions: PlayerSessionRow[],
	playerFreshness: Freshness,
	placement: PlacementRow | null,
	log: SessionLog,
	/**  (time, players) steps. */
	playersOverTime: ([Timestamp, number])[],
	freshness: Freshness,
};

/**  Selects the game sessions to compare. */
export type SessionDifferenceQuery = {
	/**
	 *  The bad ones, in the query language. Terms about where a session runs or what it is, such as `fleet:`, limit
	 *  both sides; the others, such as `ended:`, tell the bad ones.
	 */
	text: string,
	/**  Only of this fleet. */
	fleetId: FleetId | null,
	/**  Only in this location. */
	location: Location | null,
	/**  Only sessions that ran at some time in this range. */
	range: TimeRange | null,
};

/**  The availability of a game session's log. */
export type SessionLog = 
/**  AWS should still have it. */
"available" | 
/**  A copy is on this computer. */
"kept" | 
/**  AWS has deleted it, 14 days after the end. */
"gone" | 
/**  The game session is still running. */
"notYet";

/**  A query for game sessions. */
export type SessionQuery = {
	/**  The local query language, e.g. `status:active fleet:eu-prod* players>=8 prop.mode:ranked`. */
	text: string,
	fleetId: FleetId | null,
	location: Location | null,
	range: TimeRange | null,
	/**  Limits the list to what this GameLift search found, in its order; all other filters are then ignored. */
	search: number | null,
	sort: SessionSort | null,
	page: Page,
};

/**  The sort order of game sessions. */
export type SessionSort = {
	column: SessionColumn,
	descending: boolean,
};

/**  Messages set aside for one reason. */
export type SetAside = {
	/**  The reason. */
	reason: QuarantineReason,
	/**  How many. */
	messages: number,
};

/**  StopFleetActions and StartFleetActions with AUTO_SCALING, the only action there is. */
export type SetFleetActions = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Location; the home Region when absent. */
	location: Location | null,
};

/**  The settings an operator can change. */
export type Settings = {
	theme: ThemeChoice,
	timeZone: TimeZoneChoice,
	/**  Whether the window shows notifications of this computer's system while it is out of sight. */
	desktopNotifications: boolean,
	/**  Share of the published request rates the program may use, 0.01 to 1. */
	budgetShare: number,
	/**  Maximum to spend on CloudWatch metrics in a day, in US dollars; 0 turns them off. */
	cloudwatchDailyCapUsd: number,
	/**  Days to keep ended game sessions. */
	sessionRetentionDays: number,
	/**  Days to keep metrics. */
	metricRetentionDays: number,
};

/**  How much something matters; later ones matter more. */
export type Severity = 
/**  Good to know. */
"info" | 
/**  Worth a look. For a change: it may not do what is wanted. */
"warning" | 
/**  Players notice. For a change: AWS will refuse it, or it will do people harm. */
"bad";

/**  A silence. */
export type Silence = {
	/**  Id. */
	id: SilenceId,
	/**  Which alerts it covers. */
	matchers: Matchers,
	/**  When it begins. */
	from: Timestamp,
	/**  When it ends by itself; `None` for as long as what a run of ours did shows. */
	until: Timestamp | null,
	/**  Whose it is: the name of a computer's user, or of what silences its own effects. */
	author: string,
	/**  Why. */
	reason: string,
	/**  When it was ended early. */
	endedAt: Timestamp | null,
	/**  Who ended it early. */
	endedBy: string | null,
};

/**  A silence as a person asks for it. */
export type SilenceDraft = {
	matchers: Matchers,
	/**  When it begins; at once if not given. */
	from: Timestamp | null,
	until: Timestamp,
	reason: string,
};

/**  A silence of this database; a UUID. A silence by a run of ours has the run's id, and what it covers. */
export type SilenceId = string;

/**  Silences. */
export type SilenceList = {
	/**  Those that are or will be in force, with those of runs. */
	open: Silence[],
	/**  Those that are over, newest first, at most 50. */
	over: Silence[],
};

/**  Why one change is left out, with what was seen. */
export type SkipFact = 
/** There is no {what} {id} in {region}: AWS will refuse this. */
{ kind: "missing"; what: string; id: string; region: Region } | 
/** There already is a queue {name} in {region}: AWS will refuse this. Choose another name. */
{ kind: "queueNameTaken"; name: string; region: Region } | 
/** The topic {topic} is in {region}: a queue in {home} needs a topic there. */
{ kind: "topicElsewhere"; topic: string; region: Region; home: Region } | 
/** The fleet has no location {location}: AWS will refuse this. */
{ kind: "noSuchLocation"; location: string } | 
/** An Anywhere fleet has no capacity to set: AWS will refuse this. */
{ kind: "anywhereHasNoCapacity" } | 
/** An Anywhere fleet needs its custom location named: AWS will refuse this. */
{ kind: "anywhereNeedsLocation" } | 
/** The fleet limits game sessions per creator: name a creator id. */
{ kind: "creatorNeeded" } | 
/** {fleet} is {status} in {location}, not ACTIVE: AWS will refuse this. */
{ kind: "locationNotActive"; fleet: string; location: string; status: string } | 
/** The minimum {minimum} would be above the maximum {maximum}: AWS will refuse this. Set both. */
{ kind: "minimumAboveMaximum"; minimum: number; maximum: number } | 
/** Desired {desired} is not between minimum {minimum} and maximum {maximum}: AWS will refuse this. Set the limits with it. */
{ kind: "desiredOutsideLimits"; desired: number; minimum: number; maximum: number } | 
/** The fleet has the target policy {policy} already, and AWS allows only one: change that one instead. */
{ kind: "secondTargetPolicy"; policy: string } | 
/** A different order of locations needs a queue that prioritizes LOCATION: AWS will refuse this. */
{ kind: "priorityNeedsLocation" } | 
/** The alias is terminal: AWS will answer with its message instead of a game session: {message} */
{ kind: "aliasIsTerminal"; message: string } | 
/** GameLift does not know this game session, or no longer does: AWS will refuse this. */
{ kind: "sessionUnknown" } | 
/** It is not among the live game sessions of its fleet. */
{ kind: "sessionNotListed" } | 
/** The game session is {status}. */
{ kind: "sessionOver"; status: string } | 
/** The game session is TERMINATING already: its server was asked to shut down. */
{ kind: "sessionAskedToEnd" } | 
/** The game session {}: nobody can join it. */
{ kind: "sessionNotJoinable"; status: string | null } | 
/** FlexMatch did not create this game session: AWS backfills only those it did. */
{ kind: "sessionNotOfFlexMatch" } | 
/** The game session is {status}: AWS reserves slots only in an ACTIVE one. */
{ kind: "sessionTakesNoSlots"; status: string } | 
/** The game session accepts no new players (DENY_ALL): AWS will refuse this. */
{ kind: "sessionDeniesPlayers" } | 
/** {players} players are in it: AWS will refuse fewer slots than that. */
{ kind: "fewerSlotsThanPlayers"; players: number } | 
/** Only {} free: AWS will refuse this. */
{ kind: "tooFewSlots"; free: number } | 
/** The placement is {status}: AWS stops only PENDING ones. */
{ kind: "placementNotPending"; status: string } | 
/** The ticket is {status}: only one that is REQUIRES_ACCEPTANCE takes an answer. */
{ kind: "ticketTakesNoAnswer"; status: string } | 
/** The ticket is {status}: it can no longer be stopped. */
{ kind: "ticketNotStoppable"; status: string } | 
/** Not players of this ticket: {}. */
{ kind: "notPlayersOfTicket"; players: PlayerId[] } | 
/** {} on the fleet again. */
{ kind: "sessionsCameBack"; gameSessions: number } | 
/** It would now affect {}; before, {}. */
{ kind: "playersGrew"; were: number; are: number } | 
/** {} there now; there was none when this was checked. */
{ kind: "playersCame"; players: number } | 
/** {} */
{ kind: "factsMoved"; differences: FactChange[] };

/**  Why a change is left out. */
export type SkipReason = 
/**  Its target has ended, so nothing is left to do. */
"ended" | 
/**  AWS would refuse it. */
"refused" | 
/**  Its target has changed since it was looked at. */
"moved";

/**  A change that is left out. */
export type Skipped = {
	/**  Operation, by its API name. */
	operation: string,
	/**  Home Region. */
	region: Region,
	/**  Id of the resource. */
	resource: string,
	/**  Name of the resource. */
	name: string | null,
	/**  Why. */
	reason: SkipReason,
	/**  Why, in a sentence. */
	text: string,
};

/**  Where data about a Region comes from. */
export type Source = 
/**  Attributes of fleets. */
"fleets" | 
/**  Locations of fleets. */
"locations" | 
/**  Capacity of fleets. */
"capacity" | 
/**  Utilization of fleets: their server processes. */
"utilization" | 
/**  Scaling policies. */
"scalingPolicies" | 
/**  The account's instance limits. */
"instanceLimits" | 
/**  Game sessions. */
"gameSessions" | 
/**  Events of fleets. */
"fleetEvents" | 
/**  Queues. */
"queues" | 
/**  Aliases. */
"aliases" | 
/**  Events of placements and matches, from an event queue. */
"eventQueue";

/**  What is known from one source about one Region. */
export type SourceKnown = {
	/**  Source. */
	source: Source,
	/**  The oldest confirmation of what it consists of; `None` while some of it was never read. */
	asOf: Timestamp | null,
	/**  Whether it is too old, or was never read. */
	isLate: boolean,
	/**  Whether some of it is still to be read for the first time, such as a new fleet. */
	isUnread: boolean,
	/**  Why it could not be read, if that failed. */
	failure: string | null,
};

/**  What a fact speaks for. */
export type Speaks = 
/**  For the cause. */
"for" | 
/**  Against it. */
"against" | 
/**  For neither. */
"neither";

/**  How a value stands to what is usual. */
export type Standing = 
/**  Below the band. */
{ kind: "below" } | 
/**  Inside the band. */
{ kind: "within" } | 
/**  Above the band. */
{ kind: "above" } | 
/**  What is usual is not known yet. */
{
	kind: "learning",
} & Learning | 
/**  The value itself is unknown. */
{ kind: "unknown" };

/**  StartGameSessionPlacement. */
export type StartGameSessionPlacement = {
	/**  Chosen by the caller, never used before: 1 to 48 letters, digits and hyphens. */
	placementId: PlacementId,
	/**  Queue, by name. */
	gameSessionQueueName: QueueName,
	/**  Slots, 1 to 200. */
	maximumPlayerSessionCount: number,
	/**  Name of the game session. */
	gameSessionName: string | null,
	/**  At most 16. */
	gameProperties: GameProperty[],
	/**  1 to 262 144 characters. */
	gameSessionData: string | null,
	/**  Players to reserve slots for. */
	players: PlacementPlayer[],
	/**  An order of locations to use instead of the queue's. */
	priorityOverride: PriorityOverride | null,
};

/**  StartMatchBackfill. AWS: only for game sessions created by FlexMatch. */
export type StartMatchBackfill = {
	/**  Configuration, by name. */
	configurationName: string,
	/**  Chosen by the caller. */
	ticketId: TicketId,
	/**  Full ARN of the running session. */
	gameSessionId: GameSessionId,
	/**  All players currently in it. */
	players: MatchPlayer[],
};

/**  StartMatchmaking. */
export type StartMatchmaking = {
	/**  Configuration, by name. */
	configurationName: string,
	/**  Chosen by the caller: 1 to 128 letters, digits, hyphens and dots. */
	ticketId: TicketId,
	/**  1 to 10 players. */
	players: MatchPlayer[],
};

/**  StopGameSessionPlacement. AWS: only while PENDING. */
export type StopGameSessionPlacement = {
	/**  Placement. */
	placementId: PlacementId,
};

/**  StopMatchmaking, for tickets and backfills alike. */
export type StopMatchmaking = {
	/**  Ticket. */
	ticketId: TicketId,
};

/**  How strongly the facts speak for a cause; later ones are stronger. */
export type Strength = 
/**  It fits, as other things may. */
"weak" | 
/**  It explains what is seen. */
"fair" | 
/**  It explains what is seen, and came just before. */
"strong";

/**  What a new revision touched; sent to the window as a hint to read again. */
export type Subject = 
/**  Fleets, their locations, configuration and computes. */
"fleets" | 
/**  Capacity and utilization. */
"capacity" | 
/**  Game sessions. */
"gameSessions" | 
/**  Player sessions. */
"playerSessions" | 
/**  Placements. */
"placements" | 
/**  Matchmaking. */
"matchmaking" | 
/**  Queues. */
"queues" | 
/**  Aliases. */
"aliases" | 
/**  Fleet events. */
"events" | 
/**  Metric samples. */
"metrics" | 
/**  Recorded changes of settings. */
"changes" | 
/**  Builds and scripts. */
"builds" | 
/**  Changes made by this installation: attempts, runs and presets. */
"activity" | 
/**  Alerts. */
"alerts" | 
/**  Health of the collection; not reported by commits of the store. */
"health" | 
/**  Settings and connections; not reported by commits of the store. */
"settings";

/**  The screen on which to start an investigation. */
export type Target = 
/**  The fleet's scaling. */
{ kind: "fleetScaling"; id: FleetId } | 
/**  The fleet's events. */
{ kind: "fleetEvents"; id: FleetId } | 
/**  The placements of one queue, or of all. */
{ kind: "placements"; id?: QueueName | null } | 
/**  The tickets of a matchmaking configuration. */
{ kind: "tickets"; id: string } | 
/**  An alias. */
{ kind: "alias"; id: AliasId } | 
/**  Game sessions that a query selects. */
{ kind: "sessions"; id: string } | 
/**  The collector's health. */
{ kind: "health" };

/**  What is told about one alert. In the order of weight: a message is named by the first that any of its alerts has. */
export type Telling = 
/**  It began to fire. */
"fired" | 
/**  It is more severe than was told. */
"worse" | 
/**  It is over. */
"resolved" | 
/**  It still fires, hours after it was last told. */
"reminder" | 
/**  A person took note of it. */
"acknowledged" | 
/**  Nothing new: it is named because it belongs to the same group. */
"unchanged" | 
/**  A test: nothing is wrong. */
"test";

/**  TerminateGameSession. */
export type TerminateGameSession = {
	/**  Full ARN. */
	gameSessionId: GameSessionId,
	/**  Gracefully or at once. */
	terminationMode: TerminationMode,
};

/**  How a game session is ended. */
export type TerminationMode = 
/**  Asks the game server to end itself; it may never do so. */
"TRIGGER_ON_PROCESS_TERMINATE" | 
/**  Ends the server process at once. */
"FORCE_TERMINATE";

/**  Light or dark. */
export type Theme = 
/**  Dark text on white. */
"light" | 
/**  Light text on near black. */
"dark";

/**  The window's colour scheme. */
export type ThemeChoice = "system" | "light" | "dark";

/**  The number of tickets in a state. */
export type TicketCount = {
	state: string,
	count: number,
};

/**  One ticket with its history. */
export type TicketDetail = {
	row: TicketRow,
	/**  Whether the ticket was just fetched from GameLift. */
	live: boolean,
	estimatedWaitSeconds: number | null,
	statusReason: string | null,
	statusMessage: string | null,
	/**  The address players connect to. */
	connection: string | null,
	events: MatchmakingEventRow[],
	canAccept: boolean,
	canStop: boolean,
};

/**  A matchmaking ticket, chosen by the caller or a UUID. */
export type TicketId = string;

/**  A player of a ticket. */
export type TicketPlayerRow = {
	playerId: string,
	team: string | null,
	accepted: boolean | null,
};

/**  Selects tickets. */
export type TicketRequest = {
	/**  Only tickets whose id begins with this; if there are none at all, tickets with a player whose id does. */
	text: string,
	/**  Only of this configuration. */
	configuration: string | null,
	/**  Only in this state, as the API spells it. */
	state: string | null,
	/**  Only tickets with this value of what tickets are compared by, such as `players=4`. */
	having: string | null,
	/**  When their newest event was sent. */
	range: TimeRange | null,
	/**  The page wanted, newest first. */
	page: Page,
};

/**  A ticket, taken from events or just fetched from GameLift. */
export type TicketRow = {
	ticketId: string,
	configuration: string,
	region: string,
	state: string,
	startedAt: Timestamp | null,
	updatedAt: Timestamp,
	waitMs: number | null,
	players: TicketPlayerRow[],
	matchId: string | null,
	gameSessionId: string | null,
	message: string | null,
};

/**  Selects tickets regardless of time; all of them by default. */
export type TicketScope = {
	/**  Only of this configuration. */
	configuration: string | null,
	/**  Only in this Region. */
	region: Region | null,
};

/**  From `from` (inclusive) to `to` (exclusive). */
export type TimeRange = {
	/**  First moment inside. */
	from: Timestamp,
	/**  First moment after. */
	to: Timestamp,
};

/**  The time zone for displayed times. */
export type TimeZoneChoice = "local" | "utc";

/**  A moment in the history of a game session. */
export type TimelineEntry = {
	/**  The time; a change between two polls is dated by the poll that first saw it. */
	at: Timestamp,
	/**  What it is about. */
	kind: TimelineKind,
	/**  What happened. */
	text: string,
	/**  How much it matters. */
	severity: Severity,
};

/**  What an entry is about. */
export type TimelineKind = 
/**  Status of the game session. */
"status" | 
/**  Players or player slots. */
"players" | 
/**  Whether new players can join. */
"policy" | 
/**  The placement that created it. */
"placement" | 
/**  Protection. */
"protection" | 
/**  Name or properties. */
"properties" | 
/**  A fleet event about the game session. */
"event";

/**  A moment in epoch milliseconds, UTC. */
export type Timestamp = number;

/**  One alert in a message, in words. */
export type ToldAlert = {
	/**  Id. */
	id: AlertId,
	/**  What is told about it. */
	telling: Telling,
	/**  Severity. */
	severity: Severity,
	/**  The rule. */
	rule: string,
	/**  What it is about. */
	subject: string,
	/**  Home Region. */
	region: Region | null,
	/**  The fleet concerned. */
	fleetId: FleetId | null,
	/**  When the trouble began. */
	since: Timestamp,
	/**  When it began to fire. */
	firedAt: Timestamp | null,
	/**  When it was over. */
	endedAt: Timestamp | null,
	/**  Who took note of it. */
	acknowledgedBy: string | null,
	/**  What is wrong. */
	title: string,
	/**  The figures behind it. */
	detail: string,
	/**  The likeliest cause. */
	cause: string | null,
};

/**  What a line stands for, which decides its colour. */
export type Tone = 
/**  What is in trouble. */
"bad" | 
/**  What it is compared with. */
"rest" | 
/**  Players cut off. */
"hit" | 
/**  A limit. */
"limit" | 
/**  One of several. */
"plain";

/**  An alert of the past that would have fired. */
export type TriedSpan = {
	/**  The alert. */
	alertId: AlertId,
	/**  What was wrong, as text. */
	title: string,
	/**  When it would have fired. */
	from: Timestamp,
	/**  When it was over; `None` while it goes on. */
	until: Timestamp | null,
	/**  The severity it would have had. */
	severity: Severity,
};

/**  What is wrong, with the figures behind it. Shares are 0 to 1, counts are since it began unless said otherwise. */
export type Trouble = 
/**  Nothing can be read of some Regions. */
{ kind: "blind"; 
/**  Those Regions, each with its last answer. */
regions: BlindRegion[]; 
/**  Whether that is every Region of the connection. */
isAll: boolean } | 
/**  Game sessions of a fleet crash. */
{ kind: "sessionsCrash"; 
/**  Its name. */
fleet: string; 
/**  How many crashed. */
crashed: number; 
/**  How many ended, crashes included. */
ended: number; 
/**  Message of the newest event. */
message: string | null } | 
/**  Game sessions of a fleet do not become ACTIVE in time. */
{ kind: "activationsTimeOut"; 
/**  Its name. */
fleet: string; 
/**  How many timed out. */
timedOut: number; 
/**  How many ended, these included. */
ended: number; 
/**  Message of the newest event. */
message: string | null } | 
/**  Game sessions of a fleet take much longer than usual to become ACTIVE. */
{ kind: "sessionsStartSlowly"; 
/**  Its name. */
fleet: string; 
/**  How many became ACTIVE late, were given up, or are late now. */
late: number; 
/**  How many were created meanwhile, these included: 15 min back, 200 at most. */
started: number } | 
/**  Server processes of a fleet do not get ready. */
{ kind: "processesDoNotStart"; 
/**  Its name. */
fleet: string; 
/**  How many in the last 10 min. */
count: number; 
/**  Message of the newest event. */
message: string | null } | 
/**  The instances of some locations run no server process. */
{ kind: "noProcess"; 
/**  The fleet's name. */
fleet: string; 
/**  Those locations. */
locations: Location[]; 
/**  How many locations the fleet has. */
of: number; 
/**  Active instances there. */
instances: number } | 
/**  Placements of a queue time out or fail. */
{ kind: "placementsFail"; 
/**  The queue. */
queue: QueueName; 
/**  Placements that timed out or failed. */
failed: number; 
/**  All that ended, without those cancelled on request. */
total: number; 
/**  Share that usually fails. */
usualShare: number } | 
/**  Placements of a queue take far longer than usual. */
{ kind: "placementsWait"; 
/**  The queue. */
queue: QueueName; 
/**  Placements that took longer than `longer_than_ms`. */
long: number; 
/**  All that were fulfilled. */
placed: number; 
/**  The time within which 99 % were fulfilled in the day before, in milliseconds. */
usualMs: number; 
/**  The time from which on a placement took too long, in milliseconds. */
longerThanMs: number } | 
/**  Tickets of a matchmaking configuration wait far longer than usual for a match. */
{ kind: "ticketsWait"; 
/**  The matchmaking configuration. */
configuration: string; 
/**  Tickets that waited longer than `longer_than_ms`. */
long: number; 
/**  All that were matched. */
matched: number; 
/**  The time within which 99 % were matched in the day before, in milliseconds. */
usualMs: number; 
/**  The time from which on a ticket waited too long, in milliseconds. */
longerThanMs: number } | 
/**  An alias leads nowhere any more. */
{ kind: "aliasLeadsNowhere"; 
/**  Its name. */
alias: string; 
/**  Name of the fleet that it led to. */
fleet: string; 
/**  Game sessions created on that fleet in the hour before; 200 at most. */
created: number } | 
/**  No destination of a queue can host a game session. */
{ kind: "noDestination"; 
/**  The queue. */
queue: QueueName; 
/**  Its destinations; none if it has none. */
lost: LostDestination[]; 
/**  Placements that it fulfilled in the day before; `None` where nobody listened for so long. */
placed: number | null } | 
/**  Tickets of a matchmaking configuration time out or fail. */
{ kind: "ticketsFail"; 
/**  The matchmaking configuration. */
configuration: string; 
/**  Tickets that timed out or failed. */
failed: number; 
/**  All that ended, without those cancelled on request. */
total: number; 
/**  Share that usually fails. */
usualShare: number } | 
/**  Locations of a fleet are at their maximum with no free server process. */
{ kind: "capped"; 
/**  The fleet's name. */
fleet: string; 
/**  Those locations. */
locations: Location[]; 
/**  How many locations the fleet has. */
of: number; 
/**  Desired instances over all locations. */
desired: number; 
/**  Maximum instances over all locations. */
maximum: number; 
/**  Server processes without a game session, over all locations. */
freeProcesses: number } | 
/**  A fleet has little room for more game sessions. */
{ kind: "littleRoom"; 
/**  Its name. */
fleet: string; 
/**  Share of its server processes that are free, as a percentage (0 to 100). */
freePercent: number; 
/**  Server processes without a game session. */
freeProcesses: number; 
/**  All server processes. */
processes: number; 
/**  Locations without a free process. */
fullLocations: Location[]; 
/**  Instances that are desired but not yet active. */
comingInstances: number } | 
/**  Locations of a fleet get no more instances: the account's limit for its type is reached there. */
{ kind: "instanceLimit"; 
/**  The fleet's name. */
fleet: string; 
/**  Its EC2 instance type. */
instanceType: string; 
/**  Those locations. */
locations: Location[]; 
/**  Instances of that type that the account has in these locations. */
current: number; 
/**  Instances that it may have there. */
limit: number; 
/**  Instances of this fleet that are desired there and neither ACTIVE nor PENDING. */
missing: number } | 
/**  Automatic scaling of a fleet is suspended although its policy would ask for more instances. */
{ kind: "scalingSuspended"; 
/**  The fleet's name. */
fleet: string; 
/**  Locations that lack instances. */
locations: Location[]; 
/**  Share of the server processes of these locations that are free, as a percentage (0 to 100). */
freePercent: number; 
/**  Share that the policy keeps free, as a percentage (0 to 100). */
targetPercent: number } | 
/**  Players of a fleet reserve slots in new game sessions and do not connect. */
{ kind: "reservationsUnused"; 
/**  Its name. */
fleet: string; 
/**  Reservations that timed out, in its newest game sessions. */
timedOut: number; 
/**  All of these sessions whose end is known. */
reservations: number; 
/**  Share that usually times out. */
usualShare: number } | 
/**  GameLift throttles calls in a Region. */
{ kind: "throttled"; 
/**  The Region. */
region: Region; 
/**  How many calls of this program were throttled. */
throttled: number; 
/**  The operations, the most throttled first. */
operations: string[] } | 
/**  ACTIVE game sessions of a fleet run far longer than usual. */
{ kind: "sessionsRunLong"; 
/**  Its name. */
fleet: string; 
/**  Their mode, as a game property tells; `None` if they are of several, or it is not told. */
mode?: string | null; 
/**  How many. */
gameSessions: number; 
/**  The time within which 99 % of the fleet's game sessions of that mode ended, in milliseconds. */
usualMs: number; 
/**  The time for which all of these have run at least, in milliseconds. */
longerThanMs: number } | 
/**  ACTIVE game sessions of a fleet stay without players far longer than usual. */
{ kind: "sessionsStayEmpty"; 
/**  Its name. */
fleet: string; 
/**  How many. */
gameSessions: number; 
/**  Game sessions of the fleet that are ACTIVE or ACTIVATING. */
live: number } | 
/**  Game sessions of a fleet have far fewer players than usual. */
{ kind: "sessionsDoNotFill"; 
/**  Its name. */
fleet: string; 
/**  Players in each game session, over the last 15 min. */
playersEach: number; 
/**  The least that is usual at any time of the day. */
usualEach: number } | 
/**  Game sessions of a fleet stay ACTIVATING or TERMINATING. */
{ kind: "sessionsStuck"; 
/**  Its name. */
fleet: string; 
/**  How many. */
gameSessions: number } | 
/**  A fleet is in the status ERROR, or some of its locations are. */
{ kind: "inError"; 
/**  Its name. */
fleet: string; 
/**  Those locations; none if the fleet as a whole is. */
locations?: Location[] } | 
/**  EC2 reclaimed Spot instances of a fleet. */
{ kind: "interrupted"; 
/**  Its name. */
fleet: string; 
/**  How many instances in the last 15 min. */
count: number; 
/**  How many are active, or were if they are fewer now. */
instances: number; 
/**  Their type. */
instanceType: string | null } | 
/**  An event queue brings no events although placements end. */
{ kind: "feedMute"; 
/**  Region of the queue. */
region: Region; 
/**
 *  Game sessions that appeared on its queues' fleets from 20 min to 3 min ago, and that placements made as far
 *  as their ids tell.
 */
placed: number; 
/**  When the last event came; `None` if none ever did. */
lastEvent: Timestamp | null } | 
/**  Messages of an event queue could not be turned into events. */
{ kind: "eventsAside"; 
/**  Name of the queue. */
queue: string; 
/**  Their number, by reason. */
counts: SetAside[] } | 
/**  A value is beyond the threshold of a rule of one's own. */
{ kind: "custom"; 
/**  The rule, as it was then. */
rule: CustomRule; 
/**  Name of what it is about; empty for everything at once. */
subject: string; 
/**  The value, in the rule's unit. */
value: number } | 
/**  Something could not be read for a while. */
{ kind: "unread"; 
/**  What could not be read. */
poll: PollKind; 
/**  Its Region. */
region: Region; 
/**  Number of resources affected. */
count: number; 
/**  The error message. */
failure: string };

/**  Whether a change can be undone once it is done. */
export type UndoOffer = 
/**  Everything is restored. */
{ kind: "exact" } | 
/**  Some of it does; the sentence says what does not. */
{ kind: "partly"; text: string } | 
/**  Nothing does; the sentence says why. */
{ kind: "none"; text: string };

/**  Why waiting messages were not looked at. */
export type Unseen = 
/**  A dead-letter rule counts deliveries, and the user has not agreed to any. */
"deadLetterRule" | 
/**  The queue is already adopted and is being received from. */
"adopted";

/**  Why a destination of a queue cannot host a game session. */
export type Unusable = 
/**  An alias with the routing strategy TERMINAL. */
{ kind: "leadsNowhere" } | 
/**  A fleet that is not ACTIVE. */
{ kind: "status"; 
/**  Its status. */
status: string } | 
/**  A fleet that has no instances where the queue may place game sessions, and none are desired. */
{ kind: "noInstances" } | 
/**  A fleet that has none of the locations in which the queue may place game sessions. */
{ kind: "notAllowed"; 
/**  Those locations. */
allowed: Location[] } | 
/**  A fleet that does not exist any more. */
{ kind: "gone" };

/**  A time in which nothing was collected from a Region, so that nobody would have seen what was wrong there. */
export type Unwatched = {
	/**  Region. */
	region: Region,
	/**  The time. */
	range: TimeRange,
};

/**  UpdateAlias; absent fields stay unchanged. */
export type UpdateAlias = {
	/**  Alias. */
	aliasId: AliasId,
	/**  Name. */
	name: string | null,
	/**  Description. */
	description: string | null,
	/**  Where it leads. AWS: a fleet of the alias's own Region. */
	routing: RoutingStrategy | null,
};

/**  UpdateFleetAttributes, for protection only. AWS: affects game sessions created afterwards. */
export type UpdateFleetAttributes = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Protection of new game sessions. */
	newGameSessionProtectionPolicy: Protection,
};

/**  UpdateFleetCapacity for one location; absent fields stay unchanged. */
export type UpdateFleetCapacity = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Location; the home Region when absent. */
	location: Location | null,
	/**  Desired instances. */
	desiredInstances: number | null,
	/**  Lower limit of scaling. */
	minSize: number | null,
	/**  Upper limit of scaling. */
	maxSize: number | null,
};

/**  UpdateGameSession; absent fields stay unchanged. */
export type UpdateGameSession = {
	/**  Full ARN. */
	gameSessionId: GameSessionId,
	/**  Name. */
	name: string | null,
	/**  Slots, 1 to 200. */
	maximumPlayerSessionCount: number | null,
	/**  Whether new players may join. */
	playerSessionCreationPolicy: PlayerSessionCreationPolicy | null,
	/**  Whether it survives scale-in. */
	protectionPolicy: Protection | null,
	/**  Properties to add or overwrite. AWS: never deleted. */
	gameProperties: GameProperty[],
};

/**  UpdateGameSessionQueue; absent fields stay unchanged, given ones replace the previous value entirely. */
export type UpdateGameSessionQueue = {
	/**  Queue. */
	name: QueueName,
	/**  Seconds after which a placement is TIMED_OUT (AWS: 10 to 600). */
	timeoutSeconds: number | null,
	/**  ARNs of fleets or aliases in order of preference. */
	destinations: string[] | null,
	/**  Latency policies in order. */
	playerLatencyPolicies: LatencyPolicy[] | null,
	/**  ARN of the SNS topic that gets the events of placements. AWS documents no way to remove it again. */
	notificationTarget?: string | null,
};

/**  UpdateScript; absent fields stay unchanged. AWS: running fleets use the new files for new game sessions. */
export type UpdateScript = {
	/**  Script. */
	scriptId: ScriptId,
	/**  Name, 1 to 1024 characters. */
	name: string | null,
	/**  Version, 1 to 1024 characters. Only a label for people: AWS keeps only the newest files. */
	version: string | null,
	/**  New files. */
	zipFile: ZipFile | null,
};

/**  A fleet that runs a build or script. */
export type UsingFleet = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Its name, or its id if it has none. */
	name: string,
};

/**  What is usual for a figure at one moment. */
export type Usual = {
	/**  Lower end of the band, in the figure's own unit. */
	low: number,
	/**  Upper end of the band. */
	high: number,
	/**  The middle of what was seen. */
	median: number,
	/**  The season it was learnt from. */
	season: Season,
	/**  How many weeks (by hour of the week) or days (by hour of the day) it was learnt from. */
	learntFrom: number,
};

/**  Shares (0 to 1) that are usual. */
export type UsualShare = {
	/**  The least. */
	low: number,
	/**  The most. */
	high: number,
};

/**  A value of a setting. */
export type Value = 
/**  A number of things. */
{ kind: "count"; value: number } | 
/**  A percentage, 0 to 100. */
{ kind: "percent"; value: number } | 
/**  Yes or no. */
{ kind: "flag"; value: boolean } | 
/**  Several texts. */
{ kind: "list"; value: string[] } | 
/**  Destinations of a queue, in order. */
{ kind: "destinations"; value: DestinationNamed[] } | 
/**  Player latency policies of a queue, in order. */
{ kind: "latencyPolicies"; value: LatencyPolicy[] } | 
/**  A text. */
{ kind: "text"; value: string } | 
/**  The fleet that an alias points to. */
{ kind: "fleet"; value: FleetNamed } | 
/**  The message of a terminal alias. */
{ kind: "message"; value: string };

/**  By which way a call came. */
export type Via = 
/**  The AWS Management Console. */
{ kind: "console" } | 
/**  The AWS command line. */
{ kind: "commandLine" } | 
/**  Another AWS service on behalf of the caller, such as `cloudformation.amazonaws.com`. */
{ kind: "service"; name: string } | 
/**  A program, by its user agent's first word, such as `aws-sdk-go-v2/1.39.6`. */
{ kind: "program"; name: string } | 
/**  Nothing says how. */
{ kind: "unknown" };

/**  The messages waiting in a queue, as far as they were looked at. */
export type Waiting = {
	/**  Messages looked at. */
	lookedAt: number,
	/**  GameLift events of this account, including those this program does not understand. */
	events: number,
	/**  Events that name another account, or none. */
	otherAccounts: number,
	/**  Messages that are not GameLift events. */
	foreign: number,
	/**  The first few messages that belong to someone else. */
	examples: Example[],
	/**
	 *  Why the messages could not be given back at once, if that failed; they stay hidden from their readers for ten
	 *  seconds.
	 */
	keptHidden: string | null,
};

/**  Something to know before confirming. */
export type Warning = {
	/**  How much it matters. */
	severity: Severity,
	/**  A sentence or two. */
	text: string,
	/**  The fact that the text states, with what was seen. Use it to tell one warning from another. */
	fact: WarningFact,
};

/**  What to know before a change is confirmed, with what was seen. */
export type WarningFact = 
/** A terminal alias makes no game sessions: anyone who asks for one gets the message instead. */
{ kind: "aliasTerminal" } | 
/** The alias already points there. */
{ kind: "aliasLeadsThere" } | 
/** The alias already points to this fleet. */
{ kind: "aliasLeadsToFleet" } | 
/** The new fleet runs a different build or script. */
{ kind: "anotherContent" } | 
/** The new fleet has a different certificate setting: game clients may not be able to connect. */
{ kind: "anotherCertificate" } | 
/** The new fleet has no active instance in {region} (desired {desired}, maximum {maximum}): no game session can be made there. */
{ kind: "targetWithoutInstances"; region: Region; desired: number; maximum: number } | 
/** AWS: for up to two minutes, new game sessions may still start on the previous fleet. Running ones stay there. */
{ kind: "stragglers" } | 
/** It also changes where {}: {}. */
{ kind: "queuesMove"; queues: string[] } | 
/** Placements of {} go through this alias and move with it. */
{ kind: "queuesFollowAlias"; queues: string[] } | 
/** Every game client and backend that uses this alias fails from then on. */
{ kind: "aliasNamedByGames" } | 
/** Queues use this alias as a destination and lose it: {}. Anything else that uses it fails from then on. */
{ kind: "queuesLoseAlias"; queues: string[] } | 
/** The fleet {fleet} is {status}, not ACTIVE: no game session can be made on it. */
{ kind: "fleetNotActive"; fleet: string; status: string } | 
/** Capacity is already set to these numbers. */
{ kind: "numbersAlready" } | 
/** Desired is {desired}, outside the new limits {minimum} to {maximum}: AWS may refuse this or adjust desired. Set desired, too. */
{ kind: "desiredOutsideNewLimits"; desired: number; minimum: number; maximum: number } | 
/** Scaling is suspended here: the number stays until someone changes it. */
{ kind: "scalingSuspendedHere" } | 
/** This location scales to and from zero by itself: the number will not stay, and AWS takes no minimum here. */
{ kind: "scalesToZero" } | 
/** The target policy {policy} is active here: AWS will override {desired} at once. Suspend scaling first, or change minimum and maximum instead. */
{ kind: "targetPolicyOverrides"; policy: string; desired: number } | 
/** The scaling policy {policy} is active here and will change the number again when its condition is met. */
{ kind: "policyMovesAgain"; policy: string } | 
/** The topic is a FIFO topic. AWS advises against it: under load its lower publish limits can lose events. */
{ kind: "fifoTopic" } | 
/** Events of placements go to this topic from then on. Liftdeck hears them only if the event queue it adopted is subscribed to it. */
{ kind: "topicMustReachUs" } | 
/** Without a notification target, events of placements reach EventBridge only, and Liftdeck does not hear them. */
{ kind: "noTopic" } | 
/** A ticket with this id already exists. Use a new id. */
{ kind: "ticketIdTaken" } | 
/** A placement with this id already exists, and AWS takes an id only once. Use a new id. */
{ kind: "placementIdTaken" } | 
/** {inside} players are in the game session, and {named} are named. Name all of them, or the match may be overfilled. */
{ kind: "playersNotAllNamed"; inside: number; named: number } | 
/** This replaces a backfill of the same game session that is under way. */
{ kind: "backfillReplaced" } | 
/** A policy applies to every location of the fleet, and may end instances with unprotected game sessions. */
{ kind: "policyEverywhere" } | 
/** The policy is already set this way. */
{ kind: "policyAlready" } | 
/** Scaling is suspended in {}: the policy does nothing there until scaling is resumed. */
{ kind: "policySuspended"; locations: Location[] } | 
/** It is the fleet's last policy: without it, the number of instances stays until someone changes it. */
{ kind: "lastPolicy" } | 
/** It is already set that way. */
{ kind: "soAlready" } | 
/** Automatic scaling is off from then on: the number of instances stays until someone changes it. */
{ kind: "noDemand" } | 
/** Policies take over at once: they override a number set by hand, and may end instances with unprotected game sessions. */
{ kind: "policiesTakeOver" } | 
/** The fleet has no scaling policy, so this has no effect. */
{ kind: "noPolicy" } | 
/** An earlier change of this kind is still under way there. */
{ kind: "earlierSwitchUnderWay" } | 
/** Scale-in may end game sessions created from then on. */
{ kind: "newSessionsUnprotected" } | 
/** Scale-in may end the game session from then on. */
{ kind: "sessionUnprotected" } | 
/** The queue limits latency, and some players have no latency values: the limits do not apply to them. */
{ kind: "latenciesMissing" } | 
/** None of the queue's destinations can host a game session now: the placement will time out. */
{ kind: "noDestinationHosts" } | 
/** A queue without destinations cannot place game sessions. */
{ kind: "noDestination" } | 
/** No destination can host a game session now: placements of this queue will time out. */
{ kind: "noDestinationCouldHost" } | 
/** The destination {id} does not exist. */
{ kind: "destinationMissing"; id: string } | 
/** The destination {alias} is a terminal alias. */
{ kind: "destinationTerminal"; alias: string } | 
/** The destination {fleet} is {status}, not ACTIVE. */
{ kind: "destinationNotActive"; fleet: string; status: string } | 
/** The queue is already set that way. */
{ kind: "queueAlready" } | 
/** No instance is active in {location}: AWS will answer that the fleet has no free server process. */
{ kind: "noInstanceIn"; location: string } | 
/** The server process is stopped at once: anything it has not saved is lost, and its players are disconnected. */
{ kind: "processStopped" } | 
/** On an Anywhere fleet this works only where the GameLift Agent runs. */
{ kind: "anywhereNeedsAgent" } | 
/** Asks the game server to shut down. If it ignores this, the game session stays TERMINATING: then terminate it at once. */
{ kind: "serverAskedToEnd" } | 
/** A slot is reserved for 60 seconds, then it is free again. */
{ kind: "slotsKept" } | 
/** Without a new version, nobody can tell later which files a game session ran. */
{ kind: "versionMissing" } | 
/** The alias {alias} still sends new game sessions to the fleet, so the drain will not finish. Repoint it as well. */
{ kind: "aliasStillLeads"; alias: string } | 
/** The queue {queue} still places game sessions on the fleet, so the drain will not finish. Remove the fleet from its destinations as well. */
{ kind: "queueStillPlaces"; queue: string } | 
/** {} */
{ kind: "wouldBeRefused"; why: SkipFact[] } | 
/** It now affects {}; when it was confirmed, {}. */
{ kind: "hitsMore"; players: number; were: number } | 
/** It has changed since it was confirmed. {} */
{ kind: "movedSinceConfirmed"; differences: FactChange[] } | 
/** {label} has changed since: this change left {}, now it is {}. Undoing it sets {}. */
{ kind: "changedAgain"; label: string; left: string | null; is: string | null; becomes: string | null } | 
/** {label}: {note} */
{ kind: "compared"; label: string; note: string } | 
/** The {what} of {fleet} could not be compared: {error}. */
{ kind: "notCompared"; what: string; fleet: string; error: string } | 
/** {} of {}: {fact} */
{ kind: "ofSome"; changes: number; all: number; fact: WarningFact };

/**  Live game sessions of both fleets at a moment. */
export type WatchPoint = {
	/**  When. */
	at: Timestamp,
	/**  On the fleet the alias pointed to before. */
	onOld: number,
	/**  On the fleet it points to. */
	onTarget: number,
};

/**  What a rule looks at. */
export type Watched = 
/**  A figure that is kept over time. */
{ kind: "metric"; 
/**  The figure. */
figure: SeriesName; 
/**  Of what. */
of: MetricSubject; 
/**  As a percentage of this, if it counts instances. */
relative: RelativeTo | null; 
/**  Over how many minutes it is taken, 1 to 60: the sum of what adds up, the mean of everything else. */
overMinutes: number } | 
/**  The number of game sessions that a query selects, among those that are live or ended in the last 24 hours. */
{ kind: "query"; 
/**  The query. */
query: string; 
/**  What is counted apart. */
per: QueryPer; 
/**  As a percentage of the game sessions that this query selects; of the live ones if it is blank. */
shareOf: string | null };

/**  What happened to the subject of a change. */
export type What = 
/**  It, or a part of it, appeared. */
{ kind: "added"; 
/**  The part. */
part: Part | null } | 
/**  It, or a part of it, is gone. */
{ kind: "removed"; 
/**  The part. */
part: Part | null } | 
/**  A setting changed. */
{ kind: "set"; 
/**  The part that the setting belongs to. */
part: Part | null; 
/**  The record's field, such as `desired` or `routing`. */
field: string; 
/**  Its value before; `None` if it had none. */
before: Value | null; 
/**  Its value after; `None` if it has none. */
after: Value | null } | 
/**
 *  Only the moment AWS keeps of its last update says that it was changed: what was changed was taken back, or
 *  happened before anybody looked.
 */
{ kind: "touched" } | 
/**  Fleet events of one code in a short time. */
{ kind: "events"; 
/**  Their code. */
code: string; 
/**  How many. */
count: number; 
/**  When the first of them happened. */
firstAt: Timestamp; 
/**  Message of the newest one. */
message: string | null; 
/**  The step that a FLEET_SCALING_EVENT announces. */
scaled: Scaled | null } | 
/**  A change by this installation that no poll has seen yet. */
{ kind: "sent"; 
/**  What was done. */
sent: Sent; 
/**  The facts before and after, as previewed. */
facts: FactChange[] } | 
/**  A drain by this installation began, or ended in this state. */
{ kind: "drain"; 
/**  How it ended; `None` if it began. */
ended: RunState | null };

/**  Where the players who were cut off are, or were when it was over. */
export type WhereNow = {
	/**  On another fleet. */
	elsewhere: number,
	/**  On a fleet in trouble again. */
	hereAgain: number,
	/**  In no game session. */
	offline: number,
};

/**  Who made a change. */
export type Who = 
/**
 *  CloudTrail recorded the call. Several calls that each would have left the change are all told: it was one of
 *  them.
 */
{ kind: "named"; 
/**  The calls, oldest first. */
calls: RecordedCall[] } | 
/**  This installation. */
{ kind: "ours" } | 
/**  A scaling policy, by elimination: one was in force, and no call that set the capacity is recorded. */
{ kind: "policy"; 
/**  Whether no such call is to be expected any more. */
isSettled: boolean } | 
/**  CloudTrail has no such call yet. */
{ kind: "pending"; 
/**  Until when it is asked again. */
until: Timestamp } | 
/**  It is not known and will not be. */
{ kind: "unknown"; 
/**  Why. */
why: WhyUnknown };

/**  Whom it hit. */
export type WhoIsHit = {
	/**  What is counted. */
	noun: HitNoun,
	/**  How many failed. For an alert, as the alert says. */
	count: number,
	/**  Out of how many that ended. */
	of: number | null,
	/**
	 *  Different players cut off, in the tickets that failed or whose placement did, or not connected; `None` where nothing
	 *  tells who was hit.
	 */
	players: number | null,
	/**  Times that a player was hit. */
	times: number,
	/**  Game sessions that failed and whose players were never read: those are not counted. */
	unread: number,
	/**  The players of the Region meanwhile; `None` for several Regions. */
	region: RegionShare | null,
	/**  By location, the most players first. */
	locations: HitHere[],
	/**  Where the players who were cut off are now, or were when it was over. */
	playing: WhereNow | null,
	/**  What may still be hit; `None` when it is over. */
	remaining: Remaining | null,
	/**  When the first and the last failed. */
	firstAt: Timestamp | null,
	/**  When the last failed. */
	lastAt: Timestamp | null,
	/**  Failures over its time, in equal parts. */
	course: HitBucket[],
	/**  False when there are more game sessions than are counted one by one. */
	isExact: boolean,
};

/**  Why it is not known who made a change. */
export type WhyUnknown = 
/**  This program may not read CloudTrail. */
"notPermitted" | 
/**  CloudTrail still had no such call after 150 minutes. */
"notInTrail" | 
/**  CloudTrail keeps 90 days. */
"tooOld" | 
/**  CloudTrail was not asked. */
"notAsked";

/**  A change as text. The parts form one sentence in this order: subject, text, before and after, location. */
export type Words = {
	/**  What changed, shown bold: a fleet's name, `alias arena-live`. */
	subject: string,
	/**  What happened to it. */
	text: string,
	/**  Value before. */
	before: string | null,
	/**  Value after. */
	after: string | null,
	/**  Who made it, or why that is not known: `alice in the console`, `not in CloudTrail`. */
	by: string | null,
};

/**  A zip file on this computer, as it was when inspected. */
export type ZipFile = {
	/**  Path of the file. */
	path: string,
	/**  Size in bytes. */
	sizeBytes: number,
	/**  SHA-256 of its bytes in hex, so that exactly the inspected file is sent. */
	sha256: string,
};
