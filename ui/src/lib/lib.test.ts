import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress, patchQuery } from './address';
import { fromField, toField } from './field';
import { matcher } from './filter';
import { brief, count, percent, rate, share, signed, span } from './numbers';
import { rangeFromQuery, rangeToQuery, resolveRange } from './range';
import { decodeSeries, encodeSeries, lastValue, rowAt } from './series';
import { sortedBy, sortFromText, sortToText } from './sort';
import { counted, countedRows, cutAt, isTyped, shortenMiddle, shortLocation, visible } from './text';
import { timeTicks } from './ticks';

const arn = 'arn:aws:gamelift:eu-west-1::gamesession/fleet-1/gsess-1';

describe('addresses', () => {
  it('carry an ARN as one segment', () => {
    const text = formatAddress({ path: ['sessions', arn], query: { q: 'status:active' } });
    expect(text).not.toContain('arn:aws');
    expect(parseAddress(text)).toEqual({ path: ['sessions', arn], query: { q: 'status:active' } });
  });

  it('of one view are one text, whatever the order of its filters', () => {
    const one = { path: ['fleets'], query: { sort: '-name', q: 'x' } };
    const other = { path: ['fleets'], query: { q: 'x', sort: '-name' } };
    expect(formatAddress(one)).toBe(formatAddress(other));
  });

  it('lose an entry that is set to nothing', () => {
    const before = { path: ['fleets'], query: { q: 'x', sort: 'name' } };
    expect(patchQuery(before, { q: '', sort: undefined }).query).toEqual({});
  });

  it('survive a broken escape', () => {
    expect(parseAddress('#/fleets/%E0%A4%A').path).toEqual(['fleets', '%E0%A4%A']);
  });
});

describe('time ranges', () => {
  const now = Date.UTC(2026, 10, 21, 15);

  it('go into an address and come back', () => {
    for (const choice of [
      { kind: 'last', minutes: 15 },
      { kind: 'last', minutes: 43_200 },
      { kind: 'fixed', from: now - 5_000_000, to: now },
    ] as const) {
      const query = Object.fromEntries(Object.entries(rangeToQuery(choice)).filter(([, value]) => value));
      expect(rangeFromQuery(query as Record<string, string>)).toEqual(choice);
    }
  });

  it('the default leaves no trace in the address', () => {
    expect(
      Object.values(rangeToQuery({ kind: 'last', minutes: 180 })).every((value) => value === undefined),
    ).toBe(true);
  });

  it('that run backwards or make no sense are the default', () => {
    expect(rangeFromQuery({ from: '2026-11-21T15:00:00Z', to: '2026-11-21T14:00:00Z' })).toEqual({
      kind: 'last',
      minutes: 180,
    });
    expect(rangeFromQuery({ last: 'a while' })).toEqual({ kind: 'last', minutes: 180 });
  });

  it('that are live end now', () => {
    expect(resolveRange({ kind: 'last', minutes: 60 }, now)).toEqual({ from: now - 3_600_000, to: now });
  });

  it('stand in a field in UTC as they are', () => {
    expect(toField(now, 'utc')).toBe('2026-11-21 15:00:00');
    expect(fromField(' 2026-11-21 15:00', 'utc')).toBe(now);
    expect(fromField(toField(now, 'local'), 'local')).toBe(now);
    expect(fromField('', 'utc')).toBeNull();
    expect(fromField('2026-11-21 99:00', 'utc')).toBeNull();
  });
});

describe('numbers', () => {
  it('what is not known is a dash, never a zero', () => {
    expect([count(null), percent(Number.NaN), share(undefined)]).toEqual(['–', '–', '–']);
  });

  it('changes carry a real sign', () => {
    expect([6, -71].map(signed)).toEqual(['+6', '−71']);
    expect(signed(0.2)).toBe('±0');
  });

  it('are brief where their unit is said already, and never a zero that is none', () => {
    expect([0, 0.04, 41.23, 96, 980, 14_432].map(brief)).toEqual(['0', '0.04', '41.2', '96', '980', '14.4K']);
  });

  it('a rate keeps a decimal while it is small, and a span of one value is that value', () => {
    expect([0, 0.33, 9.94, 9.96, 18.4].map(rate)).toEqual(['0', '0.3', '9.9', '10', '18']);
    expect([span('8', '13'), span('5', '5')]).toEqual(['8 – 13', '5']);
  });

  it('are grouped by thousands', () => {
    expect(count(18_412)).toBe('18,412');
    expect(counted(1, 'session')).toBe('1 session');
    expect(counted(2_304, 'session')).toBe('2,304 sessions');
  });
});

describe('series', () => {
  it('come back as they were written, gaps included', () => {
    const series = decodeSeries(encodeSeries([60, 120, 180], [[1, Number.NaN, 3]]));
    expect([...series.t]).toEqual([60, 120, 180]);
    expect([...(series.columns[0] ?? [])]).toEqual([1, Number.NaN, 3]);
  });

  it('bring the band of the columns that have one', () => {
    const band = { low: Float64Array.from([1, Number.NaN]), high: Float64Array.from([9, Number.NaN]) };
    const bytes = encodeSeries([60, 3660], [[2, 2], [5, Number.NaN], [7, 7]], [null, band]); // prettier-ignore
    expect(bytes.byteLength).toBe((2 + 3 + 2 * (1 + 3 + 2)) * 8);
    const { columns, bands } = decodeSeries(bytes);
    expect(bands).toEqual([null, band, null]);
    expect([...(columns[2] ?? [])]).toEqual([7, 7]);
    expect(() => decodeSeries(bytes.slice(0, bytes.byteLength - 16))).toThrow(RangeError);
  });

  it('of no rows are empty, not an error', () => {
    expect(decodeSeries(encodeSeries([], [[], []])).columns).toHaveLength(2);
  });

  it('that are cut short are refused', () => {
    const whole = encodeSeries([60, 120], [[1, 2]]);
    expect(() => decodeSeries(whole.slice(0, whole.byteLength - 8))).toThrow(RangeError);
    expect(() => decodeSeries(new ArrayBuffer(4))).toThrow(RangeError);
  });

  it('know the row of an instant and the last value before a gap', () => {
    const t = Float64Array.from([60, 120, 180]);
    expect([rowAt(t, 59), rowAt(t, 60), rowAt(t, 179), rowAt(t, 999)]).toEqual([-1, 0, 1, 2]);
    expect(lastValue([1, 2, Number.NaN])).toBe(2);
    expect(lastValue([Number.NaN])).toBeNull();
  });
});

