// Made from src-tauri/crates/api by `cargo xtask generate`. Do not edit.


/** Carries one question to the core, and its answer back. */
export type Send = <T>(name: CommandName, args?: Record<string, unknown>) => Promise<T>;

/** Every command, over whatever carries it. */
export const createCalls = (send: Send) => ({
	/** The state of the program. While a connection is being opened it waits for the outcome. */
	appState: () => send<AppState>("app_state"),
	/** Keeps the settings and applies them to what is running. */
	settingsSave: (settings: Settings) => send<AppState>("settings_save", { settings }),
	/** The profiles of the shared AWS configuration. */
	profileList: () => send<AwsProfile[]>("profile_list"),
	/** Tries what a connection may do, without saving it. */
	connectionCheck: (draft: ConnectionDraft) => send<ConnectionCheck>("connection_check", { draft }),
	/** Saves a new connection, or the one with this id. */
	connectionSave: (id: string | null, draft: ConnectionDraft) => send<AppState>("connection_save", { id, draft }),
	/** Opens a connection; what was open is closed first. */
	connectionOpen: (id: string) => send<AppState>("connection_open", { id }),
	/** Forgets a connection. Its database stays. */
	connectionDelete: (id: string) => send<AppState>("connection_delete", { id }),
	/** Takes a connection file from a colleague. */
	connectionImport: (json: string) => send<AppState>("connection_import", { json }),
	/** A connection as a file for a colleague; it holds no secret. */
	connectionExport: (id: string) => send<string>("connection_export", { id }),
	/** Opens the built-in demo; the default scenario when none is named. */
	demoOpen: (scenario: string | null) => send<AppState>("demo_open", { scenario }),
	/** Unlocks the open connection for some minutes (5 to 480); a production connection asks for its name to be typed. */
	guardUnlock: (minutes: number, typed: string | null) => send<AppState>("guard_unlock", { minutes, typed }),
	/** Makes the open connection read-only at once. */
	guardLock: () => send<AppState>("guard_lock"),
	/** How collection goes. */
	healthGet: () => send<Health>("health_get"),
	/** What is on screen now, so that the collector asks for it first. */
	focusSet: (focus: Focus) => send<null>("focus_set", { focus }),
	/** Asks again at once instead of waiting out the pause. */
	retryNow: () => send<null>("retry_now"),
	/** The Overview screen. */
	overviewGet: (range: TimeRange) => send<Overview>("overview_get", { range }),
	/** Places whose name or id matches. */
	goto: (text: string) => send<Found[]>("goto", { text }),
	/** All fleets, with their utilization over the three hours up to the end of the range. */
	fleetList: (range: TimeRange) => send<FleetList>("fleet_list", { range }),
	/** One fleet. */
	fleetGet: (fleetId: FleetId) => send<FleetDetail>("fleet_get", { fleetId }),
	/** The computes of a fleet. */
	fleetInstances: (fleetId: FleetId) => send<InstanceList>("fleet_instances", { fleetId }),
	/** The events of a fleet, newest first. */
	fleetEvents: (fleetId: FleetId, range: TimeRange | null, page: Page) => send<Listed<FleetEventRow>>("fleet_events", { fleetId, range, page }),
	/** How a fleet scaled. */
	fleetScaling: (fleetId: FleetId, range: TimeRange) => send<FleetScaling>("fleet_scaling", { fleetId, range }),
	/** Raw bytes, a `Float64Array [rows, columns, b1 …, t[rows] (epoch seconds), c1[rows] …, low1[rows], high1[rows] …]`: NaN = gap, b is 1 where a column has a band of the lowest and highest inside each bucket. */
	seriesRead: (request: SeriesRequest) => send<ArrayBuffer>("series_read", { request }),
	/** The scaling chart of a fleet as a file. */
	chartSave: (request: ChartSave) => send<string | null>("chart_save", { request }),
	/** A window onto game sessions. */
	sessionList: (query: SessionQuery) => send<Listed<GameSessionRow>>("session_list", { query }),
	/** Asks GameLift's own search; what it finds is kept in the database and listed by its number. */
	sessionSearch: (query: SearchQuery) => send<SearchFound>("session_search", { query }),
	/** What GameLift would not understand of a search. */
	searchCheck: (filter: string, sort: string) => send<SearchCheck>("search_check", { filter, sort }),
	/** One game session. */
	sessionGet: (gameSessionId: GameSessionId) => send<SessionDetail>("session_get", { gameSessionId }),
	/** The log of an ended game session as a file. It is also kept beside the connection's database: AWS keeps it for 14 days. */
	sessionLogSave: (gameSessionId: GameSessionId) => send<string | null>("session_log_save", { gameSessionId }),
	/** Whether a query parses, and completions at the caret. */
	queryCheck: (text: string, caret: number) => send<QueryCheck>("query_check", { text, caret }),
	/** Players by id or prefix, with the sessions they were seen in, newest first. */
	playerSearch: (text: string, page: Page) => send<Listed<PlayerHit>>("player_search", { text, page }),
	/** A window onto placements, newest first, with figures over all of the range. */
	placementList: (query: PlacementQuery) => send<PlacementPage>("placement_list", { query }),
	/** The placements of a range split by queue, Region or destination: how each part ended and how long it took. */
	placementSplit: (scope: PlacementScope, split: PlacementSplit, range: TimeRange) => send<PlacementGroups>("placement_split", { scope, split, range }),
	/** One placement with its story; GameLift is asked how it stands, because it lists none. */
	placementGet: (placementId: PlacementId) => send<PlacementDetail>("placement_get", { placementId }),
	/** All queues of the connection. */
	queueList: () => send<QueueRow[]>("queue_list"),
	/** One queue with all its settings, how its destinations stand, and its history. */
	queueGet: (name: QueueName, region: Region) => send<QueueDetail>("queue_get", { name, region }),
	/** All configurations with how their matches went, and how tickets stand. */
	matchmakingGet: (range: TimeRange) => send<MatchmakingOverview>("matchmaking_get", { range }),
	/** A window onto FlexMatch events, newest first. */
	matchmakingEvents: (configuration: string | null, range: TimeRange | null, page: Page) => send<Listed<MatchmakingEventRow>>("matchmaking_events", { configuration, range, page }),
	/** A window onto tickets, newest first. */
	ticketList: (query: TicketQuery) => send<Listed<TicketRow>>("ticket_list", { query }),
	/** One ticket with its story; GameLift is asked how it stands, because it lists none. */
	ticketGet: (ticketId: TicketId, region: Region) => send<TicketDetail>("ticket_get", { ticketId, region }),
	/** All aliases of the connection, with the history of where they led. */
	aliasList: () => send<AliasRow[]>("alias_list"),
	/** The fleet an alias leads to beside the one it would. */
	repointCompare: (aliasId: AliasId, fleetId: FleetId) => send<RepointComparison>("repoint_compare", { aliasId, fleetId }),
	/** What happens after a repoint. */
	repointWatch: (activityId: ActivityId) => send<RepointWatch>("repoint_watch", { activityId }),
	/** What fleets run. */
	contentList: () => send<ContentList>("content_list"),
	/** What is in a zip of a script; the path is one of the computer Liftdeck runs on. */
	scriptZipCheck: (path: string) => send<Archive>("script_zip_check", { path }),
	/** Looks at an event queue of the connection; deletes nothing. Each look is a delivery to the messages looked at, so where a dead-letter rule counts those it has to be asked for with `anyway`. */
	feedLook: (url: string, anyway: boolean) => send<QueueLook>("feed_look", { url, anyway }),
	/** Adopts the event queue that was looked at last. What is not this account's is set aside or stays in the queue. */
	feedAdopt: (url: string, setAside: boolean, typed: string | null) => send<null>("feed_adopt", { url, setAside, typed }),
	/** Gives an adopted event queue up: its messages are left alone from then on. */
	feedRelease: (url: string) => send<null>("feed_release", { url }),
	/** The event queues that are adopted. */
	feedList: () => send<Adoption[]>("feed_list"),
	/** Messages that were set aside, newest first, below a key. */
	feedAside: (below: number | null) => send<AsideMessage[]>("feed_aside", { below }),
	/** Whether a change has the form AWS asks for; nothing is asked of anybody. */
	actionCheck: (action: Action) => send<ActionCheck>("action_check", { action }),
	/** What would happen; sends no change, and works while read-only. */
	actionPreview: (intent: Intent) => send<Preview>("action_preview", { intent }),
	/** Does what a preview says, exactly that or nothing. */
	actionConfirm: (previewId: PreviewId, typed: string | null) => send<Confirmed>("action_confirm", { previewId, typed }),
	/** A window onto attempts, newest first. */
	activityList: (query: ActivityQuery) => send<ActivityPage>("activity_list", { query }),
	/** One attempt. */
	activityGet: (id: ActivityId) => send<ActivityRow>("activity_get", { id }),
	/** Asks AWS what became of an attempt without an answer. */
	activitySettle: (id: ActivityId) => send<ActivityRow>("activity_settle", { id }),
	/** The attempts that match as a file. */
	activityExport: (query: ActivityQuery, format: ActivityFormat) => send<string | null>("activity_export", { query, format }),
	/** Runs, newest first; only those that may still go on when `open_only`. */
	runList: (openOnly: boolean) => send<Run[]>("run_list", { openOnly }),
	/** One run. */
	runGet: (id: RunId) => send<Run>("run_get", { id }),
	/** Pauses a run once the changes under way have their answers. */
	runPause: (id: RunId) => send<Run>("run_pause", { id }),
	/** Ends a run before its last item. */
	runStop: (id: RunId) => send<Run>("run_stop", { id }),
	/** All presets of new sessions, by name. */
	presetList: () => send<Preset[]>("preset_list"),
	/** Keeps a preset; one of the same name is replaced. */
	presetSave: (preset: Preset) => send<Preset[]>("preset_save", { preset }),
	/** Forgets a preset. */
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
	goto: "read",
	fleet_list: "read",
	fleet_get: "read",
	fleet_instances: "read",
	fleet_events: "read",
	fleet_scaling: "read",
	series_read: "read",
	chart_save: "file",
	session_list: "read",
	session_search: "read",
	search_check: "read",
	session_get: "read",
	session_log_save: "file",
	query_check: "read",
	player_search: "read",
	placement_list: "read",
	placement_split: "read",
	placement_get: "read",
	queue_list: "read",
	queue_get: "read",
	matchmaking_get: "read",
	matchmaking_events: "read",
	ticket_list: "read",
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
	overview_get: ["fleets", "capacity", "gameSessions", "playerSessions", "placements", "matchmaking", "events", "changes", "metrics", "activity"],
	goto: [],
	fleet_list: ["fleets", "capacity", "gameSessions", "aliases", "queues"],
	fleet_get: ["fleets", "capacity", "gameSessions", "changes"],
	fleet_instances: ["fleets", "capacity", "gameSessions"],
	fleet_events: ["events"],
	fleet_scaling: ["capacity", "events", "changes", "activity"],
	series_read: ["metrics", "capacity"],
	chart_save: [],
	session_list: ["gameSessions"],
	session_search: [],
	search_check: [],
	session_get: ["gameSessions", "playerSessions", "placements"],
	session_log_save: [],
	query_check: [],
	player_search: ["playerSessions"],
	placement_list: ["placements"],
	placement_split: ["placements"],
	placement_get: ["placements", "activity"],
	queue_list: ["queues"],
	queue_get: ["queues", "changes", "gameSessions", "fleets", "activity"],
	matchmaking_get: ["matchmaking", "activity"],
	matchmaking_events: ["matchmaking"],
	ticket_list: ["matchmaking"],
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
	/**  `ACCEPT` instead of `REJECT`. */
	accept: boolean,
};

/**  A 12-digit AWS account. */
export type AccountId = string;

/**  One change of one resource of one Region. */
export type Action = {
	/**  Home Region of the resource, where the call goes. */
	region: Region,
	/**  What is asked. */
	request: Request,
};

/**  Whether a change has the form the service asks for, and the same as a command of the AWS CLI. */
export type ActionCheck = {
	errors: FieldError[],
	command: string,
};

/**  How activity is written to a file. */
export type ActivityFormat = "csv" | "ndjson" | "json";

/**  An attempt: a UUID made before anything is sent. */
export type ActivityId = string;

/**  What became of an attempt. */
export type ActivityOutcome = 
/**  Recorded before the call; the answer is not here yet. */
"sending" | 
/**  AWS said yes. */
"done" | 
/**  AWS said no, or the request surely never reached it. */
"failed" | 
/**  The request may have reached AWS and no answer came: nobody knows yet. */
"unknown";

/**  A window onto attempts, newest first. */
export type ActivityPage = {
	rows: ActivityRow[],
	total: number,
	/**  Whether that is all of them; false where counting stopped and there are more. */
	totalIsExact: boolean,
	/**  Attempts of which nobody knows yet what became of them, filter or not. */
	unsettled: number,
};

/**  A question about attempts. */
export type ActivityQuery = {
	text: string,
	/**  Outcomes wanted; empty for all. */
	outcomes: ActivityOutcome[],
	operation: string | null,
	resourceKind: ResourceKind | null,
	resourceId: string | null,
	fleetId: FleetId | null,
	runId: RunId | null,
	range: TimeRange | null,
	page: Page,
};

/**  An attempt. */
export type ActivityRow = {
	id: ActivityId,
	runId: RunId | null,
	at: Timestamp,
	endedAt: Timestamp | null,
	durationMs: number | null,
	region: Region,
	operation: string,
	/**  Whether it leads an alias elsewhere. */
	isRepoint: boolean,
	resourceKind: ResourceKind,
	resourceId: string,
	resourceName: string | null,
	fleetId: FleetId | null,
	title: string,
	facts: FactChange[],
	outcome: ActivityOutcome,
	/**  How that is known. */
	proof: Proof,
	effect: Effect | null,
	source: ActivitySource,
	callerArn: string | null,
	requestId: string | null,
	awsCode: string | null,
	message: string | null,
	/**  ARN or id of what was made. */
	made: string | null,
	madePlayerSessions: ReservedSlot[],
	canUndo: boolean,
	undoOf: ActivityId | null,
	undoneBy: ActivityId | null,
	/**  The same as a command of the AWS CLI. */
	command: string,
};

/**  Whence an attempt came. */
export type ActivitySource = 
/**  A person at the window. */
"window" | 
/**  The command line. */
"command_line";

/**  A queue a person has made over to this connection: only its messages are received and deleted. */
export type Adoption = {
	/**  ARN, as SQS told it at the adoption. */
	queueArn: string,
	/**  URL it was adopted by. */
	queueUrl: string,
	/**  Region. */
	region: Region,
	/**  When SQS made the queue: one deleted and made anew under the same name is another queue. */
	queueCreatedAt: Timestamp,
	/**  When it was adopted. */
	adoptedAt: Timestamp,
	/**  ARN of whom AWS took us for then, when it said. */
	adoptedBy: string | null,
	/**  What is done with foreign bodies. */
	foreignBodies: ForeignBodies,
	/**  Why nothing is received from it any more, until it is adopted again. */
	halted: string | null,
};

/**  `alias-…`. */
export type AliasId = string;

/**  How an alias routes. */
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
	/**  Fields that are wrong; empty for everything but input. */
	fields: ItemError[],
};

