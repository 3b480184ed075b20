/** Owns how differences read: how many times more often, how likely by chance, how wide their bars are, and where a click leads. */
import type { Difference } from '$live/types';

/** How many times more often those with a value are bad. */
export function times(one: Pick<Difference, 'lift'>): string {
  if (one.lift === null) return 'only here';
  return one.lift >= 10 ? `${Math.round(one.lift)}×` : `${one.lift.toFixed(1)}×`;
}

/** How likely so great a difference is by chance: "p = 0.03". It is corrected for the number of values compared. */
export const byChance = ({ p }: Pick<Difference, 'p'>): string =>
  p < 0.001 ? 'p < 0.001' : `p = ${Number(p.toPrecision(2))}`;

/** The same in a sentence, and whether that is enough. */
export const byChanceInFull = (one: Pick<Difference, 'p' | 'isSignificant'>): string =>
  `${one.isSignificant ? '' : 'Too few to call it a difference. '}${byChance(one)}: how likely it is by chance, corrected for the number of values compared.`;

/** The share of those with a value that are bad, 0 to 1. */
export const shareBad = (one: Pick<Difference, 'badIn' | 'allIn'>): number =>
  one.allIn === 0 ? 0 : one.badIn / one.allIn;

/** The query with a term added, unless it has it already. */
export function narrowed(query: string, term: string): string {
  const text = query.trim();
  if (text === '') return term;
  if (` ${text} `.includes(` ${term} `)) return text;
  // Without brackets the term would belong to the last alternative alone.
  return / or /i.test(text) ? `(${text}) ${term}` : `${text} ${term}`;
}

/** What makes one bad, as a word: `ended:activation_timed_out` as "activation timed out", any other query as "matching". */
export function badWord(query: string): string {
  const word = /^ended[:=](?!none$)([a-z_]+)$/i.exec(query)?.[1];
  if (word === undefined) return 'matching';
  return word === 'abnormal' ? 'ended abnormally' : word.replaceAll('_', ' ');
}

const havingWords: Readonly<Record<string, string>> = {
  fleet: 'possible fleet',
  build: 'possible build',
  script: 'possible script',
  location: 'possible location',
  instance_type: 'possible instance type',
  configuration: 'matchmaking configuration',
  rule_set: 'rule set',
  max: 'player slots',
};

/** What an address selects by a value that was compared, in words: `fleet=fleet-1` as "possible fleet" and "fleet-1". */
export function havingOf(term: string): { name: string; value: string } {
  const at = term.indexOf('=');
  const word = at < 0 ? term : term.slice(0, at);
  const property = word.startsWith('prop.')
    ? word.slice(5).replaceAll('%3D', '=').replaceAll('%25', '%')
    : null;
  return { name: property ?? havingWords[word] ?? word, value: at < 0 ? '' : term.slice(at + 1) };
}

/** The parameters that narrow a list of placements to those with a value. */
export function placementsWith({ dimension, value, term }: Difference): Record<string, string> {
  if (dimension === 'queue' || dimension === 'region') return { [dimension]: value };
  return term === null ? {} : { with: term };
}

/** The parameters that narrow a list of tickets to those with a value. */
export function ticketsWith({ dimension, value, term }: Difference): Record<string, string> {
  if (dimension === 'configuration') return { configuration: value };
  return term === null ? {} : { with: term };
}
