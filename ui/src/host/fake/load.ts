/** Owns how the invented fleets fare at any instant. Pure functions of time, so past and present always agree. */
import type { FakeFleet, FakeLocation } from './fleets';
import { noise } from './random';

/** The instant the world is told at when nothing moves it: 2026-11-21T14:55Z. */
export const anchorMs = Date.UTC(2026, 10, 21, 14, 55);

export type Load = {
  desired: number;
  active: number;
  pending: number;
  idle: number;
  terminating: number;
  min: number;
  max: number;
  processes: number;
  sessions: number;
  players: number;
  /** 0..100; NaN when nothing runs. */
  percentAvailable: number;
  target: number;
};

const minute = 60_000;
const day = 1_440 * minute;
const stepMs = 8 * minute;
const startMs = 3.3 * minute;

/** Thrice a day everyone comes for some minutes: too short for scaling to follow, and for an hour's mean to tell. */
const burst = (atMs: number) => {
  const into = (atMs - 192.75 * minute) % (480 * minute);
  return into >= 0 && into < 6.5 * minute ? 0.4 : 0;
};

/** Instances' worth of sessions wanted. */
function demand(fleet: FakeFleet, location: FakeLocation, atMs: number): number {
  const seed = fleet.seed * 31 + location.name.length;
  const hour = ((atMs % day) / day) * Math.PI * 2;
  const curve = 0.62 + 0.3 * Math.sin(hour - 2.3) + 0.06 * noise(seed, atMs, 47 * minute);
  const jitter = 0.025 * noise(seed + 5, atMs, 7 * minute);
  const before = anchorMs - atMs;
  const rush =
    Math.max(0, 1 - before / (204 * minute)) * 0.32 + Math.max(0, 1 - before / (20 * minute)) * 0.25;
  return (
    location.max * location.peak * Math.max(0, curve + jitter + burst(atMs) + (fleet.capped ? rush - 0.6 : 0))
  );
}

function desiredAt(fleet: FakeFleet, location: FakeLocation, atMs: number): number {
  const wanted = demand(fleet, location, Math.floor(atMs / stepMs) * stepMs);
  if (location.peak === 0) return location.min;
  return Math.max(location.min, Math.min(location.max, Math.ceil(wanted * 1.22)));
}

/** The load of one location of a fleet. */
export function locationLoad(fleet: FakeFleet, location: FakeLocation, atMs: number): Load {
  const desired = desiredAt(fleet, location, atMs);
  const active = desiredAt(fleet, location, atMs - startMs);
  const processes = active * fleet.perInstance;
  const wanted = Math.round(demand(fleet, location, atMs) * fleet.perInstance);
  const sessions = Math.min(processes, wanted);
  const players = Math.round(sessions * (5.6 + 1.2 * noise(fleet.seed + 77, atMs, 31 * minute)));
  return {
    desired,
    active,
    pending: Math.max(0, desired - active),
    idle: Math.max(0, Math.floor((processes - sessions) / fleet.perInstance)),
    terminating: Math.max(0, active - desired),
    min: location.min,
    max: location.max,
    processes,
    sessions,
    players,
    percentAvailable: processes > 0 ? (100 * (processes - sessions)) / processes : Number.NaN,
    target: fleet.capped && atMs > anchorMs - 43 * minute ? 25 : 20,
  };
}

/** The load of a whole fleet, or of the locations that `keep` names. */
export function fleetLoad(
  fleet: FakeFleet,
  atMs: number,
  keep: (location: string) => boolean = () => true,
): Load {
  const sum: Load = {
    desired: 0, active: 0, pending: 0, idle: 0, terminating: 0, min: 0, max: 0, processes: 0, sessions: 0,
    players: 0, percentAvailable: Number.NaN, target: 20,
  }; // prettier-ignore
  for (const location of fleet.locations) {
    if (!keep(location.name)) continue;
    const one = locationLoad(fleet, location, atMs);
    for (const key of Object.keys(sum) as (keyof Load)[]) sum[key] += one[key];
    sum.target = one.target;
  }
  if (sum.processes > 0) sum.percentAvailable = (100 * (sum.processes - sum.sessions)) / sum.processes;
  else sum.percentAvailable = Number.NaN;
  return sum;
}

/** Every change of desired instances between two instants, newest last. */
export function desiredSteps(
  fleet: FakeFleet,
  location: FakeLocation,
  fromMs: number,
  toMs: number,
): { atMs: number; from: number; to: number }[] {
  const steps: { atMs: number; from: number; to: number }[] = [];
  let before = desiredAt(fleet, location, fromMs);
  for (let at = Math.ceil(fromMs / stepMs) * stepMs; at <= toMs; at += stepMs) {
    const now = desiredAt(fleet, location, at);
    if (now !== before) steps.push({ atMs: at, from: before, to: now });
    before = now;
  }
  return steps;
}

/** When the fleet's desired last reached its maximum; null when it is below. */
export function cappedSince(fleet: FakeFleet, nowMs: number): number | null {
  const full = (at: number) => {
    const load = fleetLoad(fleet, at);
    return load.desired >= load.max;
  };
  if (!fleet.capped || !full(nowMs)) return null;
  let at = Math.floor(nowMs / stepMs) * stepMs;
  while (at > nowMs - day && full(at - stepMs)) at -= stepMs;
  return at;
}
