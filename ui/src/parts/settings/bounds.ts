/** Owns the bounds of the settings that are numbers, and how they are written in their fields. */
import type { Settings } from '$live/types';

export type NumberSetting = {
  readonly key: 'budgetShare' | 'cloudwatchDailyCapUsd' | 'sessionRetentionDays' | 'metricRetentionDays';
  readonly label: string;
  readonly hint: string;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  /** Field value for one unit of the setting: shares are written as percent. */
  readonly scale: number;
};

export const collecting: readonly NumberSetting[] = [
  {
    key: 'budgetShare', label: 'Request budget', unit: '% of each API rate', least: 1, most: 50, step: 1, scale: 100,
    hint: 'Liftdeck never uses more of the published rate of an API than this. The game always comes first.',
  },
  {
    key: 'cloudwatchDailyCapUsd', label: 'CloudWatch daily cap', unit: 'USD a day', least: 0, most: 1_000, step: 0.5, scale: 1,
    hint: 'CloudWatch is billed by metric requested. At the cap, charts go on with what Describe calls tell; 0 asks CloudWatch nothing.',
  },
]; // prettier-ignore

export const keeping: readonly NumberSetting[] = [
  {
    key: 'sessionRetentionDays', label: 'Sessions, players, placements', unit: 'days', least: 1, most: 3_650, step: 1, scale: 1,
    hint: 'GameLift itself forgets ended sessions after 30 days.',
  },
  {
    key: 'metricRetentionDays', label: 'Metrics', unit: 'days', least: 1, most: 3_650, step: 1, scale: 1,
    hint: 'About 2 bytes a point: a year of one fleet at one minute is some 30 MB.',
  },
]; // prettier-ignore

/** What keeps the text of a field from being a value; null when nothing does. */
export function numberProblem(setting: NumberSetting, text: string): string | null {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return 'This must be a number.';
  if (value < setting.least || value > setting.most) return `Between ${setting.least} and ${setting.most}.`;
  return null;
}

/** Settings with one number replaced by what its field says. */
export const withNumber = (settings: Settings, setting: NumberSetting, text: string): Settings => ({
  ...settings,
  [setting.key]: Number(text) / setting.scale,
});

/** The text of a number's field. */
export const fieldText = (settings: Settings, setting: NumberSetting): string =>
  String(Math.round(settings[setting.key] * setting.scale * 100) / 100);
