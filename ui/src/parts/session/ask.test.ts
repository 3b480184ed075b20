import { describe, expect, it } from 'vitest';
import type { AliasRow, FleetRow } from '$live/types';
import { askOf, fleetOf, searchOf } from './ask';

const fleet = { fleetId: 'fleet-1', region: 'eu-west-1', locations: ['eu-west-1', 'eu-north-1'] } as FleetRow;
const alias = { aliasId: 'alias-1', region: 'us-east-1', fleetId: 'fleet-1' } as AliasRow;
const terminal = { aliasId: 'alias-2', region: 'us-east-1', fleetId: null } as AliasRow;
const targets = { fleets: [fleet], aliases: [alias, terminal] };

describe('a question for GameLift', () => {
  it('is what the address says, with blanks for what it does not', () => {
    expect(askOf({ ask: ' ' })).toEqual({ target: '', location: '', filter: '', order: '' });
    expect(askOf({ ask: 'fleet-1', at: 'eu-north-1', filter: 'playerSessionCount=0' }).location).toBe(
      'eu-north-1',
    );
  });

  it('goes to the Region of the fleet, or of the alias', () => {
    const of = (target: string) => searchOf({ ...askOf({}), target }, targets);
    expect(of('fleet-1')).toMatchObject({ region: 'eu-west-1', fleetId: 'fleet-1', aliasId: null });
    expect(of('alias-1')).toMatchObject({ region: 'us-east-1', fleetId: null, aliasId: 'alias-1' });
    expect(of('alias-2')).toMatchObject({ aliasId: 'alias-2' });
  });

  it('is not sent for what is not chosen or not known', () => {
    expect(searchOf(askOf({ ask: ' ' }), targets)).toBeNull();
    expect(searchOf(askOf({ ask: 'fleet-elsewhere' }), targets)).toBeNull();
  });

  it('offers the locations of the fleet an alias leads to', () => {
    expect(fleetOf({ ...askOf({}), target: 'alias-1' }, targets)).toBe(fleet);
    expect(fleetOf({ ...askOf({}), target: 'alias-2' }, targets)).toBeNull();
  });
});
