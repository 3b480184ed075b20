import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress, patchQuery } from './address';

const { LIFTDECK_TEST_SIZE: size, LIFTDECK_TEST_SEED: seed } = process.env;
/**
 * The number of runs of a property, and the random seed. Set the environment variables to change them by
 * hand.
 */
const extent = { numRuns: Number(size ?? 2_000), ...(seed !== undefined && { seed: Number(seed) }) };
/** No timeout, because the duration depends on the number of runs requested. */
const NO_LIMIT = 0;

const word = fc.constantFrom(
  '#',
  '/',
  '?',
  '&',
  '=',
  '%',
  '%zz',
  '%E0',
  '%2F',
  'fleets',
  'last',
  '..',
  '__proto__',
  '‮',
  '\u{0}',
);
const hash = fc
  .array(fc.oneof(word, fc.string({ unit: 'binary' })), { maxLength: 24 })
  .map((parts) => parts.join(''));

describe('an address from outside', () => {
  it(
    'never throws, and once read is written and read the same',
    () => {
      fc.assert(
        fc.property(hash, (text) => {
          const address = parseAddress(text);
          expect(address.path.every((part) => typeof part === 'string' && part !== '')).toBe(true);
          expect(parseAddress(formatAddress(address))).toEqual(address);
        }),
        extent,
      );
    },
    NO_LIMIT,
  );

  it(
    'keeps what is patched into it and nothing that is empty',
    () => {
      fc.assert(
        fc.property(hash, fc.string(), fc.string(), (text, key, value) => {
          const patched = patchQuery(parseAddress(text), { [key]: value });
          expect(Object.hasOwn(patched.query, key)).toBe(value !== '');
          expect(Object.values(patched.query)).not.toContain('');
        }),
        extent,
      );
    },
    NO_LIMIT,
  );
});
