/**
 * Owns what the tests look at: `liftdeck serve` over a frozen simulated world, from the stage. A test that
 * only reads shares a world with others of the same properties. One that changes anything gets its own with
 * `test.use({ own: true })`.
 */
import { test as base, expect, type Page } from '@playwright/test';
import type { Alert } from '../../../ui/src/host/bindings.gen';

/** A range up to after the frozen moment: it is not over, so it is about now. */
export const liveRange = { from: Date.UTC(2026, 2, 10, 15), to: Date.UTC(2026, 2, 11) };

export const stagePort = Number(process.env.LIFTDECK_STAGE_PORT ?? 4311);

/**
 * How long a world is shared. It is frozen but its program's clock runs on: after some minutes, what happened in
 * the last ones is over, and a slow machine would tell another story than a fast one.
 */
const freshMs = 180_000;

/** The world and program a test needs; the stage has the defaults. */
export type Wanted = {
  scenario?: string;
  environment?: 'production' | 'development';
  name?: string;
  operate?: boolean;
  connected?: boolean;
  collected?: boolean;
  adopted?: boolean;
  speed?: number;
  /** Seconds by which the program's clock is ahead of what was collected. */
  later?: number;
  /** Faults of the world from before the program starts. */
  faults?: Fault[];
};

type Opened = {
  id: number;
  link: string;
  endpoint: string;
  regions: string[];
  account: string;
  queues: Record<string, string>;
};

/** The result of a confirmation. */
export type Confirmed = { receipt: { activityIds: string[]; runId: string | null } };

export type Fault = {
  operation?: string;
  region?: string;
  kind?: string;
  latency_ms?: number;
  status?: number;
  skip?: number;
  count?: number;
};

/** A program that serves, and its world. */
export class World {
  readonly openedAt = performance.now();

  private constructor(
    private readonly opened: Opened,
    readonly origin: string,
    readonly token: string,
  ) {}

  static async open(wanted: Wanted): Promise<World> {
    const answer = await fetch(`http://127.0.0.1:${stagePort}/open`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(wanted),
    });
    if (!answer.ok) throw new Error(`The stage opens nothing: ${await answer.text()}`);
    const opened = (await answer.json()) as Opened;
    const link = new URL(opened.link);
    const entered = await fetch(`${link.origin}/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ key: link.hash.slice('#key='.length) }),
    });
    const { token } = (await entered.json()) as { token: string };
    const world = new World(opened, link.origin, token);
    // This call waits until the connection is open.
    await world.ask('app_state');
    if (wanted.connected ?? true) await world.collects();
    return world;
  }

  async close(): Promise<void> {
    await fetch(`http://127.0.0.1:${stagePort}/close/${this.opened.id}`, { method: 'POST' });
  }

  get regions(): string[] {
    return this.opened.regions;
  }

  get queues(): Record<string, string> {
    return this.opened.queues;
  }

