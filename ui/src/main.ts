/** Owns the start of the window: guard the locale, keep the document inert, pick the host, connect, mount. */
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './kit/tokens.css';
import './kit/base.css';
import { mount } from 'svelte';
import App from '$app/App.svelte';
import type { Host } from '$host/host';
import { clock } from '$kit/clock.svelte';
import { keepInert } from '$kit/inert';
import { guardLocale } from '$lib/locale';
import { connect } from '$live/wire';

guardLocale();

async function pickHost(): Promise<Host> {
  if ('__TAURI_INTERNALS__' in window) return (await import('$host/tauri')).tauriHost;
  return (await import('$host/http')).httpHost;
}

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
keepInert(document.documentElement);
connect(await pickHost(), clock.read);
mount(App, { target });
