/** Owns shortening texts, counting words, and making hidden characters visible. Knows nothing of the DOM. */

/** The nearest position at or before `at` that does not split a visible character. */
export function cutAt(text: string, at: number): number {
  let place = Math.max(0, at);
  while (place > 0 && /^(?:[\udc00-\udfff]|[\p{M}\u200d]|\p{Emoji_Modifier})/u.test(text.slice(place)))
    place--;
  return place;
}

/**
 * Shortens in the middle, never at the end, because ids of one fleet differ in their last characters.
 * With `keep` 20 the first 14 characters and the last five stay: `fleet-2fa91c3e…207be`.
 */
export function shortenMiddle(text: string, keep = 20): string {
  if (text.length <= keep) return text;
  const tail = Math.min(6, Math.max(4, Math.floor(keep / 4)));
  return `${text.slice(0, cutAt(text, Math.max(1, keep - tail - 1)))}…${text.slice(cutAt(text, text.length - tail))}`;
}

/** The readable end of an ARN or path: the part after the last `/`. */
export function lastSegment(arn: string): string {
  const cut = arn.lastIndexOf('/');
  return cut < 0 ? arn : arn.slice(cut + 1);
}

/** `1 session`, `3 sessions`; the count is grouped by thousands. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** The rows of a list: `3 sessions`, or `more than 10,000 sessions` where counting stopped before the end. */
export function countedRows(
  page: { total: number; totalIsExact: boolean },
  one: string,
  many = `${one}s`,
): string {
  return page.totalIsExact ? counted(page.total, one, many) : `more than ${counted(page.total, one, many)}`;
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

/**
 * Ranges of characters that are invisible or change the text's direction: control characters except tab and
 * line feed (which HTML shows as a space), separators, direction marks and embeddings, blank characters. The
 * same table as the core's `visible`.
 */
const unseen: readonly (readonly [number, number])[] = [
  [0x0, 0x8], [0xb, 0x1f], [0x7f, 0x9f], [0xad, 0xad], [0x34f, 0x34f], [0x61c, 0x61c], [0x115f, 0x1160],
  [0x17b4, 0x17b5], [0x180b, 0x180f], [0x200b, 0x200b], [0x200e, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f],
  [0x2800, 0x2800], [0x3164, 0x3164], [0xfe00, 0xfe0d], [0xfeff, 0xfeff], [0xffa0, 0xffa0], [0xfff0, 0xfffb],
  [0xfffe, 0xffff], [0x1bca0, 0x1bca3], [0x1d173, 0x1d17a], [0xe0000, 0xe0fff], [0xd800, 0xdfff],
]; // prettier-ignore
/** Scripts that use joiners, and pictographs: next to these a joiner is legitimate. */
const joined: readonly (readonly [number, number])[] = [
  [0x600, 0x7ff], [0x8a0, 0xdff], [0xf00, 0x109f], [0x1780, 0x18af], [0x203c, 0x203c], [0x2049, 0x2049],
  [0x2122, 0x2bff], [0x3030, 0x3030], [0x303d, 0x303d], [0x3297, 0x3299], [0xfb50, 0xfdff], [0x1f000, 0x1faff],
]; // prettier-ignore

const classOf = (ranges: typeof unseen): string =>
  ranges.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('');
const letters = classOf(joined);
const hidden = new RegExp(
  [
    `[${classOf(unseen)}]`,
    `(?<![${letters}\\ufe0f])\\u200d|\\u200d(?![${letters}])`,
    `(?<![${letters}])\\u200c|\\u200c(?![${letters}])`,
    `(?<![${letters}]|[0-9#*](?=[\\ufe0e\\ufe0f]\\u20e3))[\\ufe0e\\ufe0f]`,
  ].join('|'),
  'gu',
);

/**
 * The replacement for a hidden character: a control picture where Unicode has one, otherwise its code point.
 */
function sign(letter: string): string {
  const number = letter.codePointAt(0) ?? 0;
  if (number < 0x20) return String.fromCodePoint(0x2400 + number);
  return number === 0x7f ? '␡' : `⟨U+${number.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** A text with its hidden characters made visible. Applying it twice changes nothing more. */
export const visible = (text: string): string => text.replace(hidden, sign);

/** Whether the typed text is the one wanted, apart from extra spaces. */
export const isTyped = (typed: string, wanted: string): boolean =>
  typed.trim().replace(/\s+/g, ' ') === wanted;