  /** Calls a command of the program directly, without the pages. */
  async ask<T = unknown>(command: string, args: Record<string, unknown> = {}): Promise<T> {
    const answer = await fetch(`${this.origin}/ask/${command}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}` },
      body: JSON.stringify(args),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${command} is refused: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Waits until the account is verified and the collection has started; the health names its Regions from then on. */
  private async collects(): Promise<void> {
    const regions = async () => (await this.ask<{ regions: unknown[] }>('health_get')).regions;
    await expect.poll(regions).not.toEqual([]);
  }

  /** Unlocks the connection for half an hour. */
  async unlock(): Promise<void> {
    const { unlockTyped } = await this.ask<{ unlockTyped: string | null }>('app_state');
    await this.ask('guard_unlock', { minutes: 30, typed: unlockTyped });
  }

  /** Uploads a file as a page does, and returns the path it then has for the program. */
  async upload(name: string, contents: Buffer): Promise<string> {
    const headers = { Authorization: `Bearer ${this.token}` };
    const answer = await fetch(`${this.origin}/upload/${name}`, {
      method: 'POST',
      headers,
      body: Uint8Array.from(contents),
    });
    return (await answer.json()) as string;
  }

  /** Describes an alias: a change that does not touch its routing. */
  async describeAlias(region: string, name: string): Promise<void> {
    const aliases = await this.ask<{ aliasId: string; name: string }[]>('alias_list');
    const aliasId = aliases.find((one) => one.name === name)?.aliasId;
    await this.change(region, {
      operation: 'UpdateAlias',
      aliasId,
      name: null,
      description: 'Expeditions',
      routing: null,
    });
  }

  /** Makes changes through the program directly, without the pages; several changes form a run. */
  async change(region: string, ...requests: Record<string, unknown>[]): Promise<Confirmed> {
    const intent = { kind: 'actions', of: requests.map((request) => ({ region, request })) };
    const preview = await this.ask<{ id: string; mustType: string | null }>('action_preview', { intent });
    return this.ask<Confirmed>('action_confirm', { previewId: preview.id, typed: preview.mustType });
  }

  /** Calls a GameLift operation at AWS directly, as somebody outside Liftdeck would. */
  async aws<T = Record<string, unknown>>(
    region: string,
    operation: string,
    members: Record<string, unknown>,
  ): Promise<T> {
    return this.call<T>('gamelift', 'GameLift', 'x-amz-json-1.1', region, operation, members);
  }

  /** Sends a message directly to the event queue of a Region. */
  async message(region: string, text: string): Promise<void> {
    await this.call('sqs', 'AmazonSQS', 'x-amz-json-1.0', region, 'SendMessage', {
      QueueUrl: this.queues[region],
      MessageBody: text,
    });
  }

  /** Replaces the world's faults. */
  async faults(...faults: Fault[]): Promise<void> {
    await this.control('faults', { fault: faults });
  }

  /** Advances the world. */
  async advance(seconds: number): Promise<void> {
    await this.control('advance', { seconds });
  }

  private async call<T>(
    service: string,
    target: string,
    form: string,
    region: string,
    operation: string,
    members: Record<string, unknown>,
  ): Promise<T> {
    const answer = await fetch(this.opened.endpoint, {
      method: 'POST',
      headers: {
        'Content-Type': `application/${form}`,
        'X-Amz-Target': `${target}.${operation}`,
        'X-Amz-Date': '20260310T180000Z',
        Authorization: `AWS4-HMAC-SHA256 Credential=AKIDSOMEBODY/20260310/${region}/${service}/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
      },
      body: JSON.stringify(members),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${operation} is refused: ${text}`);
    return JSON.parse(text || '{}') as T;
  }

  private async control(what: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.opened.endpoint}/_simulator/${what}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`The simulator refuses: ${await answer.text()}`);
  }
}

/** The page as assistive technology reads it; of an open dialog only that. */
async function shown(page: Page): Promise<string> {
  const dialogs = page.locator('[role=dialog]');
  const within = (await dialogs.count()) > 0 ? dialogs : page.locator('body');
  const texts = (await within.all()).map((one) => one.ariaSnapshot());
  return [page.url(), ...(await Promise.all(texts))].join('\n');
}

type Shared = { of: (wanted: Wanted) => Promise<World> };

export const test = base.extend<
  { wanted: Wanted; own: boolean; unlocked: boolean; world: World },
  { shared: Shared }
>({
  wanted: [{}, { option: true }],
  own: [false, { option: true }],
  unlocked: [false, { option: true }],
  shared: [
    async ({}, use) => {
      const open = new Map<string, World>();
      await use({
        of: async (wanted) => {
          const key = JSON.stringify(wanted);
          const known = open.get(key);
          if (known && performance.now() - known.openedAt < freshMs) return known;
          open.delete(key);
          await known?.close();
          const world = await World.open(wanted);
          open.set(key, world);
          return world;
        },
      });
      for (const world of open.values()) await world.close();
    },
    { scope: 'worker' },
  ],
  world: async ({ wanted, own, unlocked, shared, context }, use, info) => {
    const alone = own || unlocked;
    const world = alone ? await World.open(wanted) : await shared.of(wanted);
    if (unlocked) await world.unlock();
    await context.addInitScript((token) => localStorage.setItem('liftdeck.token', token), world.token);
    await use(world);
    // Where only the output is kept, a failure must say there what was on the page.
    if (info.status !== info.expectedStatus)
      for (const page of context.pages()) console.log(await shown(page));
    // A request may still be in `alter` as the test ends; its response is no longer needed.
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    if (!alone) return;
    // A page that outlives its program would report errors.
    for (const page of context.pages()) await page.close();
    await world.close();
  },
});

/**
 * Matches requests for a command, so that tests can intercept them and produce states a healthy program never
 * shows.
 */
export const asked = (command: string) => `**/ask/${command}`;

/** Never answers a command. */
export const hold = (page: Page, command: string) => page.route(asked(command), () => undefined);

/** Refuses a command. */
export const refuse = (page: Page, command: string, error: Record<string, unknown>) =>
  page.route(asked(command), (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/json',
      body: JSON.stringify({
        resource: null, awsCode: null, requestId: null, retryable: false, remedy: null, fields: [], ...error,
      }), // prettier-ignore
    }),
  );

/** Lets a command be answered, and alters the answer. */
export const alter = (page: Page, command: string, change: (answer: never) => unknown) =>
  page.route(asked(command), async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as never;
    await route.fulfill({ response, body: JSON.stringify(change(answer) ?? answer) });
  });

/** An alert that fires since a minute of the hour before the world stands still. */
export const alertOf = (id: string, severity: Alert['severity'], minute: number): Alert => {
  const since = Date.UTC(2026, 2, 10, 17, minute);
  return {
    id, rule: 'crashes', subject: id, region: null, fleetId: null, severity, state: 'firing', since, firedAt: since,
    clearSince: null, unknownSince: null, endedAt: null, acknowledged: null, silenced: null, facts: null,
    title: `Alert ${id}`, detail: 'What was seen.', causes: [], unexplained: 'No cause was found.', offered: null,
    who: null,
  }; // prettier-ignore
};

/** Makes something happen at AWS once the page has sent a request, before the program receives it. */
export const meanwhile = (page: Page, command: string, happens: () => Promise<unknown>) =>
  page.route(asked(command), async (route) => {
    await happens();
    await route.continue();
  }, { times: 1 }); // prettier-ignore