/**  All the frame of the window needs to know. */
export type AppState = {
	version: string,
	settings: Settings,
	connections: ConnectionSummary[],
	current: ConnectionSummary | null,
	demoScenarios: DemoScenario[],
	/**  Whether this program may change anything at all; false where it was started to look only. */
	mayOperate: boolean,
	/**  Whether the open connection may be changed. */
	mode: Mode,
	/**  What has to be typed to unlock the open connection, in letters of any keyboard; null when nothing has. */
	unlockTyped: string | null,
	/**  Why the last connection could not be opened, if so. */
	openError: AppError | null,
	/**  Why the connections file cannot be relied on, if so: until it is put right nothing can be changed. */
	connectionsError: AppError | null,
};

/**  What was found in a zip. */
export type Archive = {
	/**  What would be sent; `None` when a problem keeps it from being sent. */
	file: ZipFile | null,
	/**  Files in it with their size unpacked, in bytes; at most 1 000. */
	entries: ([string, number])[],
	/**  What keeps it from being sent, in sentences. */
	problems: string[],
	/**  The one JavaScript file at its top, where there is exactly one: what a Realtime server starts with. */
	entryFile: string | null,
};

/**  A message that was set aside. */
export type AsideMessage = {
	/**  Names its row; a later message has a greater one. */
	key: number,
	/**  Queue it came from. */
	queueUrl: string,
	/**  SQS message id. */
	messageId: string,
	/**  Region of the queue. */
	region: Region,
	/**  When it was received. */
	receivedAt: Timestamp,
	/**  Why. */
	reason: QuarantineReason,
	/**  What exactly is wrong. */
	detail: string,
	/**  Bytes of the whole body. */
	bytes: number,
	/**  The body, as far as it was asked for. */
	body: string,
};

/**  Something to look at now. */
export type Attention = {
	/**  Names it, stable while it lasts. */
	key: string,
	/**  `Warning` or `Bad`. */
	severity: Severity,
	/**  Fleet concerned. */
	fleetId: FleetId | null,
	/**  Since when. */
	since: Timestamp,
	/**  What is wrong, with the figures behind it. */
	trouble: Trouble,
	/**  What is wrong, in words. */
	title: string,
	/**  The figures behind it, in words. */
	detail: string,
	/**  Where to look. */
	target: Target,
};

/**  A value a rule set may ask for. */
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

/**  How far the first read of history is. */
export type Backfill = {
	/**  Steps done. */
	done: number,
	/**  Steps in all. */
	total: number,
};

