/**
 * Owns the host for a browser: `liftdeck serve` at the address this page came from. The key that lets the
 * browser in is in the link's fragment, which is never sent over the network or logged. It is exchanged for a
 * token at once.
 */
import { createCalls, subjects, type AppError, type Changed, type Health, type Send } from './bindings.gen';
import { hearLines } from './hear';
import type { Host, Unsubscribe } from './host';
import { pickFile, saveFile } from './files';

const storageKey = 'liftdeck.token';

const failure = (kind: AppError['kind'], message: string, remedy: string): AppError => ({
  kind,
  message,
  remedy,
  resource: null,
  awsCode: null,
  requestId: null,
  retryable: kind === 'unreachable',
  fields: [],
});

const gone = () =>
  failure(
    'unreachable',
    'Liftdeck does not answer at this address.',
    'Check that `liftdeck serve` and the tunnel to it are running; this page tries again by itself.',
  );

const notLetIn = () =>
  failure(
    'refused',
    'This browser was not let in, or Liftdeck has restarted since.',
    'Open the newest link that `liftdeck serve` printed.',
  );

/** Sends a request with the token. Rejects with an `AppError` unless the response is OK. */
async function request(path: string, init: RequestInit): Promise<Response> {
  await entered;
  const token = localStorage.getItem(storageKey);
  const headers = { ...init.headers, Authorization: `Bearer ${token ?? ''}` };
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, headers });
  } catch {
    throw gone();
  }
  if (answer.ok) return answer;
  if (answer.status === 401) throw notLetIn();
  // A tunnel whose other end is down may answer in its place.
  throw answer.status === 422 ? ((await answer.json()) as AppError) : gone();
}

/** Exchanges the link's key for a token, if the address has one. */
async function enter(): Promise<void> {
  const key = /^#key=([0-9a-f]+)$/.exec(location.hash)?.[1];
  if (key === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    const body = JSON.stringify({ key });
    const answer = await fetch('/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    if (answer.ok) localStorage.setItem(storageKey, ((await answer.json()) as { token: string }).token);
  } catch {
    // The first request reports that there is no answer.
  }
}

const entered = enter();

const send: Send = async <T>(name: string, args?: Record<string, unknown>): Promise<T> => {
  const answer = await request(`/ask/${name}`, { method: 'POST', body: args ? JSON.stringify(args) : null });
  const file = /filename\*=UTF-8''(.+)/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1];
  if (file !== undefined) return saveFile(decodeURIComponent(file), await answer.blob()) as T;
  const isJson = answer.headers.get('Content-Type') === 'application/json';
  return (isJson ? await answer.json() : await answer.arrayBuffer()) as T;
};

type Hint = { changed: Changed } | { health: Health };

const changedHearers = new Set<(changed: Changed) => void>();
const healthHearers = new Set<(health: Health) => void>();

function take(hint: Hint): void {
  if ('changed' in hint) for (const hear of changedHearers) hear(hint.changed);
  else for (const hear of healthHearers) hear(hint.health);
}

/** Reports every subject as changed, because hints sent while disconnected are lost. */
function everythingMoved(): void {
  const all = [...new Set(Object.values(subjects).flat())];
  take({ changed: { revision: 0, subjects: all } });
}

let listening = false;

function listen<T>(hearers: Set<T>, hearer: T): Promise<Unsubscribe> {
  hearers.add(hearer);
  if (!listening) {
    listening = true;
    void hearLines(
      () => request('/hints', {}),
      everythingMoved,
      (line) => take(JSON.parse(line) as Hint),
    );
  }
  return Promise.resolve(() => hearers.delete(hearer));
}

export const httpHost: Host = {
  ...createCalls(send),
  onChanged: (listener) => listen(changedHearers, listener),
  onHealth: (listener) => listen(healthHearers, listener),
  zoomSet: (factor) => {
    document.documentElement.style.zoom = String(factor);
    return Promise.resolve();
  },
  titleSet: (title) => {
    document.title = title;
    return Promise.resolve();
  },
  zipPick: async () => {
    const file = await pickFile('.zip');
    if (!file) return null;
    const answer = await request(`/upload/${encodeURIComponent(file.name)}`, { method: 'POST', body: file });
    return (await answer.json()) as string;
  },
  // A browser has an address of its own, and shows nothing of the collecting computer's desktop.
  onPlace: () => Promise.resolve(() => undefined),
  placeTake: () => Promise.resolve(null),
  notifications: null,
};
