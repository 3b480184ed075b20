/**
 * The four laws of what is said, over every screen: no data is never good news, "since" is a moment in the store, one
 * question has one number, and nothing moves under the hand.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import type {
  Alert,
  AlertList,
  FleetList,
  FleetRow,
  Health,
  Overview,
} from '../../../ui/src/host/bindings.gen';
import { judgeBothThemes } from './judge';
import { fleetTabs, open, screens, settled } from './screens';
import { alertOf, alter, test, type Fault, type World } from './world';

/** STS answers, and nothing else does. */
const dead: Fault[] = [
  { operation: 'sts:*', kind: 'latency' },
  { operation: '*', kind: 'reset' },
];

const range = { from: Date.UTC(2026, 2, 10, 12), to: Date.UTC(2026, 2, 10, 18) };
const page0 = { offset: 0, limit: 1 };

type Place = { name: string; address: string };

/** Every screen, the tabs of a fleet, and one of everything that has a page. */
async function places(world: World): Promise<Place[]> {
  const rows = async <T>(command: string, args: Record<string, unknown>) =>
    (await world.ask<{ rows: T[] }>(command, args)).rows;
  const [fleet] = await rows<{ fleetId: string }>('fleet_list', { range });
  const [session] = await rows<{ gameSessionId: string }>('session_list', {
    query: { text: '', fleetId: null, location: null, range: null, search: null, sort: null, page: page0 },
  });
  const [queue] = await world.ask<{ region: string; name: string }[]>('queue_list');
  const [alias] = await world.ask<{ aliasId: string }[]>('alias_list');
  const scope = { queue: null, region: null, destination: null };
  const [placement] = await rows<{ placementId: string }>('placement_list', {
    query: { scope, eventTypes: [], text: '', range, page: page0 },
  });
  const [ticket] = await rows<{ ticketId: string; region: string }>('ticket_list', {
    query: { text: '', configuration: null, state: null, range, page: page0 },
  });
  const of = (name: string, ...path: string[]) => ({
    name,
    address: `#/${path.map((part) => encodeURIComponent(part)).join('/')}`,
  });
  return [
    ...screens,
    ...(fleet ? fleetTabs.map((tab) => of(`fleet, ${tab}`, 'fleets', fleet.fleetId, tab)) : []),
    ...(session ? [of('game session', 'sessions', session.gameSessionId)] : []),
    ...(queue ? [of('queue', 'placements', 'queues', queue.region, queue.name)] : []),
    ...(alias ? [of('alias', 'aliases', alias.aliasId)] : []),
    ...(placement ? [of('placement', 'placements', placement.placementId)] : []),
    ...(ticket ? [of('ticket', 'matchmaking', 'tickets', ticket.region, ticket.ticketId)] : []),
  ];
}

/** Visits each place in a document of its own. */
async function visit(page: Page, world: World, look: (place: Place) => Promise<void>): Promise<void> {
  for (const [at, place] of (await places(world)).entries()) {
    await test.step(place.name, async () => {
      await open(page, world, `?${at}${place.address}`);
      await settled(page);
      await look(place);
    });
  }
}

/** Forms and records of our own, in which nothing could be old. */
const ageless = ['ask GameLift', 'activity', 'runs', 'settings'];
/** What lists things that are over: what ended well stays so, whatever is not known since. */
const over = ['players', 'placements', 'placement', 'tickets', 'ticket'];
/** What tells that nothing is known, and since when, instead of an age. */
const unknown = /stale ·|No data since|No data:.*since 18:00/s;
/** "0 fleets", "No aliases yet": said of a list that was never read, either would be an invention. */
const absent = /\b0 (?!of)[a-z]|\bNo [a-z ]+ (yet|match|in this)/;

/** Every screen whose figures rest on the events of the queues, and what it counts. */
const ofEvents = [
  ['#/placements', 'placements'],
  ['#/placements/time', 'placements'],
  ['#/placements/queues', 'placements'],
  ['#/matchmaking', 'tickets'],
  ['#/matchmaking/tickets', 'tickets'],
  ['#/matchmaking/time', 'tickets'],
  ['#/matchmaking/events', 'matchmaking events'],
] as const;

