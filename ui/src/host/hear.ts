/**
 * Owns reading a stream of lines for as long as the page is open, reconnecting after breaks. Deliberately
 * does not interpret the lines.
 */

/** A longer silence means a broken connection: the server sends at least an empty line every ten seconds. */
const silenceMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls `hear` with each non-empty line, and `onOpen` each time the stream is opened. Never ends. */
export async function hearLines(
  open: () => Promise<Response>,
  onOpen: () => void,
  hear: (line: string) => void,
): Promise<never> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const { body } = await open();
      if (body) {
        pauseMs = firstPauseMs;
        onOpen();
        await readLines(body, hear);
      }
    } catch {
      // Requests made meanwhile report why there is no answer.
    }
    await pause(pauseMs);
  }
}

async function readLines(body: ReadableStream<Uint8Array>, hear: (line: string) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const silence = setTimeout(() => void reader.cancel(), silenceMs);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') hear(line);
  }
}
