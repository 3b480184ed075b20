import { afterAll, describe, expect, it, vi } from 'vitest';

const hour = 3_600_000;
const given = process.env.TZ;

/** The ticks of a stretch of local time, as `01:00` or as the name of the day that begins. */
async function ticks(zone: string, from: string, hours: number, most: number) {
  process.env.TZ = zone;
  vi.resetModules();
  const { timeTicks } = await import('./ticks');
  const fromMs = Date.parse(from);
  return timeTicks(fromMs, fromMs + hours * hour, most, 'local');
}

const labels = async (...stretch: Parameters<typeof ticks>) =>
  (await ticks(...stretch)).map((tick) => tick.label);

describe('local ticks across a clock change', () => {
  afterAll(() => {
    process.env.TZ = given;
  });

  it('leave out the hour that does not exist', async () => {
    expect(await labels('Europe/Berlin', '2026-03-29T00:00+01:00', 6, 6)).toEqual([
      '29 Mar', '01:00', '03:00', '04:00', '05:00', '06:00', '07:00',
    ]); // prettier-ignore
  });

  it('fall on the same hours of the clock before and after the change', async () => {
    expect(await labels('Europe/Berlin', '2026-03-28T12:00+01:00', 30, 10)).toEqual([
      '12:00', '15:00', '18:00', '21:00', '29 Mar', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00',
    ]); // prettier-ignore
    expect(await labels('Europe/Berlin', '2026-10-24T12:00+02:00', 36, 6)).toEqual([
      '12:00', '18:00', '25 Oct', '06:00', '12:00', '18:00',
    ]); // prettier-ignore
    expect(await labels('America/New_York', '2026-03-07T12:00-05:00', 36, 6)).toEqual([
      '12:00', '18:00', '08 Mar', '06:00', '12:00', '18:00', '09 Mar',
    ]); // prettier-ignore
  });

  it('show both hours of the same name, one hour apart', async () => {
    const both = await ticks('Europe/Berlin', '2026-10-25T00:00+02:00', 5, 5);
    expect(both.map((tick) => tick.label)).toEqual(['25 Oct', '01:00', '02:00', '02:00', '03:00', '04:00']);
    both.forEach((tick, index) => expect(tick.atMs).toBe((both[0]?.atMs ?? 0) + index * hour));
    expect(await labels('America/New_York', '2026-11-01T00:00-04:00', 3, 3)).toEqual([
      '01 Nov', '01:00', '01:00', '02:00',
    ]); // prettier-ignore
  });

  it('stay on whole hours where the clock changes by half an hour', async () => {
    expect(await labels('Australia/Lord_Howe', '2026-04-05T00:00+11:00', 5, 5)).toEqual([
      '05 Apr', '01:00', '02:00', '03:00', '04:00',
    ]); // prettier-ignore
    expect(await labels('Australia/Lord_Howe', '2026-10-04T00:00+10:30', 4, 4)).toEqual([
      '04 Oct', '01:00', '03:00', '04:00',
    ]); // prettier-ignore
    expect(await labels('Australia/Lord_Howe', '2026-10-04T01:00+10:30', 2, 4)).toEqual([
      '01:00', '01:30', '02:30', '03:00', '03:30',
    ]); // prettier-ignore
  });

  it('are round where the offset from UTC is not', async () => {
    expect(await labels('Asia/Kathmandu', '2026-05-01T10:00+05:45', 1, 6)).toEqual([
      '10:00', '10:10', '10:20', '10:30', '10:40', '10:50', '11:00',
    ]); // prettier-ignore
    expect(await labels('Asia/Kathmandu', '2026-05-01T23:30+05:45', 2, 2)).toEqual(['02 May', '01:00']);
  });

  it('begin each day once, at its first moment', async () => {
    const days = await ticks('Europe/Berlin', '2026-03-27T12:00+01:00', 96, 4);
    expect(days.map((tick) => tick.label)).toEqual(['28 Mar', '29 Mar', '30 Mar', '31 Mar']);
    expect(days.map((tick) => new Date(tick.atMs).getHours())).toEqual([0, 0, 0, 0]);
    // In Santiago the day of the change begins at one o'clock; in Havana midnight comes twice.
    expect(await labels('America/Santiago', '2026-09-05T12:00-04:00', 24, 4)).toEqual([
      '12:00', '18:00', '06 Sept', '06:00', '12:00',
    ]); // prettier-ignore
    expect(await labels('America/Santiago', '2026-09-04T12:00-04:00', 72, 3)).toEqual([
      '05 Sept', '06 Sept', '07 Sept',
    ]); // prettier-ignore
    expect(await labels('America/Havana', '2026-10-31T22:00-04:00', 5, 5)).toEqual([
      '22:00', '23:00', '01 Nov', '00:00', '01:00', '02:00',
    ]); // prettier-ignore
  });
});
