/** Owns the free-text filter of short lists: every word must occur somewhere, in any case and order. */

export function matcher(text: string): (haystack: readonly (string | null | undefined)[]) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (haystack) => {
    const all = haystack.filter(Boolean).join('\u0000').toLowerCase();
    return words.every((word) => all.includes(word));
  };
}