test.describe('two hours after the last answer', () => {
  test.use({ wanted: { later: 7_200, faults: dead } });

  test('no screen calls anything good, and each says how old it is', async ({ page, world }) => {
    await visit(page, world, async (place) => {
      await expect(page.locator('header').first()).toContainText(/unreachable|behind/);
      await expect(page.getByRole('main')).not.toContainText(/Nothing needs attention|up to date/);
      if (!over.includes(place.name)) await expect(page.locator('main svg.good')).toHaveCount(0);
      if (!ageless.includes(place.name)) await expect(page.getByRole('main')).toContainText(unknown);
    });
  });

  test('whoever counts events says since when they are missing, also if the program was started since', async ({
    page,
    world,
  }) => {
    for (const [at, [address, of]] of ofEvents.entries()) {
      await test.step(address, async () => {
        await open(page, world, `?${at}${address}`);
        const note = page.getByRole('note').filter({ hasText: 'eu-west-1' });
        await expect(note).toContainText(`${of} are missing: no events of`, { ignoreCase: true });
        await expect(note).toContainText('eu-west-1 since 18:00');
      });
    }
    await open(page, world, '#/overview');
    for (const title of ['Placements / min', 'Matchmaking wait p95']) {
      const card = page.getByRole('region', { name: 'Figures' }).getByRole('link').filter({ hasText: title });
      await expect(card).toContainText('at 18:00, now unknown');
    }
  });
});

test.describe('before the first answer', () => {
  test.use({ wanted: { collected: false, faults: dead } });

  test('no screen calls anything good or absent, and each says that nothing is known', async ({
    page,
    world,
  }) => {
    await visit(page, world, async (place) => {
      await expect(page.getByRole('main')).not.toContainText('Nothing needs attention');
      if (/alerts|activity|runs|settings/.test(place.name)) return;
      await expect(page.getByText('Nothing has been read from AWS yet')).toBeVisible();
      await expect(page.getByRole('main')).not.toContainText(absent);
      await expect(page.locator('main svg.good')).toHaveCount(0);
    });
  });
});

test.describe('a bad build', () => {
  test.use({ wanted: { scenario: 'bad-build', environment: 'development' } });

  type Fired = { id: string; title: string; endedAt: number | null };
  const firing = async (world: World) => {
    const { alerts } = await world.ask<{ alerts: Fired[] }>('alert_list', { range });
    return alerts.filter((alert) => alert.endedAt === null);
  };

  test('began at the same moment wherever and over whatever range it is told', async ({ page, world }) => {
    await expect.poll(() => firing(world)).not.toEqual([]);
    const [alert] = await firing(world);
    // Its title counts on; its page stays its own.
    const itsPage = page.locator(`a[href*="#/alerts/${alert?.id}"]`).first();
    const card = page.getByRole('article').filter({ has: itsPage });
    const told = new Set<string | null>();
    for (const [at, last] of ['15m', '3h', '24h'].entries()) {
      for (const screen of ['overview', 'alerts']) {
        await open(page, world, `?${screen}${at}#/${screen}?last=${last}`);
        told.add(await card.locator('header time').getAttribute('title'));
      }
      await open(page, world, `?incident${at}#/alerts/${alert?.id}?last=${last}`);
      const facts = page.getByLabel('Facts', { exact: true });
      told.add(
        await facts.locator('div').filter({ hasText: 'Since' }).locator('time').first().getAttribute('title'),
      );
    }
    expect([...told]).toHaveLength(1);
    expect([...told][0]).toMatch(/2026/);
  });

  test('is one number of alerts in the title, in the rail, on the Overview and on Alerts', async ({
    page,
    world,
  }) => {
    await expect.poll(() => firing(world)).not.toEqual([]);
    const counts = async (screen: string) => {
      await open(page, world, `?${screen}#/${screen}`);
      await settled(page);
      const title = /^\((\d+)\)/.exec(await page.title())?.[1];
      const rail = await page.getByTitle('Alerts that fire now').innerText();
      return [Number(title), Number(rail), await page.getByRole('main').getByRole('article').count()];
    };
    await expect(async () => {
      const fire = (await firing(world)).length;
      expect(await counts('overview')).toEqual([fire, fire, fire]);
      expect((await counts('alerts')).slice(0, 2)).toEqual([fire, fire]);
      expect((await firing(world)).length).toBe(fire);
    }).toPass();
  });
});

