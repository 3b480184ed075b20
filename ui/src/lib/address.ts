/**
 * Owns the form of an address: `#/fleets/fleet-1/scaling?last=6h`. Pure; `live/address` holds the current
 * address. Ids may contain slashes and colons (ARNs), so every segment is encoded.
 */

export type Address = { readonly path: readonly string[]; readonly query: Readonly<Record<string, string>> };
export type QueryPatch = Readonly<Record<string, string | undefined>>;

/** Reads a location hash. A malformed escape is kept as is rather than losing the page. */
export function parseAddress(hash: string): Address {
  const [rawPath = '', rawQuery = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const path = rawPath.split('/').filter(Boolean).map(decode);
  const query: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(rawQuery)) query[key] = value;
  return { path, query };
}

/** Writes an address with its query sorted, so that one view has one address. */
export function formatAddress(address: Address): string {
  const path = address.path.map(encodeURIComponent).join('/');
  const query = new URLSearchParams(Object.entries(address.query).sort(([a], [b]) => a.localeCompare(b)));
  const text = query.toString();
  return `#/${path}${text ? `?${text}` : ''}`;
}

/** Sets query entries. An undefined or empty value removes its entry. */
export function patchQuery(address: Address, patch: QueryPatch): Address {
  const kept = Object.entries({ ...address.query, ...patch }).filter(([, value]) => value);
  return { path: address.path, query: Object.fromEntries(kept) as Record<string, string> };
}

/** The query entries kept from screen to screen: the time range. */
export function carried(query: Address['query']): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const key of ['last', 'from', 'to']) if (query[key] !== undefined) kept[key] = query[key];
  return kept;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
