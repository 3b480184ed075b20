import { describe, expect, test } from 'vitest';
import { namesAlerts } from './incident';

describe('the causes of a span', () => {
  const of = (...ids: string[]) => ({ alerts: ids.map((id) => ({ id, title: `trouble ${id}` })) });

  test('name their alerts where those of several stand together', () => {
    expect(namesAlerts([])).toBe(false);
    expect(namesAlerts([of(), of()])).toBe(false);
    expect(namesAlerts([of('a'), of('a')])).toBe(false);
    expect(namesAlerts([of('a'), of('b')])).toBe(true);
    expect(namesAlerts([of('a', 'b')])).toBe(true);
  });
});
