import { expect, it } from 'vitest';
import type { Alert, Change, LikelyCause } from '$live/types';
import { causeKeys } from './alert';

const alert = (...causes: LikelyCause[]): Pick<Alert, 'facts'> => ({
  facts: {
    trouble: { kind: 'inError', fleet: 'arena', locations: [] },
    hit: { count: 0, of: null },
    causes: causes.map((cause) => ({ cause, strength: 'strong', at: null })),
    target: { kind: 'health' },
  },
});

it('marks the changes that alerts name as causes, and none of an alert that cannot be read', () => {
  const change = (key: string): LikelyCause => ({ kind: 'changed', change: { key } as Change });
  const alerts = [alert(change('change-1'), { kind: 'spot' }), { facts: null }, alert(change('change-2'))];
  expect([...causeKeys(alerts)]).toEqual(['change-1', 'change-2']);
  expect(causeKeys([]).size).toBe(0);
});