describe('lists', () => {
  it('sort with absent values last, both ways', () => {
    const rows = [{ v: 2 }, { v: null }, { v: 10 }];
    expect(sortedBy(rows, (row) => row.v, false).map((row) => row.v)).toEqual([2, 10, null]);
    expect(sortedBy(rows, (row) => row.v, true).map((row) => row.v)).toEqual([10, 2, null]);
  });

  it('sort text with its numbers as numbers', () => {
    const rows = ['build 1.9.0', 'build 1.41.0', 'build 1.10.0'];
    expect(sortedBy(rows, (row) => row, false)).toEqual(['build 1.9.0', 'build 1.10.0', 'build 1.41.0']);
  });

  it('keep their sort in an address', () => {
    const sort = { column: 'players', descending: true };
    expect(sortFromText(sortToText(sort), { column: 'name', descending: false })).toEqual(sort);
  });

  it('are filtered by every word, in any order and case', () => {
    expect(matcher('EU spot')(['arena-spot', null, 'eu-west-1'])).toBe(true);
    expect(matcher('eu gpu')(['arena-spot', 'eu-west-1'])).toBe(false);
    expect(matcher('  ')([])).toBe(true);
  });
});

describe('ids', () => {
  it('are shortened in the middle, so that their ends tell them apart', () => {
    const short = shortenMiddle('fleet-2fa91c3e-68ef-482c-a1c3-68fc716207be');
    expect(short).toHaveLength(20);
    expect(short.startsWith('fleet-2fa')).toBe(true);
    expect(short.endsWith('07be')).toBe(true);
  });

  it('are cut between characters, never within one', () => {
    expect([cutAt('ab🎮cd', 3), cutAt('ab🎮cd', 4), cutAt('e\u0301x', 1), cutAt('abc', -2)]).toEqual([
      2, 4, 0, 0,
    ]);
    expect(shortenMiddle('🎮'.repeat(20))).not.toMatch(/[\ud800-\udbff]…|…[\udc00-\udfff]/);
  });

  it('that are short stay whole', () => {
    expect(shortenMiddle('arena-eu')).toBe('arena-eu');
  });
});

describe('the time axis', () => {
  const from = Date.UTC(2026, 10, 21, 11, 55);

  it('has round times, no more than asked for', () => {
    const ticks = timeTicks(from, from + 3 * 3_600_000, 8, 'utc');
    expect(ticks.map((tick) => tick.label)).toEqual(['12:00', '12:30', '13:00', '13:30', '14:00', '14:30']);
  });

  it('names the day at midnight', () => {
    const ticks = timeTicks(from, from + 24 * 3_600_000, 6, 'utc');
    expect(ticks.map((tick) => tick.label)).toContain('22 Nov');
  });

  it('of an empty range is empty', () => {
    expect(timeTicks(from, from, 8, 'utc')).toEqual([]);
  });
});

describe('locations in narrow places', () => {
  it.each([
    ['eu-west-1', 'euw1'],
    ['ap-northeast-2', 'apne2'],
    ['us-gov-east-1', 'usge1'],
    ['custom-lab-tokyo', 'lab-tokyo'],
    ['eu-west', 'eu-west'],
    ['us-east-1-atl-1a', 'use1-atl1a'],
  ])('%s is %s', (name, short) => {
    expect(shortLocation(name)).toBe(short);
  });
});

describe('text of others', () => {
  it('shows what would steer or hide', () => {
    expect(visible('a\u001b[2Jb\r\u202ec\u200b\ufeff\u{e0041}\ud800')).toBe(
      'a␛[2Jb␍⟨U+202E⟩c⟨U+200B⟩⟨U+FEFF⟩⟨U+E0041⟩⟨U+D800⟩',
    );
    expect(visible('ad\u200dmin a\ufe0f')).toBe('ad⟨U+200D⟩min a⟨U+FE0F⟩');
    expect(visible(visible('\u202e'))).toBe('⟨U+202E⟩');
  });

  it.each([
    'שלום',
    'مرحبا 12',
    'می\u200cخواهم',
    'क\u094d\u200dष',
    '日本',
    '👩\u200d🚀',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    'two\nlines\tx',
  ])('in any script stays as it is: %s', (name) => expect(visible(name)).toBe(name));

  it('is typed as the core asks for it, blanks forgiven', () => {
    expect(isTyped(' Simulator  launch-day ', 'Simulator launch-day')).toBe(true);
    expect(isTyped('simulator launch-day', 'Simulator launch-day')).toBe(false);
  });
});

it('says of a list that was not counted to its end that there is more', () => {
  expect(countedRows({ total: 1, totalIsExact: true }, 'ticket')).toBe('1 ticket');
  expect(countedRows({ total: 10_000, totalIsExact: false }, 'ticket')).toBe('more than 10,000 tickets');
});
