/** Owns the form that changes game sessions, one or many: what is written, and the actions that say it. */
import type { Action, Property, Request, SessionDetail, SessionRow } from '$live/types';

type Update = Extract<Request, { operation: 'UpdateGameSession' }>;
export type Leave = '';

export type SessionChange = {
  readonly name: string;
  readonly slots: string;
  readonly policy: Update['playerSessionCreationPolicy'] | Leave;
  readonly protection: Update['protectionPolicy'] | Leave;
  readonly properties: readonly Property[];
};

/** Of one game session: as it is. Of many: everything left as it is. */
export function changeOf(rows: readonly SessionRow[], detail: SessionDetail | null): SessionChange {
  const [only] = rows;
  if (rows.length !== 1 || !only || !detail)
    return { name: '', slots: '', policy: '', protection: '', properties: [] };
  return {
    name: only.name ?? '',
    slots: String(only.maxPlayers),
    policy: only.creationPolicy === 'DENY_ALL' ? 'DENY_ALL' : 'ACCEPT_ALL',
    protection: detail.protection === 'FullProtection' ? 'FullProtection' : 'NoProtection',
    properties: detail.properties,
  };
}

export const slotsProblem = (change: SessionChange): string | null =>
  change.slots === '' || /^\d{1,9}$/.test(change.slots.trim()) ? null : 'A whole number from 1 to 200.';

/** What was written and differs from how it began; GameLift only hears of that. */
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
  rows: readonly SessionRow[],
  begun: SessionChange,
  change: SessionChange,
): Action[] =>
  rows.map((row) => ({ region: row.region, request: requestOf(row.gameSessionId, begun, change) }));

export const endActions = (rows: readonly SessionRow[], forced: boolean): Action[] =>
  rows.map((row) => ({
    region: row.region,
    request: {
      operation: 'TerminateGameSession',
      gameSessionId: row.gameSessionId,
      terminationMode: forced ? 'FORCE_TERMINATE' : 'TRIGGER_ON_PROCESS_TERMINATE',
    },
  }));

/** GameLift ends and changes only what lives. */
export const isLive = (row: SessionRow): boolean =>
  row.endedMs === null && ['ACTIVE', 'ACTIVATING'].includes(row.status);