/**  Who is hit by a change: game sessions that end, may end or lose something by it. */
export type Blast = {
	/**  Live game sessions. */
	gameSessions: number,
	/**  Players in them. */
	playerSessions: number,
	/**  Those of them with full protection. */
	protectedGameSessions: number,
	/**  Their share of all live game sessions of the Region, 0 to 1; `None` when that is not known or nobody is hit. */
	shareOfRegion: number | null,
	/**  All of it in a sentence. */
	sentence: string,
	/**  How old the oldest count in it is; `None` when all of it was asked just now. */
	asOf: Timestamp | null,
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

/**  What of ours made a change. */
export type ByUs = 
/**  One attempt. */
{ kind: "activity"; id: ActivityId } | 
/**  A run of several. */
{ kind: "run"; id: RunId };

/**  Why desired instances moved. */
export type Cause = 
/**  The target-based policy. */
{ kind: "targetPolicy"; 
/**  Its target then, in percent (0 to 100). */
targetPercent: number } | 
/**  Rule-based policies. */
{ kind: "rulePolicy"; 
/**  Those in force then, by name. */
policies: string[] } | 
/**  Somebody set the capacity. */
{ kind: "manual" } | 
/**  It went to the limit: further was not allowed. */
{ kind: "limitReached"; 
/**  Which limit. */
limit: Limit; 
/**  The limit, in instances. */
instances: number } | 
/**  EC2 took Spot instances back. */
{ kind: "interruption" } | 
/**  Unhealthy instances or processes were replaced. */
{ kind: "unhealthy" } | 
/**  Nothing seen speaks for any of these. */
{ kind: "unknown" };

/**  One line of the feed. */
export type Change = {
	/**  Names the line, stable over re-reads. */
	key: string,
	/**  When: of an event when it happened, of a setting when a poll first saw it. */
	at: Timestamp,
	/**  Kind. */
	kind: ChangeKind,
	/**  How much it matters. */
	severity: Severity,
	/**  Home Region. */
	region: Region,
	/**  Id of what changed: of the fleet, alias, queue, build or script. */
	resource: string,
	/**  The fleet that it belongs to. */
	fleetId: FleetId | null,
	/**  Every fleet it touches: that one, or those an alias led to before and leads to after. */
	fleets: FleetId[],
	/**  Location concerned. */
	location: Location | null,
	/**  What happened. */
	what: What,
	/**  The same in words. */
	words: Words,
	/**  What of ours did it; `None` when somebody or something else did, or nobody knows. */
	byUs: ByUs | null,
};

/**  What kind of thing changed. */
export type ChangeKind = 
/**  An entry of DescribeFleetEvents. */
"fleetEvent" | 
/**  Desired instances moved. */
"scalingStep" | 
/**  Minimum or maximum moved. */
"capacity" | 
/**  A scaling policy. */
"scalingPolicy" | 
/**  An alias. */
"alias" | 
/**  A queue. */
"queue" | 
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

/**  What moved: a hint to ask again, under 1 KB, at most four a second. Losing one costs a tick, never correctness. */
export type Changed = {
	revision: number,
	subjects: Subject[],
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

/**  One line of the comparison. */
export type CompareLine = {
	/**  What is compared. */
	label: string,
	/**  Of the fleet the alias leads to now; empty where it leads to none. */
	from: string,
	/**  Of the fleet it would lead to. */
	to: string,
	/**  How much the difference weighs. */
	severity: CompareSeverity,
	/**  What the difference means; a sentence. */
	note: string | null,
};

/**  How much a difference weighs. */
export type CompareSeverity = 
/**  Nothing differs. */
"same" | 
/**  Worth knowing. */
"info" | 
/**  Likely to be felt by players. */
"warning" | 
/**  New game sessions fail, or AWS refuses. */
"bad";

/**  Something that could be written at the caret. */
export type Completion = {
	insert: string,
	label: string,
	detail: string | null,
};

/**  What a fleet's computes are. */
export type ComputeKind = 
/**  Managed EC2, billed on demand. */
"ec2_on_demand" | 
/**  Managed EC2 Spot: AWS may reclaim an instance with two minutes' notice. */
"ec2_spot" | 
/**  A container fleet, read with calls of its own. */
"container" | 
/**  Hardware of the operator's own. */
"anywhere";

/**  The answer to a confirmation. */
export type Confirmed = 
/**  It was recorded and sent. */
{ kind: "sent"; receipt: Receipt } | 
/**  Nothing was sent: the world moved since the preview. This is the new one. */
{ kind: "moved"; what: FactChange[]; preview: Preview };

/**  What a connection may do, tried before it is saved. */
export type ConnectionCheck = {
	account: string | null,
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
	/**  An endpoint other than AWS's own; null for AWS. */
	endpointUrl: string | null,
	regions: string[],
	eventQueues: EventQueue[],
};

/**  A saved connection. */
export type ConnectionSummary = {
	id: string,
	name: string,
	environment: Environment,
	profile: string | null,
	endpointUrl: string | null,
	account: string | null,
	regions: string[],
	eventQueues: EventQueue[],
	lastOpened: Timestamp | null,
};

/**  What fleets run. */
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
	/**  Makes a repeat harmless and becomes the last part of the ARN: 1 to 48 letters, digits and hyphens. */
	idempotencyToken: string,
	/**  Required where the fleet limits sessions per creator. */
	creatorId: string | null,
};

/**  CreatePlayerSessions; a single player goes the same way. */
export type CreatePlayerSessions = {
	/**  Full ARN. */
	gameSessionId: GameSessionId,
	/**  1 to 25 players. */
	players: NewPlayerSession[],
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
	/**  What an operator should notice. */
	description: string,
};

/**  What a destination is. */
export type DestinationKind = "fleet" | "alias";

/**  A task that is not running, or has not run long enough since to be trusted. */
export type Down = {
	/**  What it does, in words for people. */
	task: string,
	/**  When it ended first. */
	since: Timestamp,
	/**  Why it ended last. */
	why: string,
	/**  When it is begun again; `None` when it was. */
	nextTry: Timestamp | null,
};

/**  How a fleet is drained: the steps, in the order of the fields. */
export type DrainPlan = {
	/**  Home Region of the fleet. */
	region: Region,
	/**  Fleet. */
	fleetId: FleetId,
	/**  UpdateAlias and UpdateGameSessionQueue that lead new sessions elsewhere. */
	routes: Action[],
	/**  Whether new and live sessions are protected from scale-in until they end by themselves. */
	protect: boolean,
	/**  Whether scaling is suspended, so that no policy works against the drain. */
	suspendScaling: boolean,
	/**  Whether every location is set to no instances once it is empty. */
	scaleToZero: boolean,
};

/**  How far a drain is, for people. */
export type DrainProgress = {
	/**  In order. */
	steps: DrainStep[],
	/**  Live game sessions when last counted; before that, those on record. */
	gameSessions: number,
	/**  Players in them; `None` before the first count. */
	playerSessions: number | null,
	/**  Game sessions made on the fleet since new ones are led elsewhere; `None` before the first count. */
	newGameSessions: number | null,
	/**  Live game sessions when the drain began. */
	startGameSessions: number,
	/**  As likely sooner as later, in milliseconds from when it was last counted; `None` when it cannot be estimated. */
	estimateMs: number | null,
	/**  The estimate in a sentence, or why there is none. */
	estimateText: string,
};

/**  A step and how it stands. */
export type DrainStep = {
	/**  Which. */
	key: DrainStepKey,
	/**  For people. */
	title: string,
	/**  How it stands. */
	state: DrainStepState,
	/**  How far it is, or why it failed. */
	detail: string | null,
	/**  Its changes, by place in the run. */
	items?: number[],
};

/**  A step. */
export type DrainStepKey = 
/**  New sessions are led elsewhere. */
"route" | 
/**  Live sessions are protected from scale-in. */
"protect" | 
/**  Scaling is suspended. */
"suspend" | 
/**  The live sessions end by themselves. */
"wait" | 
/**  Every location is set to no instances. */
"scale";

/**  How a step stands. */
export type DrainStepState = 
/**  Its turn has not come. */
"waiting" | 
/**  Under way. */
"running" | 
/**  Done. */
"done" | 
/**  A change of it failed; resuming tries that again. */
"failed" | 
/**  Not wanted, or nothing to do. */
"skipped";

/**  The effect of a change, as last looked at. */
export type Effect = {
	/**  How it stands. */
	state: EffectState,
	/**  What is seen, in a sentence: `The game session is ACTIVE`. */
	text: string,
	/**  When it was looked at. */
	at: Timestamp,
};

/**  How the effect of a change that AWS accepted is coming along. */
export type EffectState = 
/**  Being looked for. */
"awaited" | 
/**  Seen on AWS. */
"seen" | 
/**  Ended another way: the placement failed, the session would not end. */
"missed" | 
/**  No longer looked for; the record says until when it was. */
"given_up";

/**  The mark of an account, the strictest first: of several that fit, the least holds. */
export type Environment = 
/**  Players are on it: everything asks to be typed. */
"production" | 
/**  Before production. */
"staging" | 
/**  A developer's own. */
"development" | 
/**  The simulator. */
"demo";

/**  What the window may branch on. */
export type ErrorKind = "invalidInput" | "notFound" | "unreachable" | "credentials" | 
/**  The credentials are of another account than the connection. */
"wrongAccount" | 
/**  AWS does not say whose account the credentials are of. */
"unproven" | "denied" | "throttled" | "service" | "store" | "storeFull" | "storeReadOnly" | "storeNewer" | "storeBusy" | "refused" | 
/**  The connection is read-only: an operator has to unlock it. */
"readOnly" | 
/**  The confirmation lacks what has to be typed. */
"notTyped" | 
/**  The preview is too old to be confirmed. */
"expired" | "internal";

/**  An SQS queue of the connection's own that receives placement and FlexMatch events. */
export type EventQueue = {
	region: string,
	url: string,
};

/**  What speaks for a cause. */
export type Evidence = 
/**  This installation sent it. */
{ kind: "sentFromHere" } | 
/**  A limit moved with the step. */
{ kind: "limitMoved"; 
/**  Which limit. */
limit: Limit; 
/**  Instances before. */
from: number; 
/**  Instances after. */
to: number } | 
/**  Server processes that were free just before. */
{ kind: "available"; 
/**  Their share in percent (0 to 100). */
percent: number; 
/**  For how many milliseconds that had been on the side of the target where the policy acts; 0 when it was not. */
forMs: number } | 
/**  A FLEET_SCALING_EVENT about then. */
{ kind: "scalingEvent" } | 
/**  Instances that were lost before it. */
{ kind: "instancesLost"; 
/**  How many. */
count: number } | 
/**  Processes or instances found unhealthy before it. */
{ kind: "unhealthy"; 
/**  How many. */
count: number } | 
/**  Automatic scaling was suspended there. */
{ kind: "suspended" } | 
/**  No scaling policy was in force there. */
{ kind: "noPolicy" };

/**  A message that is somebody else's. */
export type Example = {
	/**  Why it is taken for that. */
	reason: QuarantineReason,
	/**  In words. */
	detail: string,
	/**  Bytes of the whole body. */
	bytes: number,
	/**  How the body begins. */
	beginning: string,
};

/**  A fact before and after, as people read it: `Desired instances`, `4`, `8`. */
export type FactChange = {
	/**  What. */
	label: string,
	/**  Before; absent for what did not exist or was not known. */
	before: string | null,
	/**  After; absent for what no longer exists. */
	after: string | null,
};

/**  How the event feed of a queue is doing; counts are since the start. */
export type FeedHealth = {
	/**  Region of the queue. */
	region: Region,
	/**  URL of the queue. */
	queueUrl: string,
	/**  What is done with it. */
	state: FeedState,
	/**  Messages received. */
	received: number,
	/**  Events stored, without duplicates. */
	stored: number,
	/**  Events that were there already. */
	duplicates: number,
	/**  Messages put aside; those that wait to be confirmed among them. */
	quarantined: number,
	/**  Events put aside because they name what this connection does not know. */
	unconfirmed: number,
	/**  Messages of others that were left in the queue. */
	left: number,
	/**  Of the messages left, those there was no room to set aside. */
	noRoom: number,
	/**  Messages waiting in the queue when it was last asked. */
	waiting: number | null,
	/**  Who else receives from it. */
	otherReader: OtherReader | null,
	/**  When the last message came. */
	lastMessage: Timestamp | null,
	/**  What is wrong, if something is. */
	message: string | null,
};

/**  What is done with an event queue. */
export type FeedState = 
/**  Nothing is known of it yet. */
"starting" | 
/**  It is not this connection's: its messages are left alone. */
"notAdopted" | 
/**  Its messages are received. */
"receiving" | 
/**  It was adopted, and nothing is received from it until it is adopted again. */
"halted";

/**  A field the service would refuse. */
export type FieldError = {
	/**  The field, as the request spells it in camelCase, with an index for items of lists: `gameProperties[2].key`. */
	field: string,
	/**  What is wrong and what would be right; a sentence. */
	message: string,
	/**  Nothing was entered: a form says so only once somebody has tried to send it. */
	isMissing: boolean,
};

/**  Numbers for the tabs. */
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
	instanceRoleArn: string | null,
	metricGroups: string[],
	creatorLimit: string | null,
	/**  Since when a location sits at its limit without a free process. */
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
	severity: Severity,
	count: number,
	hasLog: boolean,
};

