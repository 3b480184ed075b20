/** Owns what the form of a rule holds, and the setting it makes. */
import type { RuleListed, RuleScope, RuleSetting, Severity } from '$live/types';

const minute = 60_000;

/** "all", "region:eu-west-1" or "fleet:fleet-1": what a choice of scope holds. */
export type ScopeKey = string;

export interface RuleDraft {
  readonly isOff: boolean;
  /** Minutes, as written; empty for the rule's own. */
  readonly minutes: string;
  readonly severity: Severity | 'own';
}

export const untouched: RuleDraft = { isOff: false, minutes: '', severity: 'own' };

export function scopeKey({ region, fleetId }: RuleScope): ScopeKey {
  if (fleetId !== null) return `fleet:${fleetId}`;
  return region === null ? 'all' : `region:${region}`;
}

export function scopeOf(key: ScopeKey): RuleScope {
  const rest = key.slice(key.indexOf(':') + 1);
  return {
    region: key.startsWith('region:') ? rest : null,
    fleetId: key.startsWith('fleet:') ? rest : null,
  };
}

/** What is set in a scope; null if nothing is. */
export function setIn(rule: RuleListed, key: ScopeKey): RuleSetting | null {
  const found = rule.adjustments.find(({ adjustment }) => scopeKey(adjustment.setting.scope) === key);
  return found?.adjustment.setting ?? null;
}

export function draftOf(setting: RuleSetting | null): RuleDraft {
  if (setting === null) return untouched;
  const { isOff, pendingMs, severity } = setting;
  return {
    isOff,
    minutes: pendingMs === null ? '' : String(pendingMs / minute),
    severity: severity ?? 'own',
  };
}

/** The setting that a form makes; null while its minutes are no number. */
export function settingOf(rule: string, key: ScopeKey, draft: RuleDraft): RuleSetting | null {
  const scope = scopeOf(key);
  if (draft.isOff) return { rule, scope, isOff: true, pendingMs: null, severity: null };
  const text = draft.minutes.trim();
  const minutes = Number(text);
  if (text !== '' && !(minutes >= 0)) return null;
  return {
    rule,
    scope,
    isOff: false,
    pendingMs: text === '' ? null : Math.round(minutes * minute),
    severity: draft.severity === 'own' ? null : draft.severity,
  };
}

/** How a rule fires by itself, for a line of the list. */
export function ownText({ pendingMs, severity }: RuleListed, length: (ms: number) => string): string {
  if (severity === 'info') return 'only noted';
  return pendingMs === 0 ? 'fires at once' : `fires after ${length(pendingMs)}`;
}
