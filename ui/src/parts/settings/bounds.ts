/** Owns the bounds of numeric settings and how they appear in their fields. */
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
    hint: 'The maximum share of each published API rate that Liftdeck uses. The rest is left to your game.',
  },
  {
    key: 'cloudwatchDailyCapUsd', label: 'CloudWatch daily cap', unit: 'USD per day', least: 0, most: 1_000, step: 0.5, scale: 1,
    hint: 'CloudWatch bills per metric requested. At the cap, charts use Describe calls only. 0 turns CloudWatch off.',
  },
]; // prettier-ignore

export const keeping: readonly NumberSetting[] = [
  {
    key: 'sessionRetentionDays', label: 'Sessions, players, placements', unit: 'days', least: 1, most: 3_650, step: 1, scale: 1,
    hint: 'GameLift keeps ended sessions for 30 days.',
  },
  {
    key: 'metricRetentionDays', label: 'Metrics', unit: 'days', least: 1, most: 3_650, step: 1, scale: 1,
    hint: 'About 2 bytes per point: one fleet at one-minute resolution takes about 30 MB a year.',
  },
]; // prettier-ignore

/** Why a field's text is not a valid value; null when it is. */
export function numberProblem(setting: NumberSetting, text: string): string | null {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return 'Enter a number.';
  if (value < setting.least || value > setting.most) return `Between ${setting.least} and ${setting.most}.`;
  return null;
}

/** Settings with one number replaced by its field's value. */
export const withNumber = (settings: Settings, setting: NumberSetting, text: string): Settings => ({
  ...settings,
  [setting.key]: Number(text) / setting.scale,
});

/** The text of a number's field. */
export const fieldText = (settings: Settings, setting: NumberSetting): string =>
  String(Math.round(settings[setting.key] * setting.scale * 100) / 100);
