/** Owns repeatable chance: the same seed and index always give the same number. */

/** 0..1 from a seed and an index. */
export function chance(seed: number, index: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 0x7f4a7c15, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 4_294_967_296;
}

/** Smooth noise of −1..1 over time; `periodMs` is the distance of its knots. */
export function noise(seed: number, atMs: number, periodMs: number): number {
  const place = atMs / periodMs;
  const knot = Math.floor(place);
  const part = place - knot;
  const ease = part * part * (3 - 2 * part);
  const left = chance(seed, knot) * 2 - 1;
  return left + (chance(seed, knot + 1) * 2 - 1 - left) * ease;
}

/** Hexadecimal text of a length. */
export function hex(seed: number, index: number, length: number): string {
  let text = '';
  for (let part = 0; text.length < length; part++) {
    text += Math.floor(chance(seed + part * 977, index) * 0xffffffff)
      .toString(16)
      .padStart(8, '0');
  }
  return text.slice(0, length);
}

/** A UUID-shaped id. */
export function uuid(seed: number, index: number): string {
  const all = hex(seed, index, 32);
  return `${all.slice(0, 8)}-${all.slice(8, 12)}-4${all.slice(13, 16)}-a${all.slice(17, 20)}-${all.slice(20)}`;
}

export function pick<T>(from: readonly T[], seed: number, index: number): T {
  return from[Math.floor(chance(seed, index) * from.length)] as T;
}
