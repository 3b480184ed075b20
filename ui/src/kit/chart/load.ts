/** Owns loading the chart library, which must not happen before the locale is guarded. */
import type uPlot from 'uplot';
import { guardLocale } from '$lib/locale';

let loaded: Promise<typeof uPlot> | null = null;

/** The library, loaded once. */
export function loadPlot(): Promise<typeof uPlot> {
  guardLocale();
  loaded ??= import('uplot').then((module) => module.default);
  return loaded;
}
