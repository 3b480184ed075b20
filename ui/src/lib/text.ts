/** Owns shortening and small wording. Knows nothing of the DOM. */

/**
 * Shortens in the middle, never at the end, because ids of one fleet differ in their last characters.
 * `fleet-2fa91c3e-…-07be` keeps its prefix, six characters and the last four.
 */
export function shortenMiddle(text: string, keep = 20): string {
  if (text.length <= keep) return text;
  const tail = Math.min(6, Math.max(4, Math.floor(keep / 4)));
  return `${text.slice(0, Math.max(1, keep - tail - 1))}…${text.slice(-tail)}`;
}

/** The readable end of an ARN or path: the part after the last `/`. */
export function lastSegment(arn: string): string {
  const cut = arn.lastIndexOf('/');
  return cut < 0 ? arn : arn.slice(cut + 1);
}

/** A Region or location whose number stays with its name when a line breaks (U+2060 forbids the break). */
export const unbroken = (location: string): string => location.replace(/-(\d+)$/, '-\u2060$1');

/** `1 session`, `3 sessions`; the count is grouped by thousands. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/**
 * `ap-northeast-1` as `apne1`, the way AWS itself shortens Regions (availability zone ids, billing); a custom location
 * loses its prefix, a Local Zone keeps its city. For places too narrow for the name.
 */
export function shortLocation(location: string): string {
  const custom = /^custom-(.+)$/.exec(location);
  if (custom?.[1]) return custom[1];
  const parts = /^([a-z]+)-((?:[a-z]+-)*)([a-z]+)-(\d+)(?:-([a-z]+)-(\d+[a-z]))?$/.exec(location);
  if (!parts) return location;
  const [, area = '', kind = '', side = '', number = '', city, zone] = parts;
  const compass: Record<string, string> = {
    northeast: 'ne',
    northwest: 'nw',
    southeast: 'se',
    southwest: 'sw',
  };
  return `${area}${kind.slice(0, 1)}${compass[side] ?? side.slice(0, 1)}${number}${city ? `-${city}${zone}` : ''}`;
}