test('while an alert says that a queue is mute, every figure that rests on it is called a part, from the same moment', async ({
  page,
  world,
}) => {
  const region = 'eu-west-1';
  const mute = {
    id: 'alert-1', rule: 'feedMute', subject: region, region, fleetId: null, severity: 'warning', state: 'firing',
    since: Date.UTC(2026, 2, 10, 17, 56), firedAt: Date.UTC(2026, 2, 10, 17, 58), endedAt: null,
    facts: {
      trouble: { kind: 'feedMute', region, placed: 9, lastEvent: null }, hit: { count: 9, of: null },
      causes: [], target: { kind: 'health' },
    },
  } as unknown as Alert; // prettier-ignore
  // Reports would bring the feeds as they are.
  await page.route('**/hints', () => undefined);
  await alter(page, 'health_get', (health: Health) => ({
    ...health,
    feeds: health.feeds.map((feed) => ({
      ...feed, state: 'receiving', message: null, otherReader: null, lastMessage: health.now - 5_000,
    })),
  })); // prettier-ignore
  await alter(page, 'alert_list', (list: AlertList) => ({ ...list, alerts: [mute, ...list.alerts] }));
  const note = page.getByRole('note').filter({ hasText: region });
  for (const [at, [address, of]] of ofEvents.entries()) {
    await test.step(address, async () => {
      await open(page, world, `?${at}${address}`);
      await expect(note).toContainText(`Part of the ${of} only: no events of ${region} since 17:56`);
    });
  }
  await judgeBothThemes(page);
  await test.step('a range that ended before is whole', async () => {
    await open(page, world, '?past#/placements?from=2026-03-10T15:00:00Z&to=2026-03-10T16:00:00Z');
    await expect(page.getByTitle('Alerts that fire now')).toBeVisible();
    await expect(page.getByRole('grid', { name: 'Placements' })).toBeVisible();
    await expect(note).toHaveCount(0);
  });
});

test('a queue that has been silent for long makes parts of the figures, on the Overview as elsewhere', async ({
  page,
  world,
}) => {
  const region = 'eu-west-1';
  let silentMs = 14 * 60_000;
  // Reports would bring the feeds as they are.
  await page.route('**/hints', () => undefined);
  await alter(page, 'health_get', (health: Health) => ({
    ...health,
    feeds: health.feeds.map((feed) => ({
      ...feed, state: 'receiving', message: null, otherReader: null,
      lastMessage: health.now - (feed.region === region ? silentMs : 5_000),
    })),
  })); // prettier-ignore
  const figures = page.getByRole('region', { name: 'Figures' }).getByRole('link');
  const ofEvent = ['Placements / min', 'Matchmaking wait p95'].map((title) =>
    figures.filter({ hasText: title }),
  );
  const note = page.getByRole('note').filter({ hasText: region });
  await open(page, world, '#/placements');
  await expect(page.getByRole('grid', { name: 'Placements' })).toBeVisible();
  await expect(note).toHaveCount(0);
  await open(page, world, '?short#/overview');
  for (const card of ofEvent) await expect(card).not.toContainText('without');
  silentMs = 20 * 60_000;
  await open(page, world, '?long#/overview');
  for (const card of ofEvent) await expect(card).toContainText(`without ${region}`);
  await expect(figures.filter({ hasText: 'Active sessions' })).not.toContainText('without');
  await open(page, world, '?long#/placements');
  // The world's clock goes on while other tests run.
  await expect(note).toContainText(/Part of the placements only: no events of eu-west-1 since \d\d:\d\d/);
});

