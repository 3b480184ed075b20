import { describe, expect, it } from 'vitest';
import { bytes } from '$lib/bytes';
import { nextVersion } from './version';

describe('the next version', () => {
  it('is the last number, one higher', () => {
    expect([nextVersion('v41'), nextVersion('1.9'), nextVersion('7-beta'), nextVersion('beta'), nextVersion(null)]).toEqual(['v42', '1.10', '8-beta', '', '']); // prettier-ignore
  });
});

describe('a size', () => {
  it('is written in decimal units', () => {
    expect([bytes(999), bytes(186_412), bytes(418_000_000), bytes(2_500), bytes(null)]).toEqual(['999 B', '186 kB', '418.0 MB', '2.5 kB', '–']); // prettier-ignore
  });
});