/**  `fleet-…` or with a prefix such as `containerfleet-…`; never the ARN. */
export type FleetId = string;

/**  All fleets. */
export type FleetList = {
	rows: FleetRow[],
	freshness: Freshness,
};

/**  A fleet in one of its locations. */
export type FleetLocationRow = {
	location: Location,
	status: string,
	desired: number,
	min: number,
	max: number,
	pending: number,
	active: number,
	idle: number,
	terminating: number,
	gameSessions: number,
	playerSessions: number,
	processes: number,
	scalingSuspended: boolean,
	updatePending: boolean,
	freshness: Freshness,
};

/**  A fleet and what it is called. */
export type FleetNamed = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Its name; its id where the store has never listed it. */
	name: string,
};

/**  How much room a fleet has. */
export type FleetRoom = {
	/**  Its name. */
	fleet: string,
	/**  Share of its server processes that are free, in percent (0 to 100). */
	freePercent: number,
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
	desired: number,
	active: number,
	max: number,
	gameSessions: number,
	playerSessions: number,
	/**  Percent of available game sessions, 0..100. */
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
	/**  When a location was at its limit with no process free. */
	cappedRanges: TimeRange[],
	/**  Age of the figures. */
	freshness: Freshness,
};

/**  How a fleet is. */
export type FleetState = 
/**  Nothing to see. */
"good" | 
/**  Little room left, or scaling is suspended while a location is at its limit. */
"warning" | 
/**  In error, or at its limit without a free process. */
"bad" | 
/**  On its way to ACTIVE, or leaving. */
"pending" | 
/**  Ended. */
"off";

/**  What is on screen now; asked for first and more often. */
export type Focus = {
	/**  Fleets. */
	fleets: FleetId[],
	/**  Game sessions. */
	gameSessions: GameSessionId[],
	/**  Whether CloudWatch charts are shown. */
	metrics: boolean,
};

/**  What is done with messages of an adopted queue that are not events of this account's GameLift. */
export type ForeignBodies = 
/**  They stay in the queue. */
"leave" | 
/**  They are kept in the database, then deleted from the queue. */
"set_aside";

/**  Something found, with what tells it apart. */
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
status: string } | 
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
eventTime: Timestamp };

/**  When rows were last confirmed against AWS, and whether that is late. */
export type Freshness = {
	/**
	 *  The oldest of the confirmations the rows rest on; `None` when one of them never came, or when it lies ahead of the
	 *  computer's clock, so that its age cannot be told.
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
	/**  Status; TERMINATED also when GameLift no longer knew it and its end was not seen. */
	status: string,
	/**  Why it ended. */
	statusReason: string | null,
	/**  Players ACTIVE or RESERVED when last seen. */
	currentPlayerSessionCount: number,
	/**  Slots. */
	maximumPlayerSessionCount: number,
	/**  When it was created. */
	creationTime: Timestamp,
	/**  When it ended; when GameLift was first found not to know it, if its end was not seen. */
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
	/**  Protection in force, once asked. */
	protectionPolicy: string | null,
};

/**  Where a game session is made without a queue. AWS: exactly one of FleetId and AliasId. */
export type GameSessionTarget = 
/**  The fleet itself. */
({ fleet: FleetId }) & { alias?: never } | 
/**  The fleet an alias leads to when the call arrives. */
({ alias: AliasId }) & { fleet?: never };

/**  How the whole connection is doing. */
export type Health = {
	/**  The worst state of any Region. */
	state: HealthState,
	/**  The worst lateness of any Region, in milliseconds. */
	behindMs: number,
	/**  The highest share of a published rate in any Region, 0 to 1. */
	quotaShare: number,
	/**  What is wrong where it is worst. */
	message: string | null,
	/**  What to do about that. */
	remedy: string | null,
	/**  Each Region. */
	regions: RegionHealth[],
	/**  Each event queue. */
	feeds: FeedHealth[],
	/**  Tasks that ended and were not meant to: what, since when, why, and when each is begun again. */
	down: Down[],
	/**  What stops nothing and should be known, in sentences. */
	cautions: string[],
	/**  The first read of history, while it goes on. */
	backfill: Backfill | null,
	/**  CloudWatch metrics requested this UTC day. */
	cloudwatchMetricsToday: number,
	/**  Their price in US dollars. */
	cloudwatchCostTodayUsd: number,
	/**  The daily cap in US dollars. */
	cloudwatchCapUsd: number,
	/**  Notices of what moved that a slow listener has missed since the start; it then reads everything again. */
	droppedNotices: number,
	/**  The store's revision. */
	revision: number,
	/**  When this was put together. */
	now: Timestamp,
};

/**  The one word for how things are; later ones are worse. */
export type HealthState = 
/**  Everything is read in time. */
"live" | 
/**  Nothing was read yet. */
"starting" | 
/**  Live figures are older than they should be. */
"behind" | 
/**  AWS throttles us, or our own share of its rates is used up. */
"throttled" | 
/**  AWS refuses what is needed most. */
"denied" | 
/**  The endpoint cannot be reached. */
"unreachable" | 
/**  AWS does not say whose account the credentials are of, so nothing is asked of it. */
"unproven" | 
/**  There are no valid credentials. */
"credentialsExpired" | 
/**  The credentials are of another account than the connection and its database, so nothing is asked of it. */
"wrongAccount" | 
/**  The database cannot be written. */
"storeProblem" | 
/**  Collection was stopped. */
"stopped";

/**  A fleet in one location. */
export type HeatCell = {
	/**  Location. */
	location: Location,
	/**  Share (0 to 1) of server processes hosting a game session; `None` while there is no process. */
	utilization: number | null,
	/**  Game sessions. */
	gameSessions: number,
	/**  Server processes. */
	processes: number,
	/**  Active instances. */
	activeInstances: number,
	/**  Desired instances. */
	desiredInstances: number,
	/**  Upper limit of scaling. */
	maxInstances: number,
};

/**  A fleet's row of the heat table. */
export type HeatRow = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Its name. */
	name: string,
	/**  Home Region. */
	region: Region,
	/**  How it is. */
	state: FleetState,
	/**  One cell a location it runs in. */
	cells: HeatCell[],
	/**  Game sessions over all locations. */
	gameSessions: number,
	/**  Player sessions over all locations. */
	playerSessions: number,
};

/**  Placements that took at most so long, and longer than the bar before. */
export type HistogramBar = {
	/**  Upper bound in milliseconds; `None` of the last, which has none. */
	upToMs: number | null,
	/**  How many. */
	count: number,
};

/**  The computes of a fleet. */
export type InstanceList = {
	rows: InstanceRow[],
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
};

/**  What is to be previewed. */
export type Intent = 
/**  These changes. More than one becomes a run. */
{ kind: "actions"; of: Action[] } | 
/**  Back to what was before an earlier change. */
{ kind: "undo"; of: ActivityId } | 
/**  The orderly end of everything on a fleet. */
{ kind: "drain"; of: DrainPlan } | 
/**  The rest of a paused run. */
{ kind: "resume"; of: RunId };

/**  A field the service would refuse. */
export type ItemError = {
	/**  Which of the changes, from 0. */
	item: number,
	field: string,
	message: string,
};

/**  A key figure. */
export type Kpi = {
	/**  Which. */
	key: KpiKey,
	/**  Its value now; `None` when it is not known. */
	value: number | null,
	/**  What it is a part of. */
	of: number | null,
	/**  The value at the same time yesterday. */
	yesterday: number | null,
	/**  Placements: share (0 to 1) that failed or timed out. */
	failedShare: number | null,
	/**  Values over the range, `None` for gaps. */
	spark: (number | null)[],
	/**  Age of the value. */
	freshness: Freshness,
};

/**  Which key figure. */
export type KpiKey = 
/**  Player sessions ACTIVE or RESERVED. */
"playersOnline" | 
/**  Game sessions running. */
"activeSessions" | 
/**  Active instances, of the most scaling allows. */
"instances" | 
/**  Server processes without a game session. */
"freeProcesses" | 
/**  Placements ended, a minute. */
"placementsPerMinute" | 
/**  95th percentile of the wait of matched players, in seconds. */
"matchmakingWaitP95";

/**  A latency policy of a queue. */
export type LatencyPolicy = {
	/**  The most any player may have, in milliseconds. */
	maximumIndividualPlayerLatencyMs: number | null,
	/**  For how many seconds the policy holds; the last one holds to the end. */
	policyDurationSeconds: number | null,
};

/**  What is left out of a change. */
export type LeftOut = {
	/**  How many. */
	total: number,
	/**  How many for which reason: `56 035 already ended, 1 that AWS would refuse`. */
	sentence: string,
	/**  Each of them; of more than 200 a screen is sent the first. */
	rows: Skipped[],
};

