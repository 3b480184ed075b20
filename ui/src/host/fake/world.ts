/**
 * Owns what operators changed in the invented world since it began: an overlay on what is the same on every run. One
 * a host, so that two hosts of one test do not meet.
 */
import type {
  AliasRow,
  FleetDetail,
  Freshness,
  QueueRow,
  SessionDetail,
  SessionRow,
} from '$host/bindings.gen';
import { fleetById } from './fleets';
import { sessionDetail, sessions } from './sessions';
import { aliases, fleetDetail, queues } from './views';

type Sizes = { desired: number; min: number; max: number };
type SessionPatch = Partial<SessionRow> & Partial<Pick<SessionDetail, 'protection' | 'properties'>>;

export class World {
  readonly #sessions = new Map<string, SessionPatch>();
  readonly #made: SessionRow[] = [];
  readonly #sizes = new Map<string, Sizes>();
  readonly #suspended = new Map<string, boolean>();
  readonly #policies = new Map<string, FleetDetail['policies']>();
  readonly #protection = new Map<string, string>();
  readonly #aliases = new Map<string, AliasRow | null>();
  readonly #queues = new Map<string, Partial<QueueRow>>();
  #rows: readonly SessionRow[] | null = null;

  constructor(readonly now: () => number) {}

  get sessions(): readonly SessionRow[] {
    if (this.#sessions.size === 0 && this.#made.length === 0) return sessions;
    this.#rows ??= [...this.#made, ...sessions].map((row) => ({
      ...row,
      ...this.#sessions.get(row.gameSessionId),
    }));
    return this.#rows;
  }
  session(id: string): SessionRow | undefined {
    return this.sessions.find((row) => row.gameSessionId === id);
  }
  sessionDetail(id: string, freshness: Freshness): SessionDetail | null {
    const row = this.session(id);
    return row ? { ...sessionDetail(row, freshness), ...this.#detailPatch(id) } : null;
  }
  #detailPatch(id: string) {
    const { protection, properties } = this.#sessions.get(id) ?? {};
    return { ...(protection ? { protection } : {}), ...(properties ? { properties } : {}) };
  }
  changeSession(id: string, patch: SessionPatch): void {
    this.#sessions.set(id, { ...this.#sessions.get(id), ...patch });
    this.#rows = null;
  }
  endSession(id: string, reason: string): void {
    this.changeSession(id, { status: 'TERMINATED', statusReason: reason, endedMs: this.now(), players: 0 });
  }
  addSession(row: SessionRow): void {
    this.#made.unshift(row);
    this.#rows = null;
  }

  fleet(id: string, freshness: Freshness): FleetDetail | null {
    const fleet = fleetById(id);
    if (!fleet) return null;
    const now = this.now();
    const detail = fleetDetail(fleet, now, freshness);
    const locations = detail.locations.map((row) => {
      const key = `${id}/${row.location}`;
      return {
        ...row,
        ...this.#sizes.get(key),
        scalingSuspended: this.#suspended.get(key) ?? row.scalingSuspended,
      };
    });
    const sum = (key: keyof Sizes) => locations.reduce((total, row) => total + row[key], 0);
    return {
      ...detail,
      locations,
      row: { ...detail.row, desired: sum('desired'), max: sum('max') },
      protection: this.#protection.get(id) ?? detail.protection,
      policies: this.#policies.get(id) ?? detail.policies,
    };
  }
  resize(fleetId: string, location: string, sizes: Sizes): void {
    this.#sizes.set(`${fleetId}/${location}`, sizes);
  }
  suspend(fleetId: string, location: string, suspended: boolean): void {
    this.#suspended.set(`${fleetId}/${location}`, suspended);
  }
  setPolicies(fleetId: string, policies: FleetDetail['policies']): void {
    this.#policies.set(fleetId, policies);
  }
  protect(fleetId: string, protection: string): void {
    this.#protection.set(fleetId, protection);
  }

  aliases(freshness: Freshness): AliasRow[] {
    const first = aliases(this.now(), freshness);
    const made = [...this.#aliases.values()].filter(
      (row): row is AliasRow => row !== null && !first.some((one) => one.aliasId === row.aliasId),
    );
    const kept = first.map((row) => (this.#aliases.has(row.aliasId) ? this.#aliases.get(row.aliasId) : row));
    return [...kept.filter((row) => row !== null && row !== undefined), ...made];
  }
  alias(id: string): AliasRow | undefined {
    return this.aliases({ asOfMs: this.now(), stale: false }).find((row) => row.aliasId === id);
  }
  setAlias(id: string, row: AliasRow | null): void {
    this.#aliases.set(id, row);
  }

  queues(freshness: Freshness): QueueRow[] {
    return queues(freshness).map((row) => ({ ...row, ...this.#queues.get(row.name) }));
  }
  changeQueue(name: string, patch: Partial<QueueRow>): void {
    this.#queues.set(name, { ...this.#queues.get(name), ...patch });
  }
}
