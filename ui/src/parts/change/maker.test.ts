import { describe, expect, it } from 'vitest';
import type { Change } from '$live/types';
import { aboutMaker, firstOf, hasMore, valuesOf } from './maker';

const words = (before: string | null, after: string | null, by: string | null = null): Change['words'] => ({
  subject: 'alias arena-live-eu',
  text: 'repointed',
  before,
  after,
  by,
});
const events = (count: number, firstAt: number): Change['what'] => ({
  kind: 'events',
  code: 'SERVER_PROCESS_CRASHED',
  count,
  firstAt,
  message: null,
  scaled: null,
});

describe('what is shown of a change beside its words', () => {
  it('leaves out a value before that nobody knows, and shows one that is gone', () => {
    expect(valuesOf({ words: words('arena-eu', 'arena-eu-green') })).toBe('arena-eu → arena-eu-green');
    expect(valuesOf({ words: words(null, 'arena-eu-green') })).toBe('→ arena-eu-green');
    expect(valuesOf({ words: words('arena-eu', null) })).toBe('arena-eu → –');
  });

  it('tells when the first of several events was, and of one event nothing', () => {
    expect(firstOf({ at: 90, what: events(12, 38) })).toBe(38);
    expect(firstOf({ at: 90, what: events(1, 90) })).toBeNull();
    expect(firstOf({ at: 90, what: { kind: 'touched' } })).toBeNull();
  });

  it('has a second line only for what needs one', () => {
    const bare = { at: 90, byUs: null, what: events(1, 90), words: words(null, null) };
    expect(hasMore(bare)).toBe(false);
    expect(hasMore({ ...bare, words: words(null, null, 'alice in the console') })).toBe(true);
    expect(hasMore({ ...bare, what: events(12, 38) })).toBe(true);
  });

  it('says of a caller what the name leaves out', () => {
    const principal = { kind: 'role', role: 'ci-deploy', session: 'release', issuer: null } as const;
    const caller = {
      principal,
      via: { kind: 'console' },
      accessKeyEnd: 'MPLE',
      sourceIp: '203.0.113.7',
      userAgent: null,
    } as const;
    const call = { eventId: 'e-1', eventName: 'UpdateAlias', at: 1, caller };
    expect(aboutMaker({ kind: 'named', calls: [call] })).toBe(
      'UpdateAlias, role ci-deploy, session release, from 203.0.113.7, key …MPLE',
    );
    expect(aboutMaker({ kind: 'pending', until: 1 })).toBeUndefined();
    expect(aboutMaker(null)).toBeUndefined();
  });
});
