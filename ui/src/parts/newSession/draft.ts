/** Owns the draft of a new game session: the empty form, the action it makes, and what cannot be sent. */
import type { Action, AliasRow, FleetRow, QueueRow, RegionLatency, Request } from '$live/types';

export type Way = 'queue' | 'alias' | 'fleet';
export type PlayerDraft = { readonly id: string; readonly data: string; readonly latencies: string };

export type SessionDraft = {
  readonly way: Way;
  /** `region/name`, because queues of two Regions may share a name. */
  readonly queue: string;
  readonly alias: string;
  readonly fleet: string;
  readonly name: string;
  readonly slots: string;
  readonly properties: readonly { readonly key: string; readonly value: string }[];
  readonly data: string;
  /** When created directly; empty for the home Region. */
  readonly location: string;
  /** For a placement; empty for the queue's order. */
  readonly order: readonly string[];
  readonly fallBack: boolean;
  /** Idempotency token, and the id of a placement. */
  readonly token: string;
  readonly creator: string;
  readonly players: readonly PlayerDraft[];
};

export const emptyDraft = (token: string): SessionDraft => ({
  way: 'queue', queue: '', alias: '', fleet: '', name: '', slots: '8', properties: [], data: '', location: '', order: [],
  fallBack: true, token, creator: '', players: [],
}); // prettier-ignore

export type Choices = {
  readonly queues: readonly QueueRow[];
  readonly aliases: readonly AliasRow[];
  readonly fleets: readonly FleetRow[];
};

export const queueKey = (row: { region: string; name: string }): string => `${row.region}/${row.name}`;

/** Reads latencies written as `eu-west-1 40, eu-central-1 62`; null when the text has another form. */
export function latenciesOf(text: string): RegionLatency[] | null {
  const parts = text.split(/[,;\n]/).map((part) => part.trim());
  const found = parts.filter(Boolean).map((part): RegionLatency | null => {
    const match = /^([a-z][a-z0-9-]*)[\s=:]+(\d+)(?:\s*ms)?$/.exec(part);
    return match?.[1] && match[2] ? { region: match[1], latencyMs: Number(match[2]) } : null;
  });
  return found.every((one) => one !== null) ? found : null;
}

/** Fields that cannot be parsed and so cannot be sent. */
export function unreadable(draft: SessionDraft): Record<string, string> {
  const found: Record<string, string> = {};
  if (!/^\d{1,9}$/.test(draft.slots.trim()))
    found.maximumPlayerSessionCount = 'Enter a whole number from 1 to 200.';
  if (draft.way !== 'queue') return found;
  draft.players.forEach((player, index) => {
    if (latenciesOf(player.latencies) === null)
      found[`players[${index}].latencies`] = 'Use the form eu-west-1 40, eu-central-1 62.';
  });
  return found;
}

const orNull = (text: string) => (text === '' ? null : text);

/** The fleet a session would be created on directly; null when unknown. */
export function fleetOf(draft: SessionDraft, choices: Choices): FleetRow | null {
  const alias = choices.aliases.find((row) => row.aliasId === draft.alias);
  const id = draft.way === 'alias' ? alias?.fleetId : draft.way === 'fleet' ? draft.fleet : null;
  return choices.fleets.find((row) => row.fleetId === id) ?? null;
}

/** The locations a session could be created in. */
export function locationsOf(draft: SessionDraft, choices: Choices): string[] {
  if (draft.way !== 'queue') return fleetOf(draft, choices)?.locations ?? [];
  const queue = choices.queues.find((row) => queueKey(row) === draft.queue);
  const ids = queue?.destinations.map(
    (one) => one.fleetId ?? choices.aliases.find((alias) => alias.aliasId === one.aliasId)?.fleetId,
  );
  const own = choices.fleets.filter((fleet) => ids?.includes(fleet.fleetId));
  return [...new Set(own.flatMap((fleet) => fleet.locations))];
}

/** The form's action; null while a field cannot be parsed. */
export function actionOf(draft: SessionDraft, choices: Choices): Action | null {
  if (Object.keys(unreadable(draft)).length > 0) return null;
  const maximumPlayerSessionCount = Number(draft.slots);
  const shared = {
    maximumPlayerSessionCount,
    gameProperties: draft.properties.map(({ key, value }) => ({ key, value })),
    gameSessionData: orNull(draft.data),
  };
  if (draft.way === 'queue') {
    const queue = choices.queues.find((row) => queueKey(row) === draft.queue);
    const request: Request = {
      operation: 'StartGameSessionPlacement',
      placementId: draft.token,
      gameSessionQueueName: queue?.name ?? '',
      gameSessionName: orNull(draft.name),
      ...shared,
      players: draft.players.map((player) => ({
        playerId: player.id,
        playerData: orNull(player.data),
        latencies: latenciesOf(player.latencies) ?? [],
      })),
      priorityOverride: draft.order.length > 0 ? { locationOrder: [...draft.order], fallBack: draft.fallBack } : null,
    };
    return { region: queue?.region ?? '', request };
  }
  const target =
    draft.way === 'alias' ? { alias: draft.alias } : { fleet: draft.fleet };
  const region =
    draft.way === 'alias'
      ? choices.aliases.find((row) => row.aliasId === draft.alias)?.region
      : choices.fleets.find((row) => row.fleetId === draft.fleet)?.region;
  return {
    region: region ?? '',
    request: {
      operation: 'CreateGameSession', target, location: orNull(draft.location), name: orNull(draft.name), ...shared,
      idempotencyToken: draft.token, creatorId: orNull(draft.creator),
    },
  };
} // prettier-ignore

/** The slots to reserve once a session created directly is ACTIVE; a placement reserves them itself. */
export function reservationOf(draft: SessionDraft, gameSessionId: string, region: string): Action | null {
  if (draft.way === 'queue' || draft.players.length === 0) return null;
  const players = draft.players.map((player) => ({ playerId: player.id, playerData: orNull(player.data) }));
  return { region, request: { operation: 'CreatePlayerSessions', gameSessionId, players } };
}

/** A preset: everything but the token, which is used once. */
export function toPreset(draft: SessionDraft): string {
  const { token: _token, ...kept } = draft;
  return JSON.stringify(kept);
}

/** The form of a preset, with a new token and defaults for missing fields; null when it is not a preset. */
export function fromPreset(body: string, token: string): SessionDraft | null {
  try {
    const read: unknown = JSON.parse(body);
    if (typeof read !== 'object' || read === null) return null;
    const empty = emptyDraft(token);
    const known = Object.entries(read).filter(
      ([key, value]) =>
        key !== 'token' && key in empty && typeof value === typeof empty[key as keyof SessionDraft],
    );
    return { ...empty, ...Object.fromEntries(known) };
  } catch {
    return null;
  }
}