/**  A limit of scaling. */
export type Limit = 
/**  The fewest instances. */
"minimum" | 
/**  The most instances. */
"maximum";

/**  A window onto a list, with the age of its rows. */
export type Listed<T> = {
	rows: T[],
	total: number,
	/**  Whether that is all of them; false where counting stopped and there are more. */
	totalIsExact: boolean,
	freshness: Freshness,
};

/**  Where a fleet runs: a Region code, a Local Zone code or `custom-…` (AWS: API Reference, Location). */
export type Location = string;

/**  A mark under the charts. */
export type Mark = {
	/**  Names the mark. */
	key: string,
	/**  When. */
	at: Timestamp,
	/**  Kind. */
	kind: ChangeKind,
	/**  How much it matters. */
	severity: Severity,
	/**  What happened. */
	text: string,
	/**  What of ours did it; `None` when it was not ours. */
	byUs: ByUs | null,
};

/**  A player of a ticket. */
export type MatchPlayer = {
	/**  Player. */
	playerId: PlayerId,
	/**  Team; only for a backfill, where it is required. */
	team: string | null,
	/**  At most 10. */
	attributes: PlayerAttribute[],
	/**  What the player measured to Regions. */
	latencies: RegionLatency[],
};

/**  A matchmaking configuration, with figures over the range asked for. */
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
	/**  JSON, laid out. */
	ruleSetBody: string | null,
	backfillMode: string | null,
	flexMatchMode: string | null,
	additionalPlayerCount: number | null,
	matches: number,
	failed: number,
	timedOut: number,
	waitP50Ms: number | null,
	waitP95Ms: number | null,
	/**  Of the players asked, 0 to 1. */
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

/**  All configurations, and how tickets stand. */
export type MatchmakingOverview = {
	configurations: MatchmakingConfigurationRow[],
	ticketsByState: TicketCount[],
	freshness: Freshness,
};

/**  Whether the connection may be changed. */
export type Mode = 
/**  Nothing can be sent. */
{ kind: "readOnly" } | 
/**  A person unlocked it. */
{ kind: "operator"; 
/**  Until then. */
until: Timestamp };

/**  A player to keep a slot for. */
export type NewPlayerSession = {
	/**  Player, 1 to 1024 characters. */
	playerId: PlayerId,
	/**  1 to 2048 characters. */
	playerData: string | null,
};

/**  Somebody else who receives from an adopted queue: what they take is lost to us. */
export type OtherReader = {
	/**  Deliveries that were not ours, as far as they were noticed. */
	deliveries: number,
	/**  When the first was noticed. */
	since: Timestamp,
};

/**  The first glance. */
export type Overview = {
	/**  Key figures, in the order of the screen. */
	kpis: Kpi[],
	/**  Locations of the heat table, the busiest first. */
	locations: Location[],
	/**  Rows of the heat table: in trouble first, then by Region and name. */
	heat: HeatRow[],
	/**  Age of the heat table. */
	heatFreshness: Freshness,
	/**  What needs attention, the worst first. */
	attention: Attention[],
	/**  What changed in the range, newest first. */
	changes: Change[],
	/**  Regions in the store. */
	regions: number,
	/**  Fleets that are there. */
	fleets: number,
};

/**  Which part of a list is wanted. */
export type Page = {
	/**  Rows to skip. */
	offset: number,
	/**  Rows to return; cut to [`Page::MOST`]. */
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
	/**  What came of it. */
	outcome: PermissionOutcome,
	/**  The error in words, unless allowed. */
	detail: string | null,
	/**  AWS request id of the refusal. */
	requestId: string | null,
};

/**  What came of trying an action. */
export type PermissionOutcome = 
/**  Allowed. */
"allowed" | 
/**  Denied. */
"denied" | 
/**  Not decided: something else went wrong. */
"failed";

/**  One placement with its story. */
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

/**  A part of the placements. */
export type PlacementGroup = {
	/**  What a scope names it by. */
	key: string,
	label: string,
	statistics: PlacementStatistics,
};

/**  The placements of a range split, the largest part first. */
export type PlacementGroups = {
	groups: PlacementGroup[],
	freshness: Freshness,
};

/**  Chosen by whoever started the placement; unique over all Regions and never reused. */
export type PlacementId = string;

/**  A moment in the story of a placement. */
export type PlacementMoment = {
	at: Timestamp,
	type: string,
	text: string,
};

/**  A window onto placements, with figures over all of the range. */
export type PlacementPage = {
	rows: PlacementRow[],
	total: number,
	/**  Whether that is all of them; false where counting stopped and there are more. */
	totalIsExact: boolean,
	statistics: PlacementStatistics,
	freshness: Freshness,
};

/**  A player to reserve a slot for once the session is there. */
export type PlacementPlayer = {
	/**  Player, 1 to 1024 characters. */
	playerId: PlayerId,
	/**  1 to 2048 characters. */
	playerData: string | null,
	/**  What the player measured to Regions. */
	latencies: RegionLatency[],
};

/**  A player of a placement. */
export type PlacementPlayerRow = {
	playerId: PlayerId,
	playerSessionId: PlayerSessionId | null,
	latencies: RegionLatency[],
};

/**  A question about placements. */
export type PlacementQuery = {
	scope: PlacementScope,
	/**  Outcomes wanted; empty for all. */
	types: string[],
	text: string,
	range: TimeRange,
	page: Page,
};

/**  A placement's outcome. */
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
	/**  When it was queued. */
	startTime: Timestamp | null,
	/**  When it ended; where the event does not say, when that was sent. */
	endTime: Timestamp,
	/**  Milliseconds from queued to ended. */
	durationMs: number | null,
	/**  The session made. */
	gameSessionId: GameSessionId | null,
	/**  Fleet of that session. */
	fleetId: FleetId | null,
	/**  Where it runs. */
	location: Location | null,
	/**  Players placed. */
	players: number,
};

/**  Which placements are meant, whenever they ended. */
export type PlacementScope = {
	queue: string | null,
	/**  Region of the queue. */
	region: string | null,
	/**  Fleet that took them; `nowhere` for those that were not placed. */
	destination: string | null,
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
	/**  Fulfilled by time to place, the quickest first. */
	histogram: HistogramBar[],
};

/**  A player's attribute. */
export type PlayerAttribute = {
	/**  Name, as the rule set spells it. */
	name: string,
	/**  Value. */
	value: AttributeValue,
};

/**  A player found, with the newest of their player sessions. */
export type PlayerHit = {
	/**  Player. */
	playerId: PlayerId,
	/**  Newest first. */
	playerSessions: PlayerSessionRow[],
	/**  How many there are. */
	total: number,
};

/**  Chosen by the game, up to 1024 characters. */
export type PlayerId = string;

/**  Whether new players may come in. */
export type PlayerSessionCreationPolicy = 
/**  `ACCEPT_ALL` */
"ACCEPT_ALL" | 
/**  `DENY_ALL` */
"DENY_ALL";

/**  `psess-…`; not an ARN. */
export type PlayerSessionId = string;

/**  A player session with where it is. */
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
	/**  Status; COMPLETED also when it was live and then gone from a complete listing. */
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
/**  First read of a fleet's ended game sessions. */
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
"metrics";

/**  A range of open ports. */
export type PortRange = {
	fromPort: number,
	toPort: number,
	ipRange: string,
	protocol: string,
};

/**  A filled-in form. */
export type Preset = {
	name: string,
	kind: PresetKind,
	/**  JSON of the form, the window's own. */
	body: string,
};

/**  Which form. */
export type PresetKind = "newSession";

/**  A preview. What is confirmed is exactly this, or nothing. */
export type Preview = {
	/**  Id. */
	id: PreviewId,
	/**  What is going to happen, as a heading: `Repoint alias live to fleet-b`. */
	title: string,
	/**  Each change that would be sent, with its facts. */
	items: PreviewItem[],
	/**  What is not sent, whoever confirms; `None` when nothing is left out. */
	leftOut: LeftOut | null,
	/**  Whether there is anything to confirm: not when all of it is left out. */
	confirmable: boolean,
	/**  Who is hit. */
	blast: Blast,
	/**  What should be known before it is confirmed, worst first. */
	warnings: Warning[],
	/**  Whether it can be undone. */
	undo: UndoOffer,
	/**  What must be typed to confirm it; `None` when a click is enough. */
	mustType: string | null,
	/**  The equivalent `aws gamelift …` lines, one an item. */
	commands: string[],
	/**  From then on it can no longer be confirmed. */
	expiresAt: Timestamp,
};

/**  Names a preview, for its confirmation. */
export type PreviewId = string;

/**  One change of a preview. */
export type PreviewItem = {
	/**  What is asked of AWS. */
	action: Action,
	/**  What the resource is called. */
	resourceName: string | null,
	/**  What it changes. */
	facts: FactChange[],
};

/**  PriorityConfigurationOverride. AWS: the queue must prioritise LOCATION, and latencies may not be given. */
export type PriorityOverride = {
	/**  Locations in order, 1 to 10. */
	locationOrder: string[],
	/**  `DEFAULT_AFTER_SINGLE_PASS` instead of `NONE`: whether the queue's own order follows. */
	fallBack: boolean,
};

/**  Where a profile's credentials come from. */
export type ProfileKind = 
/**  IAM Identity Center: a login that expires. */
"sso" | 
/**  Another profile's or source's credentials take a role. */
"assumeRole" | 
/**  Keys in the file. */
"keys" | 
/**  A program prints them. */
"process" | 
/**  The environment, container or instance gives them. */
"environment" | 
/**  Nothing this program knows. */
"other";

/**  How it is known what became of an attempt. */
export type Proof = 
/**  AWS answered. */
"answered" | 
/**  No answer came. AWS shows what only this attempt can have made: it carries an id this attempt gave it. */
"own" | 
/**  No answer came. AWS shows what was asked for, done by whomever; or no trace where none can come any more. */
"seen";

/**  Whether a session survives scale-in. */
export type Protection = 
/**  `NoProtection` */
"NoProtection" | 
/**  `FullProtection` */
"FullProtection";

