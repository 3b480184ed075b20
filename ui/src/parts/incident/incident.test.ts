import { describe, expect, test } from 'vitest';
import { parseAddress } from '$lib/address';
import type { Alert, Incident, IncidentScope } from '$live/types';
import { incidentOf, namesAlerts, placeOfSpan, scopeOfScreen, scopeWithin } from './incident';

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

describe('the address of a span', () => {
  const range = { from: Date.UTC(2026, 2, 4, 9), to: Date.UTC(2026, 2, 4, 10) };

  test.each<IncidentScope>([
    { kind: 'all' },
    { kind: 'region', region: 'eu-west-1' },
    { kind: 'fleet', fleetId: 'fleet-1' },
    { kind: 'queue', name: 'arena', region: 'eu-west-1' },
    { kind: 'alias', aliasId: 'alias-1' },
    { kind: 'matchmaking', name: 'ranked', region: 'eu-west-1' },
    { kind: 'build', id: 'build-1' },
  ])('says what is looked at: $kind', (scope) => {
    expect(incidentOf(parseAddress(placeOfSpan(scope, range)))).toEqual({ kind: 'span', scope, range });
  });
});

describe('the scope of a span', () => {
  test.each<[string, IncidentScope]>([
    [
      '#/matchmaking?configuration=eu-west-1/ranked/eu',
      { kind: 'matchmaking', region: 'eu-west-1', name: 'ranked/eu' },
    ],
    ['#/matchmaking/tickets?configuration=ranked', { kind: 'all' }],
    ['#/builds/build-1', { kind: 'build', id: 'build-1' }],
    ['#/builds/scripts/script-1', { kind: 'build', id: 'script-1' }],
    ['#/builds/scripts', { kind: 'all' }],
    ['#/placements?queue=arena&region=eu-west-1', { kind: 'queue', name: 'arena', region: 'eu-west-1' }],
    ['#/placements/queues/eu-west-1/arena', { kind: 'queue', name: 'arena', region: 'eu-west-1' }],
  ])('is what the screen shows: %s', (address, scope) => {
    expect(scopeOfScreen(parseAddress(address))).toEqual(scope);
  });

  test('within an alert on tickets is their configuration', () => {
    const facts = { trouble: { kind: 'ticketsFail', configuration: 'ranked' } } as Alert['facts'];
    const alert = { region: 'eu-west-1', facts } as Alert;
    const incident = { alert, fleets: [] } as unknown as Incident;
    expect(scopeWithin({ kind: 'alert', id: 'a' }, incident)).toEqual({
      kind: 'matchmaking',
      name: 'ranked',
      region: 'eu-west-1',
    });
    const other = { ...incident, alert: { ...alert, facts: null } };
    expect(scopeWithin({ kind: 'alert', id: 'a' }, other)).toEqual({ kind: 'region', region: 'eu-west-1' });
  });
});
