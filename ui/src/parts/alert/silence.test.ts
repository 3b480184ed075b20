import { expect, it } from 'vitest';
import type { Silence } from '$live/types';
import { coverText, fieldOf, momentOf, silencedText, untilOf } from './silence';

const now = Date.UTC(2026, 10, 21, 12, 14);

const silence: Silence = {
  id: 's',
  matchers: { rules: [], region: null, fleetId: null, subject: null },
  from: now,
  until: now + 3_600_000,
  author: 'mia',
  reason: 'load test',
  endedAt: null,
  endedBy: null,
};

it('ends in half an hour, in two, or at nine on the next day', () => {
  expect(untilOf('30m', now, 'utc') - now).toBe(1_800_000);
  expect(untilOf('2h', now, 'utc') - now).toBe(7_200_000);
  expect(untilOf('morning', now, 'utc')).toBe(Date.UTC(2026, 10, 22, 9));
});

it('reads a moment as it is written, in either zone', () => {
  for (const zone of ['utc', 'local'] as const) expect(momentOf(fieldOf(now, zone), zone)).toBe(now);
  expect(momentOf('', 'utc')).toBeNull();
});

it('says by whom, until when and why', () => {
  expect(silencedText(silence, now, 'utc')).toBe('silenced by mia until 13:14: load test');
  expect(silencedText({ ...silence, author: '', until: null }, now, 'utc')).toBe('silenced: load test');
});

it('says what is covered', () => {
  expect(coverText(silence.matchers)).toBe('every alert');
  expect(coverText({ ...silence.matchers, rules: ['crashes'], subject: 'fleet-1' })).toBe(
    'crashes · fleet-1',
  );
});
