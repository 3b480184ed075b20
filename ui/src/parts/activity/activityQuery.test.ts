import { describe, expect, it } from 'vitest';
import { filtersOf, isNarrowed, questionOf } from './activityQuery';

const page = { offset: 0, limit: 200 };
const range = { from: 1, to: 2 };

describe('the filters of Activity', () => {
  it('come from the address, and words nobody knows are left out', () => {
    const filters = filtersOf({
      q: ' live ',
      outcomes: 'failed,odd,unknown',
      operation: 'UpdateAlias',
      kind: 'planet',
    });
    expect(filters).toMatchObject({ text: 'live', outcomes: ['failed', 'unknown'], operation: 'UpdateAlias', resourceKind: null }); // prettier-ignore
    expect(isNarrowed(filters)).toBe(true);
    expect(isNarrowed(filtersOf({}))).toBe(false);
  });

  it('keep to the time range only when asked to', () => {
    expect(questionOf(filtersOf({}), range, page).range).toBeNull();
    expect(questionOf(filtersOf({ ranged: '1' }), range, page)).toMatchObject({ range, page });
    expect(questionOf(filtersOf({}), range, page)).not.toHaveProperty('ranged');
  });
});
