/** Owns guessing the next version's name: the last number plus one. */

/** `v41` → `v42`, `1.9` → `1.10`; empty without a number. */
export function nextVersion(version: string | null): string {
  const found = /^(.*?)(\d+)(\D*)$/.exec(version ?? '');
  return found ? `${found[1]}${Number(found[2]) + 1}${found[3]}` : '';
}
