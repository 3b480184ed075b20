// @vitest-environment node
import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

it('a release holds no invented world, no eval and no data: font', { timeout: 300_000 }, async () => {
  const made = (await build({
    root,
    mode: 'production',
    logLevel: 'silent',
    build: { write: false },
  })) as Rollup.RollupOutput;
  const files = made.output.map(
    (file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)] as const,
  );
  const holding = (text: string) => files.filter(([, source]) => source.includes(text)).map(([name]) => name);
  expect(holding('createFakeHost')).toEqual([]);
  expect(holding('arena-ranked-eu')).toEqual([]);
  expect(holding('data:font')).toEqual([]);
  expect(
    files.filter(([name, source]) => name.endsWith('.js') && /\beval\(|new Function\(/.test(source)),
  ).toEqual([]);
});