/**  PutScalingPolicy: made when the name is new to the fleet, else replaced. AWS: holds for all locations. */
export type PutScalingPolicy = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Name, 1 to 1024 characters. */
	name: string,
	/**  What it does. */
	rule: ScalingRule,
};

/**  Why a message became no event at once. */
export type QuarantineReason = 
/**  The body is not JSON. */
"not_json" | 
/**  JSON, but neither an event nor an envelope with one. */
"not_an_event" | 
/**  A well-formed event of something else than GameLift. */
"not_game_lift" | 
/**  An event that names another account, or none. */
"other_account" | 
/**  An event of GameLift of a type this program does not know. */
"unknown_type" | 
/**  An event of a known type that lacks what makes it one. */
"incomplete" | 
/**  An event that names a Region, queue, configuration or fleet this connection does not know. */
"unconfirmed";

/**  Whether a query parses, and completions at the caret. */
export type QueryCheck = {
	problem: QueryProblem | null,
	completions: Completion[],
};

/**  What is wrong with a query, between which characters. */
export type QueryProblem = {
	message: string,
	start: number,
	end: number,
};

/**  Where a queue places. */
export type QueueDestination = {
	/**  ARN as given. */
	arn: string,
	/**  Name of the fleet or alias, or the last part of the ARN. */
	label: string,
	/**  The fleet, through the alias when it is one. */
	fleetId: FleetId | null,
	/**  The alias, when it is one. */
	aliasId: AliasId | null,
};

/**  A destination with how it stands. */
export type QueueDestinationDetail = {
	arn: string,
	kind: DestinationKind,
	id: string,
	name: string | null,
	/**  The fleet itself or the one the alias leads to; null for a terminal alias. */
	fleetId: FleetId | null,
	state: FleetState,
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

/**  What there is to know of a queue before it is adopted. */
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
	/**  What speaks against adopting it; then its name has to be typed. */
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
	/**  Latency policies in words. */
	latencyPolicies: string[],
	priority: string[],
	notificationTarget: string | null,
	freshness: Freshness,
};

/**  What confirming set off. */
export type Receipt = {
	runId: RunId | null,
	activityIds: ActivityId[],
	/**  The one change, when it was not sent because what it was about had ended by itself; null otherwise. */
	leftOut: LeftOut | null,
};

/**  An AWS Region code, the home Region of a resource, such as `eu-west-1`. */
export type Region = string;

