/** Owns the invented record of changes: what was sent before the window opened, and what this window sends. */
import type { Action, ActivityPage, ActivityQuery, ActivityRow } from '$host/bindings.gen';
import { fleets } from './fleets';
import { anchorMs } from './load';
import { uuid } from './random';
import type { Told } from './told';
import { commandOf } from './told';

const caller = 'arn:aws:sts::111122223333:assumed-role/LiftdeckOperator/mira';

export function rowOf(action: Action, told: Told, more: Partial<ActivityRow> & { id: string }): ActivityRow {
  return {
    runId: null, atMs: anchorMs, endedMs: null, durationMs: null, region: action.region, operation: action.request.operation,
    resourceKind: told.kind, resourceId: told.id, resourceName: told.name, fleetId: told.fleetId, title: told.title, facts: told.facts,
    outcome: 'sending', proof: 'answered', effect: null, source: 'window', callerArn: caller, requestId: null, awsCode: null, message: null, made: null,
    madePlayerSessions: [], canUndo: false, undoOf: null, undoneBy: null, link: told.link, command: commandOf(action), ...more,
  }; // prettier-ignore
}

type Past = [agoMin: number, operation: ActivityRow['operation'], kind: ActivityRow['resourceKind'], fleet: number, title: string, label: string, before: string | null, after: string | null, outcome: ActivityRow['outcome'], code?: string, message?: string]; // prettier-ignore

const told: Past[] = [
  [7, 'UpdateFleetCapacity', 'fleet', 0, 'Set the capacity of arena-ranked-eu in eu-west-1', 'Maximum', '20', '24', 'done'],
  [12, 'TerminateGameSession', 'gameSession', 3, 'Terminate game session ranked-dunes', 'Status', 'ACTIVE', 'TERMINATED', 'done'],
  [26, 'UpdateFleetCapacity', 'fleet', 2, 'Set the capacity of arena-casual in eu-central-1', 'Desired instances', '6', '30', 'failed', 'InvalidRequestException', 'Desired instances 30 exceed the maximum of 10. Raise the maximum first.'],
  [64, 'UpdateAlias', 'alias', 0, 'Repoint alias arena-live', 'Routing', 'arena-ranked-eu-141 (SIMPLE)', 'arena-ranked-eu (SIMPLE)', 'done'],
  [108, 'UpdateGameSessionQueue', 'queue', 0, 'Edit queue arena-eu', 'Timeout', '60 s', '30 s', 'done'],
  [240, 'PutScalingPolicy', 'fleet', 0, 'Change scaling policy track-free of arena-ranked-eu', 'track-free', 'keep 20 % of game sessions available', 'keep 25 % of game sessions available', 'done'],
  [300, 'CreateGameSession', 'gameSession', 5, 'Create a game session on coop-realtime', 'Game session', null, 'support-4411', 'failed', 'FleetCapacityExceededException', 'The fleet has no free server process. Raise its desired instances or choose another fleet.'],
  [1_530, 'UpdateFleetCapacity', 'fleet', 1, 'Set the capacity of arena-ranked-us in us-east-1', 'Maximum', '18', '22', 'done'],
]; // prettier-ignore

function past(): ActivityRow[] {
  return told.map(
    ([ago, operation, kind, index, title, label, before, after, outcome, code, message], at): ActivityRow => {
      const fleet = fleets[index];
      const atMs = anchorMs - ago * 60_000;
      return {
        id: uuid(301, at), runId: null, atMs, endedMs: atMs + 180 + at * 37, durationMs: 180 + at * 37, region: fleet?.region ?? 'eu-west-1',
        operation, resourceKind: kind, resourceId: kind === 'fleet' ? (fleet?.id ?? '') : (title.split(' ').at(-1) ?? ''),
        resourceName: kind === 'fleet' ? (fleet?.name ?? null) : (title.split(' ').at(-1) ?? null), fleetId: fleet?.id ?? null, title,
        facts: [{ label, before, after }], outcome, proof: 'answered',
        effect: outcome === 'done' ? { state: 'seen', text: 'GameLift shows the new value', atMs: atMs + 4_000 } : null,
        source: at === 7 ? 'command_line' : 'window', callerArn: caller, requestId: uuid(302, at), awsCode: code ?? null, message: message ?? null,
        made: null, madePlayerSessions: [], canUndo: outcome === 'done' && operation !== 'TerminateGameSession', undoOf: null, undoneBy: null,
        link: kind === 'fleet' ? `#/fleets/${fleet?.id ?? ''}/scaling` : null,
        command: `aws gamelift ${operation.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()} --region ${fleet?.region ?? ''} --profile arena-prod`,
      }; // prettier-ignore
    },
  );
}

export class ActivityLog {
  #rows: ActivityRow[] = past();

  get(id: string): ActivityRow | undefined {
    return this.#rows.find((row) => row.id === id);
  }
  put(row: ActivityRow): void {
    const at = this.#rows.findIndex((one) => one.id === row.id);
    this.#rows = at < 0 ? [row, ...this.#rows] : this.#rows.with(at, row);
  }
  patch(id: string, patch: Partial<ActivityRow>): void {
    const row = this.get(id);
    if (row) this.put({ ...row, ...patch });
  }
  list(query: ActivityQuery): ActivityPage {
    const wanted = query.text.trim().toLowerCase();
    const rows = this.#rows.filter(
      (row) =>
        (query.outcomes.length === 0 || query.outcomes.includes(row.outcome)) &&
        (!query.operation || row.operation === query.operation) &&
        (!query.resourceKind || row.resourceKind === query.resourceKind) &&
        (!query.resourceId || row.resourceId === query.resourceId) &&
        (!query.fleetId || row.fleetId === query.fleetId) &&
        (!query.runId || row.runId === query.runId) &&
        (!query.range || (row.atMs >= query.range.fromMs && row.atMs <= query.range.toMs)) &&
        (!wanted || `${row.title} ${row.resourceId} ${row.requestId ?? ''} ${row.message ?? ''}`.toLowerCase().includes(wanted)),
    ); // prettier-ignore
    const { offset, limit } = query.page;
    return {
      rows: rows.slice(offset, offset + limit),
      total: rows.length,
      unsettled: this.#rows.filter((row) => row.outcome === 'unknown').length,
    };
  }
}