test('figures of the account are the same on the Overview and over the fleets', async ({ page, world }) => {
  const figures = page.getByRole('region', { name: 'Figures' });
  const figure = async (title: string) => {
    const value = figures.getByRole('link').filter({ hasText: title }).locator('strong');
    await expect(value).toHaveText(/\d/);
    return Number((await value.innerText()).replaceAll(/\D/g, ''));
  };
  // What a world that was just opened holds is still being read.
  await expect(async () => {
    await open(page, world, '#/overview');
    const overview = {
      instances: await figure('Instances'),
      gameSessions: await figure('Active sessions'),
      players: await figure('Players online'),
    };
    await open(page, world, '#/fleets');
    await settled(page);
    const facts = await page.getByRole('main').locator('header').first().innerText();
    const fact = (noun: RegExp) => Number(noun.exec(facts)?.[1]?.replaceAll(/\D/g, ''));
    expect({
      instances: fact(/([\d\s.,]+) active instances/),
      gameSessions: fact(/([\d\s.,]+) sessions?/),
      players: fact(/([\d\s.,]+) players?/),
    }).toEqual(overview);
    const { total } = await world.ask<{ total: number }>('session_list', {
      query: {
        text: 'status:active', fleetId: null, location: null, range: null, search: null, sort: null, page: page0,
      },
    }); // prettier-ignore
    expect(total).toBe(overview.gameSessions);
  }).toPass();
});

/** What names the rows of a table, the fleets of the Overview and the alerts, from top to bottom. */
const rows = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    const found = [...main.querySelectorAll<HTMLElement>('[role=row][aria-rowindex], tbody tr, article')];
    const top = (row: HTMLElement) => row.getBoundingClientRect().top;
    const shown = found.filter((row) => row.querySelector('[role=gridcell], th[scope=row] a, h2 a'));
    return shown
      .sort((one, other) => top(one) - top(other))
      .map((row) => {
        // The title of an alert has figures, which change; its address does not.
        if (row.tagName === 'ARTICLE') return row.querySelector('h2 a')?.getAttribute('href') ?? '';
        const box = row.querySelector('[aria-label^=Select]')?.getAttribute('aria-label');
        // A fleet's row begins with its status.
        const [first, second] = row.querySelectorAll<HTMLElement>('[role=gridcell], th');
        const name = row.closest('[aria-label=Fleets]') ? second : first;
        return box ?? name?.textContent.trim() ?? '';
      });
  });

test('a fleet in trouble is lifted once, and none moves for its other figures nor under the pointer', async ({
  page,
  world,
}) => {
  const states: Record<string, FleetRow['state']> = {};
  await alter(page, 'fleet_list', (list: FleetList) => ({
    ...list,
    rows: list.rows.map((row) => ({ ...row, state: states[row.name] ?? 'good' })),
  }));
  const row = (name: string) => page.locator('[role=row]').filter({ hasText: name }).first();
  /** Sets the state of a fleet, and waits until its dot says so. */
  const becomes = async (name: string, state: FleetRow['state'], word: RegExp) => {
    states[name] = state;
    await page.keyboard.press('r');
    await expect(row(name).getByRole('img', { name: word })).toBeVisible();
  };
  await open(page, world, '#/fleets');
  await expect(row('arena-spot-eu')).toBeVisible();
  await settled(page);
  const byName = await rows(page);
  const first = (...names: string[]) => [...names, ...byName.filter((name) => !names.includes(name))];
  expect(byName).toContain('arena-prod-us');
  expect(byName).not.toEqual(first('arena-prod-us'));
  await becomes('arena-prod-us', 'warning', /low capacity/);
  expect(await rows(page)).toEqual(byName);
  await becomes('arena-prod-us', 'bad', /no free process/);
  expect(await rows(page)).toEqual(first('arena-prod-us'));
  await becomes('arena-prod-us', 'good', /ACTIVE/);
  expect(await rows(page)).toEqual(first('arena-prod-us'));
  await row('coop-script-eu').hover();
  await becomes('arena-spot-eu', 'bad', /no free process/);
  expect(await rows(page)).toEqual(first('arena-prod-us'));
  await page.getByRole('navigation', { name: 'Screens' }).hover();
  await expect.poll(() => rows(page)).toEqual(first('arena-prod-us', 'arena-spot-eu'));
});