/**  How a Region is doing. */
export type RegionHealth = {
	/**  Region. */
	region: Region,
	/**  State. */
	state: HealthState,
	/**  By how many milliseconds the oldest live figure is later than it should be. */
	behindMs: number,
	/**  The busiest operation's share of the published rate over the last minute, 0 to 1. */
	quotaShare: number,
	/**  That operation. */
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

/**  A player's latency to a Region. */
export type RegionLatency = {
	/**  Region. */
	region: string,
	/**  Milliseconds, whole ones. */
	latencyMs: number,
};

/**  The fleet an alias leads to beside the fleet it would lead to. */
export type RepointComparison = {
	/**  Alias. */
	aliasId: AliasId,
	/**  Where it leads now; `None` when it is terminal. */
	fromFleetId: FleetId | null,
	/**  Where it would lead. */
	toFleetId: FleetId,
	/**  Line by line, in the order people read them. */
	lines: CompareLine[],
	/**  What should be known before, worst first. */
	warnings: Warning[],
	/**  Queues that place through this alias. */
	queues: string[],
};

/**  How a repoint is coming along. */
export type RepointWatch = {
	/**  The attempt. */
	activityId: ActivityId,
	/**  Alias. */
	aliasId: AliasId,
	/**  When AWS accepted it. */
	since: Timestamp,
	/**  Where it led before; `None` when it was terminal. */
	fromFleetId: FleetId | null,
	/**  That fleet's name. */
	fromName: string | null,
	/**  Where it leads; `None` when it is terminal now. */
	toFleetId: FleetId | null,
	/**  That fleet's name. */
	toName: string | null,
	/**  Game sessions made on the new fleet since. */
	newOnTarget: number,
	/**  Game sessions made on the old fleet in the two minutes AWS takes: stragglers. */
	newOnOld: number,
	/**  Live game sessions on the old fleet. */
	liveOnOld: number,
	/**  Players in them. */
	playersOnOld: number,
	/**  Live game sessions on the new fleet. */
	liveOnTarget: number,
	/**  Until then stragglers are to be expected. */
	stragglersUntil: Timestamp,
	/**  Whether that is over and the old fleet is empty. */
	settled: boolean,
	/**  Whether it can be undone. */
	canUndo: boolean,
	/**  Live game sessions over time, from ten minutes before; empty where GameLift does not tell. */
	series: WatchPoint[],
	/**  How old the counts are. */
	freshness: Freshness,
};

/**  The call, under the name of its operation. */
export type Request = 
/**  A game session on a fleet or through an alias. */
{
	operation: "CreateGameSession",
} & CreateGameSession | 
/**  Name, slots, properties, policy or protection of a game session. */
{
	operation: "UpdateGameSession",
} & UpdateGameSession | 
/**  The end of a game session. */
{
	operation: "TerminateGameSession",
} & TerminateGameSession | 
/**  Slots of a game session kept for players. */
{
	operation: "CreatePlayerSessions",
} & CreatePlayerSessions | 
/**  A game session through a queue. */
{
	operation: "StartGameSessionPlacement",
} & StartGameSessionPlacement | 
/**  The end of a placement that is still PENDING. */
{
	operation: "StopGameSessionPlacement",
} & StopGameSessionPlacement | 
/**  A new alias. */
{
	operation: "CreateAlias",
} & CreateAlias | 
/**  Name, description or routing of an alias; a repoint is this. */
{
	operation: "UpdateAlias",
} & UpdateAlias | 
/**  The end of an alias. */
{
	operation: "DeleteAlias",
} & DeleteAlias | 
/**  Desired, minimum or maximum instances of a location. */
{
	operation: "UpdateFleetCapacity",
} & UpdateFleetCapacity | 
/**  A new or changed scaling policy. */
{
	operation: "PutScalingPolicy",
} & PutScalingPolicy | 
/**  The end of a scaling policy. */
{
	operation: "DeleteScalingPolicy",
} & DeleteScalingPolicy | 
/**  Scaling suspended. */
{
	operation: "StopFleetActions",
} & SetFleetActions | 
/**  Scaling resumed. */
{
	operation: "StartFleetActions",
} & SetFleetActions | 
/**  Protection of new game sessions of a fleet. */
{
	operation: "UpdateFleetAttributes",
} & UpdateFleetAttributes | 
/**  Destinations, timeout or latency policies of a queue. */
{
	operation: "UpdateGameSessionQueue",
} & UpdateGameSessionQueue | 
/**  A matchmaking ticket. */
{
	operation: "StartMatchmaking",
} & StartMatchmaking | 
/**  Players' answers to a proposed match. */
{
	operation: "AcceptMatch",
} & AcceptMatch | 
/**  The end of a ticket, of a match or of a backfill. */
{
	operation: "StopMatchmaking",
} & StopMatchmaking | 
/**  New players for a running match. */
{
	operation: "StartMatchBackfill",
} & StartMatchBackfill | 
/**  Name, version or files of a Realtime script. */
{
	operation: "UpdateScript",
} & UpdateScript;

/**  A slot kept for a player. */
export type ReservedSlot = {
	playerId: string,
	playerSessionId: string,
	/**  Where the player connects to, once the session says. */
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

/**  A rule-based scaling policy; values as the API spells them. */
export type RuleBasedScaling = {
	/**  Metric, such as `IdleInstances`. */
	metricName: string,
	/**  Comparison, such as `LessThanThreshold`. */
	comparisonOperator: string,
	/**  What the metric is compared with. */
	threshold: number,
	/**  Minutes the comparison must hold, at least 1. */
	evaluationPeriods: number,
	/**  `ChangeInCapacity`, `ExactCapacity` or `PercentChangeInCapacity`. */
	scalingAdjustmentType: string,
	/**  By how much, or to what. */
	scalingAdjustment: number,
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
	/**  Region, when all of it is in one. */
	region: Region | null,
	/**  The fleet concerned, where one is. */
	fleetId: FleetId | null,
	/**  When it was confirmed. */
	createdAt: Timestamp,
	/**  When it moved last. */
	changedAt: Timestamp,
	/**  Changes in all. */
	total: number,
	/**  Those AWS said yes to. */
	done: number,
	/**  Those AWS said no to. */
	failed: number,
	/**  Those nobody knows the outcome of. */
	unknown: number,
	/**  Those that had ended by themselves: nothing was left to do. */
	ended: number,
	/**  Those that were not sent, because they were not as they had been looked at any more. */
	skipped: number,
	/**  Those not begun, or without an answer yet. */
	left: number,
	/**  What had ended or was left out, and why; of more than 200 a screen is sent the first. */
	leftOut: Skipped[],
	/**  Why it is paused or stopped, what it waits for; a sentence. */
	message: string | null,
	/**  Steps and countdown of a drain. */
	drain: DrainProgress | null,
};

/**  A series of attempts that belong together, such as a bulk change or the drain of a fleet: a UUID. */
export type RunId = string;

/**  What kind of series of attempts a run is. */
export type RunKind = 
/**  The same change of many resources. */
"bulk" | 
/**  The drain of a fleet. */
"drain";

/**  How a run stands. */
export type RunState = 
/**  Sends. */
"running" | 
/**  Waits for somebody to resume it. */
"paused" | 
/**  Ended before its last item. */
"stopped" | 
/**  Came to its end. */
"finished";

/**  A step of the desired instances. */
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
	rule: string | null,
	/**  What it would be put as; null when AWS does not show all of it. */
	definition: ScalingRule | null,
};

/**  What a scaling policy does. */
export type ScalingRule = 
/**  Keeps a share of game sessions available (AWS: PercentAvailableGameSessions, one such policy a fleet). */
({ targetBased: {
	/**  Percent, above 0 to 100. */
	targetValue: number,
} }) & { ruleBased?: never } | 
/**  Adjusts when a metric has passed a threshold for a while. */
({ ruleBased: RuleBasedScaling }) & { targetBased?: never };

/**  One change of a location's desired instances. */
export type ScalingStep = {
	/**  Names the step, stable over re-reads. */
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
	/**  The cause in words: `target policy 20 %`, `maximum is 40`. */
	causeText: string,
	/**  Milliseconds until as many instances were active; `None` when that was not (yet) seen. */
	toActiveMs: number | null,
	/**  What speaks for the cause, the strongest first. */
	evidence: Evidence[],
	/**  The same in words. */
	evidenceText: string,
	/**  What of ours made it; `None` when it was not ours. */
	byUs: ByUs | null,
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
	/**  When its newest change was seen. */
	updatedAt: Timestamp | null,
	/**  Live game sessions that were started before that change. */
	liveBefore: number,
	/**  Game sessions started after it. */
	createdAfter: number,
	history: Change[],
};

/**  What is wrong with the two expressions, as far as the service's rules are known. */
export type SearchCheck = {
	filter: QueryProblem | null,
	sort: QueryProblem | null,
};

/**  What a search found. */
export type SearchFound = {
	/**  Names it in a question about game sessions. */
	search: number,
	askedAt: Timestamp,
	found: number,
	/**  Whether GameLift has more than the pages read. */
	more: boolean,
	/**  Pages read at most, 20 game sessions each. */
	pagesAtMost: number,
	/**  What broke it off after its first page. */
	failure: AppError | null,
};

/**  What is asked of SearchGameSessions. */
export type SearchQuery = {
	region: string,
	/**  The fleet searched; absent when an alias names it. */
	fleetId: string | null,
	aliasId: string | null,
	/**  One location of the fleet; all of them when absent. */
	location: string | null,
	/**  In the service's own grammar; blank for every session. */
	filter: string,
	/**  In the service's own grammar; blank for no particular order. */
	sort: string,
};

/**  Who may send, and from where. */
export type Sender = {
	/**  Service or principal; `*` is everybody. */
	principal: string,
	/**  ARNs or accounts the statement is limited to: topics, rules. Empty: from anywhere. */
	sources: string[],
};

/**  What was done by a change of ours. */
export type Sent = 
/**  Desired, minimum or maximum instances were set. */
{ kind: "capacity" } | 
/**  A scaling policy of this name was put. */
{ kind: "policy"; policy: string } | 
/**  The scaling policy of this name was deleted. */
{ kind: "policyRemoved"; policy: string } | 
/**  Automatic scaling was suspended. */
{ kind: "scalingSuspended" } | 
/**  Automatic scaling was resumed. */
{ kind: "scalingResumed" } | 
/**  Protection of new game sessions was set. */
{ kind: "protection" } | 
/**  It was made. */
{ kind: "added" } | 
/**  It leads elsewhere. */
{ kind: "repointed" } | 
/**  Its settings were changed. */
{ kind: "edited" } | 
/**  Its files were replaced. */
{ kind: "files" } | 
/**  It was deleted. */
{ kind: "removed" };

/**  A figure charts can draw. */
export type SeriesName = 
/**  Wanted instances. */
"desiredInstances" | 
/**  Instances that can host. */
"activeInstances" | 
/**  Instances starting. */
"pendingInstances" | 
/**  Active instances without a game session. */
"idleInstances" | 
/**  Instances leaving. */
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
/**  Server processes free for a game session. */
"availableGameSessions" | 
/**  Server processes running. */
"activeServerProcesses" | 
/**  Server processes that report to be healthy. */
"healthyServerProcesses" | 
/**  Server processes that ended without being asked to, inside the bucket. */
"serverProcessAbnormalTerminations" | 
/**  Game sessions lost to interrupted spot instances, inside the bucket. */
"gameSessionInterruptions" | 
/**  Spot instances taken back, inside the bucket. */
"instanceSpotInterruptions" | 
/**  Player sessions ACTIVE or RESERVED. */
"currentPlayerSessions" | 
/**  Placements fulfilled, a minute. */
"placementsFulfilled" | 
/**  Placements failed or timed out, a minute. */
"placementsFailed" | 
/**  Placements waiting. */
"queueDepth";

/**  Which figures are wanted. */
export type SeriesRequest = {
	/**  What they are about. */
	scope: SeriesScope,
	/**  The columns, in this order. */
	names: SeriesName[],
	/**  From when to when. */
	range: TimeRange,
	/**  Most rows to return. */
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
/**  When it ended; those that still run come last. */
"ended" | 
/**  Players. */
"players" | 
/**  Slots. */
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
	/**  Pretty-printed JSON when it is JSON. */
	matchmakerData: string | null,
	timeline: TimelineEntry[],
	playerSessions: PlayerSessionRow[],
	playerFreshness: Freshness,
	placement: PlacementRow | null,
	log: SessionLog,
	/**  Steps of (time, players). */
	playersOverTime: ([Timestamp, number])[],
	freshness: Freshness,
};

/**  What can be had of the log of a game session. */
export type SessionLog = 
/**  AWS should still have it. */
"available" | 
/**  It is on this computer. */
"kept" | 
/**  AWS has forgotten it, 14 days after the end. */
"gone" | 
/**  The session still runs. */
"notYet";

/**  A question about game sessions. */
export type SessionQuery = {
	/**  The local query language, e.g. `status:active fleet:eu-prod* players>=8 prop.mode:ranked`. */
	text: string,
	fleetId: FleetId | null,
	location: Location | null,
	range: TimeRange | null,
	/**  Only what this search of GameLift's found, in its order; nothing else narrows it then. */
	search: number | null,
	sort: SessionSort | null,
	page: Page,
};

/**  The order of game sessions. */
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

/**  What the operator may set. */
export type Settings = {
	theme: ThemeChoice,
	timeZone: TimeZoneChoice,
	/**  Share of the published request rates the program may use, 0.01 to 1. */
	budgetShare: number,
	/**  Most to spend on CloudWatch metrics in a day, in US dollars; 0 asks for none. */
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
/**  Worth a look; of a change: it may not do what is wanted. */
"warning" | 
/**  Players notice; of a change: AWS will refuse it, or people will be hurt by it. */
"bad";

/**  Why one change is left out, with what was seen. */
export type SkipFact = 
/** There is no {what} {id} in {region}: AWS will refuse this. */
{ kind: "missing"; what: string; id: string; region: Region } | 
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
/** Desired {desired} does not lie between minimum {minimum} and maximum {maximum}: AWS will refuse this. Set the limits with it. */
{ kind: "desiredOutsideLimits"; desired: number; minimum: number; maximum: number } | 
/** The fleet has the target policy {policy} already, and AWS allows only one: change that one instead. */
{ kind: "secondTargetPolicy"; policy: string } | 
/** A different order of locations needs a queue that prioritizes LOCATION: AWS will refuse this. */
{ kind: "priorityNeedsLocation" } | 
/** The alias is terminal: AWS will answer with its message instead of a game session: {message} */
{ kind: "aliasIsTerminal"; message: string } | 
/** GameLift does not know this game session (any more): AWS will refuse this. */
{ kind: "sessionUnknown" } | 
/** It is not among the live game sessions of its fleet. */
{ kind: "sessionNotListed" } | 
/** The game session is {status}. */
{ kind: "sessionOver"; status: string } | 
/** The game session is TERMINATING already: its server was asked to shut down. */
{ kind: "sessionAskedToEnd" } | 
/** The game session {}: nobody can join it. */
{ kind: "sessionNotJoinable"; status: string | null } | 
/** The game session was not made by FlexMatch: AWS fills only those. */
{ kind: "sessionNotOfFlexMatch" } | 
/** The game session is {status}: AWS reserves slots only in an ACTIVE one. */
{ kind: "sessionTakesNoSlots"; status: string } | 
/** The game session lets no new players in (DENY_ALL): AWS will refuse this. */
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
/** It would hit {} now; it was {}. */
{ kind: "playersGrew"; were: number; are: number } | 
/** {} there now; there was none when this was checked. */
{ kind: "playersCame"; players: number } | 
/** {} */
{ kind: "factsMoved"; differences: FactChange[] };

/**  Why a change is left out. */
export type SkipReason = 
/**  What it is about has ended: nothing is left to do. */
"ended" | 
/**  AWS would refuse it. */
"refused" | 
/**  It is not as it was looked at any more. */
"moved";

/**  A change that is left out. */
export type Skipped = {
	/**  Operation, as the API names it. */
	operation: string,
	/**  Home Region. */
	region: Region,
	/**  Id of the resource. */
	resource: string,
	/**  What the resource is called. */
	name: string | null,
	/**  Why. */
	reason: SkipReason,
	/**  Why, in a sentence. */
	text: string,
};

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
	/**  Another order of locations. */
	priorityOverride: PriorityOverride | null,
};

/**  StartMatchBackfill. AWS: only game sessions made by FlexMatch. */
export type StartMatchBackfill = {
	/**  Configuration, by name. */
	configurationName: string,
	/**  Chosen by the caller. */
	ticketId: TicketId,
	/**  Full ARN of the running session. */
	gameSessionId: GameSessionId,
	/**  All players who are in it now. */
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

/**  StopMatchmaking: tickets and backfills alike. */
export type StopMatchmaking = {
	/**  Ticket. */
	ticketId: TicketId,
};

/**  What a moved revision touched; crosses to the window as a hint to ask again. */
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
/**  What this installation changes: attempts, runs and presets. */
"activity" | 
/**  How collection goes; no commit of the store says so. */
"health" | 
/**  Settings and connections; no commit of the store says so. */
"settings";

/**  Where a look at it begins. */
export type Target = 
/**  The fleets, those with the least room first. */
{ kind: "fleetsByRoom" } | 
/**  The fleet's scaling. */
{ kind: "fleetScaling"; id: FleetId } | 
/**  The fleet's events. */
{ kind: "fleetEvents"; id: FleetId } | 
/**  The placements of a queue, or all. */
{ kind: "placements"; id?: QueueName | null } | 
/**  The collector's health. */
{ kind: "health" };

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

/**  The window's colours. */
export type ThemeChoice = "system" | "light" | "dark";

/**  Tickets in a state. */
export type TicketCount = {
	state: string,
	count: number,
};

/**  One ticket with its story. */
export type TicketDetail = {
	row: TicketRow,
	/**  Whether GameLift was just asked. */
	live: boolean,
	estimatedWaitSeconds: number | null,
	statusReason: string | null,
	statusMessage: string | null,
	/**  Where the players connect to. */
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

/**  A question about tickets. */
export type TicketQuery = {
	text: string,
	configuration: string | null,
	state: string | null,
	range: TimeRange | null,
	page: Page,
};

/**  A ticket, from events or just asked of GameLift. */
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

/**  From `from` (inclusive) to `to` (exclusive). */
export type TimeRange = {
	/**  First moment inside. */
	from: Timestamp,
	/**  First moment after. */
	to: Timestamp,
};

/**  The zone times are shown in. */
export type TimeZoneChoice = "local" | "utc";

/**  One moment of a session. */
export type TimelineEntry = {
	/**  When; a change between two polls is dated by the poll that first saw it. */
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
/**  Status of the session. */
"status" | 
/**  Players or slots. */
"players" | 
/**  Whether new players are accepted. */
"policy" | 
/**  The placement that made it. */
"placement" | 
/**  Protection. */
"protection" | 
/**  Name or properties. */
"properties";

/**  A moment in epoch milliseconds, UTC. */
export type Timestamp = number;

/**  What is wrong, with the figures behind it. */
export type Trouble = 
/**  A fleet is at its limit and has no process free in a location. */
{ kind: "capped"; 
/**  Its name. */
fleet: string; 
/**  Desired instances over all locations. */
desired: number; 
/**  The most scaling allows over all locations. */
maximum: number; 
/**  Server processes without a game session. */
freeProcesses: number } | 
/**  A fleet has little room for more game sessions. */
{ kind: "littleRoom"; 
/**  The fleet. */
room: FleetRoom; 
/**  Server processes without a game session. */
freeProcesses: number; 
/**  All server processes. */
processes: number; 
/**  Locations without a free process. */
fullLocations: Location[]; 
/**  Instances that are desired and not yet active. */
comingInstances: number } | 
/**  Several fleets have little room. */
{ kind: "fleetsWithLittleRoom"; 
/**  How many. */
count: number; 
/**  The fullest of them. */
fullest: FleetRoom[] } | 
/**  A fleet is in the status ERROR. */
{ kind: "inError"; 
/**  Its name. */
fleet: string } | 
/**  EC2 took Spot instances of a fleet back. */
{ kind: "interrupted"; 
/**  Its name. */
fleet: string; 
/**  How many instances. */
count: number; 
/**  Their type. */
instanceType: string | null } | 
/**  Server processes of a fleet do not come up, crash, or have to be ended. */
{ kind: "processesFail"; 
/**  Its name. */
fleet: string; 
/**  How many. */
count: number; 
/**  What the newest event says. */
message: string | null } | 
/**  A large share of placements does not succeed. */
{ kind: "placementsFail"; 
/**  Placements that timed out. */
timedOut: number; 
/**  Placements that failed. */
failed: number; 
/**  All that ended. */
total: number } | 
/**  Messages of an event queue became no event. */
{ kind: "eventsAside"; 
/**  Name of the queue. */
queue: string; 
/**  How many, for which reason. */
counts: SetAside[] } | 
/**  Something could not be read for a while. */
{ kind: "unread"; 
/**  What. */
poll: PollKind; 
/**  Where. */
region: Region; 
/**  How many resources of it. */
count: number; 
/**  Why, in the words of the failure. */
failure: string; 
/**  For how long, in milliseconds. */
forMs: number };

/**  Whether a change can be undone once it is done. */
export type UndoOffer = 
/**  Everything comes back as it was. */
{ kind: "exact" } | 
/**  Some of it does; the sentence says what does not. */
{ kind: "partly"; text: string } | 
/**  Nothing does; the sentence says why. */
{ kind: "none"; text: string };

/**  Why waiting messages were not looked at. */
export type Unseen = 
/**  A dead-letter rule counts deliveries, and nobody agreed to that. */
"deadLetterRule" | 
/**  The queue is adopted and being received from. */
"adopted";

/**  UpdateAlias: what is absent stays. */
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

/**  UpdateFleetAttributes, protection alone. AWS: concerns game sessions made afterwards. */
export type UpdateFleetAttributes = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Protection of new game sessions. */
	newGameSessionProtectionPolicy: Protection,
};

/**  UpdateFleetCapacity of one location: what is absent stays. */
export type UpdateFleetCapacity = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Location; the home Region when absent. */
	location: Location | null,
	/**  Wanted instances. */
	desiredInstances: number | null,
	/**  Lower limit of scaling. */
	minSize: number | null,
	/**  Upper limit of scaling. */
	maxSize: number | null,
};

/**  UpdateGameSession: what is absent stays. */
export type UpdateGameSession = {
	/**  Full ARN. */
	gameSessionId: GameSessionId,
	/**  Name. */
	name: string | null,
	/**  Slots, 1 to 200. */
	maximumPlayerSessionCount: number | null,
	/**  Whether new players may come in. */
	playerSessionCreationPolicy: PlayerSessionCreationPolicy | null,
	/**  Whether it survives scale-in. */
	protectionPolicy: Protection | null,
	/**  Added or overwritten. AWS: never deleted. */
	gameProperties: GameProperty[],
};

/**  UpdateGameSessionQueue: what is absent stays, what is given replaces all there was. */
export type UpdateGameSessionQueue = {
	/**  Queue. */
	name: QueueName,
	/**  Seconds after which a placement is TIMED_OUT (AWS: 10 to 600). */
	timeoutSeconds: number | null,
	/**  ARNs of fleets or aliases in order of preference. */
	destinations: string[] | null,
	/**  Latency policies in order. */
	playerLatencyPolicies: LatencyPolicy[] | null,
};

/**  UpdateScript: what is absent stays. AWS: running fleets take the new files for new game sessions. */
export type UpdateScript = {
	/**  Script. */
	scriptId: ScriptId,
	/**  Name, 1 to 1024 characters. */
	name: string | null,
	/**  Version, 1 to 1024 characters; a word for people, AWS keeps only the newest files. */
	version: string | null,
	/**  New files. */
	zipFile: ZipFile | null,
};

/**  A fleet that runs a build or script. */
export type UsingFleet = {
	/**  Fleet. */
	fleetId: FleetId,
	/**  Its name, or its id. */
	name: string,
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
/**  A text. */
{ kind: "text"; value: string } | 
/**  The fleet that an alias leads to. */
{ kind: "fleet"; value: FleetNamed } | 
/**  The message of a terminal alias. */
{ kind: "message"; value: string };

/**  What waits in a queue, as far as it was looked at. */
export type Waiting = {
	/**  Messages looked at. */
	lookedAt: number,
	/**  Events of this account's GameLift, those this program does not understand among them. */
	events: number,
	/**  Events of other accounts, or of none. */
	otherAccounts: number,
	/**  Messages that are no events of GameLift. */
	foreign: number,
	/**  The first few that are somebody else's. */
	examples: Example[],
	/**  Why they stay hidden from their readers for ten seconds, when they could not be given back at once. */
	keptHidden: string | null,
};

/**  Something to know before confirming. */
export type Warning = {
	/**  How much it matters. */
	severity: Severity,
	/**  A sentence or two. */
	text: string,
	/**  What it says, with what was seen: whoever needs to tell one warning from another looks here. */
	fact: WarningFact,
};

/**  What should be known before a change is confirmed, with what was seen. */
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
/** No destination of the queue can host a game session now: the placement will time out. */
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
/** It affects {} now; when it was confirmed, {}. */
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
	/**  On the fleet the alias led to before. */
	onOld: number,
	/**  On the fleet it leads to. */
	onTarget: number,
};

/**  What happened to the subject of a change. */
export type What = 
/**  It appeared, or a part of it. */
{ kind: "added"; 
/**  The part. */
part: Part | null } | 
/**  It is gone, or a part of it. */
{ kind: "removed"; 
/**  The part. */
part: Part | null } | 
/**  A setting is another than before. */
{ kind: "set"; 
/**  The part whose setting it is. */
part: Part | null; 
/**  The record's field, such as `desired` or `routing`. */
field: string; 
/**  Its value before; `None` when it had none. */
before: Value | null; 
/**  Its value after; `None` when it has none. */
after: Value | null } | 
/**  Fleet events of one code in a short time. */
{ kind: "events"; 
/**  Their code. */
code: string; 
/**  How many. */
count: number; 
/**  What the newest one says. */
message: string | null; 
/**  The step that a FLEET_SCALING_EVENT announces. */
scaled: Scaled | null } | 
/**  A change of ours that no poll has seen yet. */
{ kind: "sent"; 
/**  What was done. */
sent: Sent; 
/**  The facts before and after, as they were previewed. */
facts: FactChange[] } | 
/**  A drain of ours begins, or ends in this state. */
{ kind: "drain"; 
/**  How it ended; `None` where it begins. */
ended: RunState | null };

/**  A change in words. They read on: subject, text, before and after, location. */
export type Words = {
	/**  What changed, shown bold: a fleet's name, `alias arena-live`. */
	subject: string,
	/**  What happened to it. */
	text: string,
	/**  Value before. */
	before: string | null,
	/**  Value after. */
	after: string | null,
};

/**  A zip on this computer, as it was when it was looked at. */
export type ZipFile = {
	/**  Where it lies. */
	path: string,
	/**  Size in bytes. */
	sizeBytes: number,
	/**  SHA-256 of its bytes in hex: what is sent is what was looked at. */
	sha256: string,
};
