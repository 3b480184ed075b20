/** Owns the draft of an update of one game session or many, and the actions it makes. */
import type { Action, GameProperty, Request, SessionDetail, GameSessionRow } from '$live/types';

type Update = Extract<Request, { operation: 'UpdateGameSession' }>;
export type Leave = '';

export type SessionChange = {
  readonly name: string;
  readonly slots: string;
  readonly policy: Update['playerSessionCreationPolicy'] | Leave;
  readonly protection: Update['protectionPolicy'] | Leave;
  readonly properties: readonly GameProperty[];
};

/** For one game session, its current values; for many, everything unchanged. */
export function changeOf(rows: readonly GameSessionRow[], detail: SessionDetail | null): SessionChange {
  const [only] = rows;
  if (rows.length !== 1 || !only || !detail)
    return { name: '', slots: '', policy: '', protection: '', properties: [] };
  return {
    name: only.name ?? '',
    slots: String(only.maximumPlayerSessionCount),
    policy: only.playerSessionCreationPolicy === 'DENY_ALL' ? 'DENY_ALL' : 'ACCEPT_ALL',
    protection: detail.row.protectionPolicy === 'FullProtection' ? 'FullProtection' : 'NoProtection',
    properties: detail.properties,
  };
}

export const slotsProblem = (change: SessionChange): string | null =>
  change.slots === '' || /^\d{1,9}$/.test(change.slots.trim()) ? null : 'Enter a whole number from 1 to 200.';

/** Only what differs from the start is sent. */
export function requestOf(id: string, begun: SessionChange, change: SessionChange): Update {
  const moved = <K extends keyof SessionChange>(key: K): boolean => change[key] !== begun[key];
  return {
    operation: 'UpdateGameSession',
    gameSessionId: id,
    name: moved('name') ? change.name : null,
    maximumPlayerSessionCount:
      moved('slots') && change.slots !== '' && slotsProblem(change) === null ? Number(change.slots) : null,
    playerSessionCreationPolicy: moved('policy') && change.policy !== '' ? change.policy : null,
    protectionPolicy: moved('protection') && change.protection !== '' ? change.protection : null,
    gameProperties: change.properties.filter(
      (one) => !begun.properties.some((other) => other.key === one.key && other.value === one.value),
    ),
  };
}

export const actionsOf = (
  rows: readonly GameSessionRow[],
  begun: SessionChange,
  change: SessionChange,
): Action[] =>
  rows.map((row) => ({ region: row.region, request: requestOf(row.gameSessionId, begun, change) }));

export const endActions = (rows: readonly GameSessionRow[], forced: boolean): Action[] =>
  rows.map((row) => ({
    region: row.region,
    request: {
      operation: 'TerminateGameSession',
      gameSessionId: row.gameSessionId,
      terminationMode: forced ? 'FORCE_TERMINATE' : 'TRIGGER_ON_PROCESS_TERMINATE',
    },
  }));

/** GameLift terminates and updates only these. */
export const isLive = (row: GameSessionRow): boolean =>
  row.terminationTime === null && ['ACTIVE', 'ACTIVATING'].includes(row.status);
