/** Owns the guess of what a next version is called: its last number, one higher. */

/** `v41` → `v42`, `1.9` → `1.10`; empty where there is no number to raise. */
export function nextVersion(version: string | null): string {
  const found = /^(.*?)(\d+)(\D*)$/.exec(version ?? '');
  return found ? `${found[1]}${Number(found[2]) + 1}${found[3]}` : '';
}
