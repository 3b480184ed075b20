/**
 * Owns how numbers are written. One locale everywhere, so that digits line up and a screenshot reads the same
 * on every machine. Absent values are an en dash, never a zero.
 */

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

/** Shown where a number is unknown. */
export const absent = '–';

const known = (value: number | null | undefined): value is number => value != null && !Number.isNaN(value);

/** A whole number with thousands separators: `18,412`. */
export function count(value: number | null | undefined): string {
  return known(value) ? grouped.format(value) : absent;
}

/** A small number with one decimal, a large one whole: `0.4`, `18`. */
export function rate(value: number | null | undefined): string {
  if (!known(value)) return absent;
  return value === 0 || Math.abs(value) >= 9.95 ? grouped.format(value) : oneDigit.format(value);
}

/** Two written numbers as a span: `240 – 275`, or just one of them when both are written the same. */
export function span(low: string, high: string): string {
  return low === high ? low : `${low} – ${high}`;
}

/** A number in three digits, without a unit: `0.4`, `96`, `14.4K`. */
export function brief(value: number | null | undefined): string {
  return known(value) ? short.format(value) : absent;
}

/** A number of 0..100 as `18.2 %`; no decimals from 100 up or when asked for none. */
export function percent(value: number | null | undefined, decimals: 0 | 1 = 1): string {
  if (!known(value)) return absent;
  return `${decimals === 0 || value >= 100 ? grouped.format(value) : oneDigit.format(value)} %`;
}

/** A share of 0..1 as a whole percentage: `0.21` is `21 %`. */
export function share(value: number | null | undefined): string {
  return known(value) ? percent(value * 100, 0) : absent;
}

/** US dollars with cents. */
export function usd(value: number | null | undefined): string {
  return known(value) ? money.format(value) : absent;
}

/** A sum of which parts may be unknown. */
export interface Sum {
  /** What is known of it; null if nothing is. */
  readonly known: number | null;
  /** How many parts are missing in it. */
  readonly unknown: number;
}

export function sumOf(parts: readonly (number | null)[]): Sum {
  const there = parts.filter(known);
  const all = there.length > 0 || parts.length === 0;
  return {
    known: all ? there.reduce((sum, part) => sum + part, 0) : null,
    unknown: parts.length - there.length,
  };
}

/** `1,204`; `≥ 1,204` if it is only a part. */
export const atLeast = (sum: Sum): string =>
  sum.unknown > 0 && sum.known !== null ? `≥ ${count(sum.known)}` : count(sum.known);

/** A signed whole number with a real minus: `+11`, `−7`, `±0`. */
export function signed(value: number): string {
  const rounded = Math.round(value);
  if (rounded === 0) return '±0';
  return `${rounded > 0 ? '+' : '−'}${grouped.format(Math.abs(rounded))}`;
}
