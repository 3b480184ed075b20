/** Owns the fake host's event queues: one that events come through, and on request one nobody adopted yet. */
import type { AsideMessage, FeedHealth, QueueLook } from '$host/bindings.gen';
import type { ReadHost } from '$host/host';
import { denied, type Stage } from './stage';

const adoptedUrl = 'https://sqs.eu-west-1.amazonaws.com/111122223333/liftdeck';
const shopUrl = 'https://sqs.eu-west-1.amazonaws.com/111122223333/shop-orders';

const none = {
  region: 'eu-west-1', received: 0, stored: 0, duplicates: 0, quarantined: 0, unconfirmed: 0, left: 0, noRoom: 0,
  otherReader: null, lastMessageMs: null, message: null,
} as const; // prettier-ignore

export function createFeeds(stage: Stage, now: () => number, moved: () => void) {
  let shop: 'notAdopted' | 'receiving' = 'notAdopted';

  const feeds = (): FeedHealth[] => {
    const unheard: FeedHealth = { ...none, queueUrl: shopUrl, state: shop, waiting: 200 };
    if (stage.is('unheard')) return [unheard];
    const own: FeedHealth = {
      ...none, queueUrl: adoptedUrl, state: 'receiving', received: 48_210, stored: 48_188, duplicates: 22, waiting: 3,
      lastMessageMs: now() - 2_000,
    }; // prettier-ignore
    if (!stage.is('unadopted')) return [own];
    const troubled: FeedHealth = {
      ...own, quarantined: 4, unconfirmed: 3, left: 12, otherReader: { deliveries: 31, sinceMs: now() - 600_000 },
    }; // prettier-ignore
    return [troubled, unheard];
  };

  const look = (url: string): QueueLook => ({
    queueUrl: url, arn: 'arn:aws:sqs:eu-west-1:111122223333:shop-orders', name: 'shop-orders', account: '111122223333',
    createdMs: now() - 86_400_000, waiting: 200, inFlight: 0, delayed: 0, isFifo: false, policy: '{"Statement":[]}',
    deadLetterArn: null, maxReceives: null,
    senders: [{ principal: 'sns.amazonaws.com', sources: ['arn:aws:sns:eu-west-1:111122223333:orders'] }],
    seen: {
      lookedAt: 50, events: 0, otherAccounts: 0, foreign: 50, keptHidden: null,
      examples: [{ detail: 'neither a `detail-type` nor an SNS notification', bytes: 14, beginning: '{"order": 117}' }],
    },
    unseen: null, against: "50 of 50 messages looked at are not events of this account's GameLift.",
  }); // prettier-ignore

  const aside = (): AsideMessage[] =>
    stage.is('unadopted')
      ? [
          {
            key: 7, queueUrl: adoptedUrl, messageId: 'm-7', receivedMs: now() - 60_000, reason: 'unconfirmed', bytes: 512,
            detail: 'the event names the queue arena in mars-north-1, which this connection does not know',
            beginning: '{"detail-type": "GameLift Queue Placement Event"',
          },
        ]
      : []; // prettier-ignore

  const host: Pick<ReadHost, 'feedLook' | 'feedAdopt' | 'feedRelease' | 'feedAside'> = {
    feedLook: (url) => (stage.is('brokenLook') ? Promise.reject(denied) : Promise.resolve(look(url))),
    feedAdopt: () => {
      shop = 'receiving';
      moved();
      return Promise.resolve(null);
    },
    feedRelease: () => {
      shop = 'notAdopted';
      moved();
      return Promise.resolve(null);
    },
    feedAside: (below) => Promise.resolve(below === null ? aside() : []),
  };
  return { feeds, host };
}
