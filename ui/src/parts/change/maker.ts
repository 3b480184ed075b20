/** Owns what is shown of a change's maker and values beside the words of the core. */
import { absent } from '$lib/numbers';
import type { Change } from '$live/types';

/** The values before and after; what was there before a recorded call may not be known. */
export function valuesOf({ words: { before, after } }: Pick<Change, 'words'>): string {
  return before === null && after !== null ? `→ ${after}` : `${before ?? absent} → ${after ?? absent}`;
}

/** When the first of several events happened; null for a single one and for what is no event. */
export function firstOf({ at, what }: Pick<Change, 'at' | 'what'>): number | null {
  return what.kind === 'events' && what.count > 1 && what.firstAt < at ? what.firstAt : null;
}

/** Whether there is more to say of a change than fits on its line. */
export function hasMore(change: Pick<Change, 'at' | 'what' | 'words' | 'byUs'>): boolean {
  const { before, by } = change.words;
  return before !== null || by !== null || change.byUs !== null || firstOf(change) !== null;
}

/** What CloudTrail says of a call besides the name: the full identity, the address and the end of the key. */
export function aboutMaker(who: Change['who']): string | undefined {
  if (who?.kind !== 'named') return undefined;
  const about = who.calls.map(({ eventName, caller }) => {
    const { principal, sourceIp, accessKeyEnd } = caller;
    const facts = [eventName];
    if (principal.kind === 'role') facts.push(principal.issuer ?? `role ${principal.role}`);
    if (principal.kind === 'role' && principal.session !== null) facts.push(`session ${principal.session}`);
    if (sourceIp !== null) facts.push(`from ${sourceIp}`);
    if (accessKeyEnd !== null) facts.push(`key …${accessKeyEnd}`);
    return facts.join(', ');
  });
  return about.join('\n');
}