test.describe('alerts that come and go', () => {
  const screensNav = (page: Page) => page.getByRole('navigation', { name: 'Screens' });
  const card = (page: Page, id: string) => page.getByRole('article', { name: `Alert ${id}`, exact: true });
  const order = async (page: Page) => (await rows(page)).filter((one) => one.startsWith('#/alerts/'));

  /** Where something is, in whole pixels: a height that is held may differ by a fraction of one. */
  const place = async (what: Locator) => {
    const box = await what.boundingBox();
    return [Math.round(box?.x ?? NaN), Math.round(box?.y ?? NaN)];
  };

  /** Opens the Overview with these alerts. Returns what sets others, as the next answer has them. */
  async function withAlerts(
    page: Page,
    world: World,
    first: Alert[],
  ): Promise<(next: Alert[]) => Promise<void>> {
    let alerts = first;
    await alter(page, 'overview_get', (overview: Overview) => ({ ...overview, alerts, seen: [] }));
    await open(page, world, '#/overview');
    await expect(page.getByRole('region', { name: 'Figures' }).getByRole('link').first()).toBeVisible();
    await settled(page);
    return async (next) => {
      alerts = next;
      await page.keyboard.press('r');
    };
  }

  test('leave the alerts under the pointer where and as they are, and are lifted once it is gone', async ({
    page,
    world,
  }) => {
    const set = await withAlerts(page, world, [alertOf('a', 'warning', 10), alertOf('b', 'warning', 20)]);
    const aimed = card(page, 'b').getByRole('link', { name: 'Open: Alert b' });
    await aimed.hover();
    const before = await place(aimed);
    await set([alertOf('c', 'bad', 30), alertOf('a', 'warning', 10), alertOf('b', 'warning', 20)]);
    await expect(page.getByRole('status').filter({ hasText: '1 new alert at the end' })).toBeVisible();
    expect(await place(aimed)).toEqual(before);
    expect(await order(page)).toEqual(['#/alerts/a', '#/alerts/b', '#/alerts/c']);
    await expect(card(page, 'a')).toContainText('Likely cause');
    await judgeBothThemes(page);
    await set([alertOf('c', 'bad', 30), alertOf('b', 'warning', 20)]);
    await expect(card(page, 'a').getByText('over', { exact: true })).toBeVisible();
    expect(await place(aimed)).toEqual(before);
    await screensNav(page).hover();
    await expect.poll(() => order(page)).toEqual(['#/alerts/c', '#/alerts/b']);
    await expect(card(page, 'c')).toContainText('Likely cause');
    await set([alertOf('b', 'warning', 20), alertOf('c', 'warning', 30)]);
    await expect(card(page, 'c').getByRole('img', { name: 'warning', exact: true })).toBeVisible();
    expect(await order(page)).toEqual(['#/alerts/c', '#/alerts/b']);
  });

  test('do not push away what is under the pointer below them', async ({ page, world }) => {
    const set = await withAlerts(page, world, []);
    const aimed = page.getByRole('region', { name: 'Figures' }).getByRole('link').first();
    await aimed.hover();
    const before = await place(aimed);
    await set([alertOf('c', 'bad', 30)]);
    await expect(card(page, 'c').getByRole('link', { name: 'Alert c', exact: true })).toBeInViewport();
    expect(await place(aimed)).toEqual(before);
    await screensNav(page).hover();
    await expect.poll(async () => (await place(aimed))[1]).toBeGreaterThan(before[1] ?? Infinity);
  });
});

test.describe('while the game goes on', () => {
  test.use({ own: true });

  test('rows that stay keep their order', async ({ page, world }) => {
    const lists = ['#/overview', '#/fleets', '#/sessions', '#/aliases', '#/placements/queues'];
    for (const address of lists) {
      await test.step(address, async () => {
        await open(page, world, address);
        await settled(page);
        const before = await rows(page);
        const { revision } = await world.ask<{ revision: number }>('health_get');
        for (let minute = 0; minute < 3; minute += 1) await world.advance(60);
        const moved = async () => (await world.ask<{ revision: number }>('health_get')).revision;
        await expect.poll(moved).toBeGreaterThan(revision);
        await settled(page);
        const after = await rows(page);
        expect(before.length).toBeGreaterThan(2);
        const stay = (rows: string[], others: string[]) => rows.filter((one) => others.includes(one));
        expect(stay(after, before)).toEqual(stay(before, after));
      });
    }
  });
});
