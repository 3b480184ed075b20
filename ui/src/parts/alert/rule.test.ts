import { expect, it } from 'vitest';
import type { RuleListed, RuleSetting } from '$live/types';
import { draftOf, ownText, scopeKey, scopeOf, setIn, settingOf, untouched } from './rule';

const setting: RuleSetting = {
  rule: 'capped',
  scope: { region: null, fleetId: 'fleet-1' },
  isOff: false,
  pendingMs: 90_000,
  severity: 'warning',
};

const rule: RuleListed = {
  rule: 'capped',
  title: 'At the maximum',
  looksFor: 'a fleet is at its maximum',
  reach: 'fleet',
  pendingMs: 120_000,
  clearMs: 300_000,
  severity: 'bad',
  adjustments: [
    { adjustment: { setting, at: 0, by: 'mia' }, scopeText: 'arena', text: 'fires after 1 min 30 s' },
  ],
  custom: null,
};

it('keeps what is set for a fleet, a Region or everything apart', () => {
  for (const key of ['all', 'region:eu-west-1', 'fleet:fleet-1']) expect(scopeKey(scopeOf(key))).toBe(key);
  expect(setIn(rule, 'fleet:fleet-1')).toBe(setting);
  expect(setIn(rule, 'all')).toBeNull();
});

it('makes of a form what it was made of', () => {
  expect(settingOf('capped', 'fleet:fleet-1', draftOf(setting))).toEqual(setting);
  expect(draftOf(null)).toEqual(untouched);
});

it('sets nothing but off for a rule that is off, and nothing of minutes that are no number', () => {
  const off = settingOf('capped', 'all', { isOff: true, minutes: 'soon', severity: 'bad' });
  expect(off).toMatchObject({ isOff: true, pendingMs: null, severity: null });
  expect(settingOf('capped', 'all', { ...untouched, minutes: 'soon' })).toBeNull();
  expect(settingOf('capped', 'all', { ...untouched, minutes: '0' })).toMatchObject({ pendingMs: 0 });
});

it('says how a rule fires by itself', () => {
  const length = (ms: number) => `${ms / 60_000} min`;
  expect(ownText(rule, length)).toBe('fires after 2 min');
  expect(ownText({ ...rule, pendingMs: 0 }, length)).toBe('fires at once');
  expect(ownText({ ...rule, severity: 'info' }, length)).toBe('only noted');
});
