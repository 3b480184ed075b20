/**
 * The layer rules of the UI as lint errors: views → parts → kit → lib; views and parts → live → host; only host/
 * imports @tauri-apps. Layers are imported through their $alias, so a relative path never leaves a layer.
 */
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const climb = { group: ['../*'], message: 'Reach another folder through its alias ($kit, $lib, …).' };
const tauri = { group: ['@tauri-apps/*'], message: 'Only src/host may know Tauri.' };
const rooms = ['app', 'views', 'parts', 'live', 'host', 'kit', 'lib'];

/** A layer may import only the layers named; any other is an error. */
const layer = (room, may) => ({
  files: [`src/${room}/**/*.{ts,svelte}`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          climb,
          ...(room === 'host' ? [] : [tauri]),
          ...rooms
            .filter((other) => other !== room && !may.includes(other))
            .map((other) => ({ group: [`$${other}/*`], message: `${room} must not import ${other}.` })),
        ],
      },
    ],
  },
});

export default ts.config(
  { ignores: ['dist/', 'src/host/bindings.gen.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  {
    rules: {
      'no-undef': 'off',
      'no-eval': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'svelte/button-has-type': 'error',
      'svelte/no-at-html-tags': 'error',
      'svelte/no-target-blank': 'error',
      'svelte/require-each-key': 'error',
      'svelte/no-navigation-without-resolve': 'off',
      // Collections here are replaced, never mutated while in use; bookkeeping maps are deliberately not reactive.
      'svelte/prefer-svelte-reactivity': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  layer('lib', []),
  layer('kit', ['lib']),
  layer('host', ['lib']),
  layer('live', ['host', 'lib']),
  layer('parts', ['kit', 'lib', 'live']),
  layer('views', ['parts', 'kit', 'lib', 'live']),
  layer('app', ['views', 'parts', 'kit', 'lib', 'live', 'host']),
);
