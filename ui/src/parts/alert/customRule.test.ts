import { expect, it } from 'vitest';
import type { CustomRule } from '$live/types';
import {
  draftOfRule,
  emptyDraft,
  figures,
  keepsTrial,
  mistakes,
  ruleOf,
  sizesOf,
  subjectKind,
  unitOf,
} from './customRule';

const rule: CustomRule = {
  name: 'Few instances',
  watched: {
    kind: 'metric',
    figure: 'activeInstances',
    of: { kind: 'fleet', fleetId: 'fleet-1', location: 'eu-west-1' },
    relative: 'desired',
    overMinutes: 5,
  },
  compare: 'below',
  raise: 50,
  clear: 80,
  pendingMs: 120_000,
  severity: 'bad',
  isOff: false,
};

it('makes of a form what it was made of', () => {
  expect(ruleOf(draftOfRule(rule))).toEqual(rule);
  const of = { kind: 'queue', name: 'arena', region: 'eu-west-1' } as const;
  const queue: CustomRule = {
    ...rule,
    watched: { kind: 'metric', figure: 'queueDepth', of, relative: null, overMinutes: 1 },
  };
  expect(ruleOf(draftOfRule(queue))).toEqual(queue);
  const query: CustomRule = {
    ...rule,
    watched: { kind: 'query', query: 'players:0', per: 'fleet', shareOf: '' },
  };
  expect(ruleOf(draftOfRule(query))).toEqual(query);
});

it('is over at its threshold if nothing else was written', () => {
  expect(ruleOf({ ...emptyDraft, name: 'a', raise: '4' })?.clear).toBe(4);
});

it('makes no rule of what is missing or wrong', () => {
  expect(ruleOf(emptyDraft)).toBeNull();
  expect(ruleOf({ ...emptyDraft, name: 'a', raise: 'four' })).toBeNull();
  expect(ruleOf({ ...emptyDraft, name: 'a', kind: 'query', raise: '4' })).toBeNull();
  expect(mistakes({ ...emptyDraft, raise: '4', clear: '3' }).clear).toMatch('over at 4 or more');
  expect(mistakes({ ...emptyDraft, compare: 'above', raise: '4', clear: '5' }).clear).toMatch('or less');
  expect(mistakes({ ...emptyDraft, over: '0' })).toHaveProperty('overMinutes');
  expect(mistakes(emptyDraft)).toEqual({});
});

it('knows what each figure is of, and of which size it can be a share', () => {
  expect(
    ['activeInstances', 'queueDepth', 'ticketsFailed'].map((name) => subjectKind(name as 'queueDepth')),
  ).toEqual(['fleet', 'queue', 'configuration']);
  expect(sizesOf('activeInstances')).toEqual(['maximum', 'desired']);
  expect(sizesOf('desiredInstances')).toEqual(['maximum']);
  expect(sizesOf('currentPlayerSessions')).toEqual([]);
  const all = figures.flatMap(([, names]) => names);
  expect(new Set(all).size).toBe(all.length);
});

it('names the unit of a threshold', () => {
  expect(unitOf(emptyDraft)).toBe('');
  expect(unitOf({ ...emptyDraft, relative: 'maximum' })).toBe('percent');
  expect(unitOf({ ...emptyDraft, figure: 'timeToPlaceP95' })).toBe('milliseconds');
  expect(unitOf({ ...emptyDraft, kind: 'query', isShare: true })).toBe('percent');
});

it('tries again only what changes the outcome', () => {
  expect(keepsTrial({ name: 'b', severity: 'bad' })).toBe(true);
  expect(keepsTrial({ raise: '5' })).toBe(false);
});
