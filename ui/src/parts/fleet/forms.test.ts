import { expect, it } from 'vitest';
import type { AliasRow, FleetLocationRow, FleetRow, QueueRow, ScalingPolicyRow } from '$live/types';
import { atMaximum, capacityActions, sizesOf, sizesProblem, type Sizes } from './capacity';
import { aliasesOf, emptyRoutes, othersOf, planOf, queuesOf, targetsOf } from './drainPlan';
import { draftOf, policyAction, unreadable } from './policyDraft';

const fleet = { fleetId: 'fleet-1', region: 'eu-west-1', status: 'ACTIVE', name: 'arena' } as FleetRow;
const home = { location: 'eu-west-1', desired: 4, min: 2, max: 8 } as FleetLocationRow;
const rows = [home, { location: 'us-east-1', desired: 1, min: 1, max: 3 }] as FleetLocationRow[];

it('capacity names only the locations and sizes that were changed', () => {
  const written = Object.fromEntries(rows.map((row) => [row.location, sizesOf(row)]));
  expect(capacityActions(fleet, rows, written)).toEqual([]);
  const actions = capacityActions(fleet, rows, {
    ...written,
    'eu-west-1': { desired: '6', min: '2', max: '12' },
  });
  expect(actions).toHaveLength(1);
  expect(actions[0]?.request).toEqual({
    operation: 'UpdateFleetCapacity', fleetId: 'fleet-1', location: 'eu-west-1', desiredInstances: 6, minSize: null, maxSize: 12,
  }); // prettier-ignore
});

it('capacity refuses what GameLift would refuse', () => {
  const problem = (sizes: Sizes) => sizesProblem(home, sizes);
  expect(problem({ desired: '4', min: '2', max: '8' })).toBeNull();
  expect(problem({ desired: '9', min: '2', max: '8' })).toMatch(/not between 2 and 8/);
  expect(problem({ desired: '4', min: '9', max: '8' })).toMatch(/above maximum/);
  expect(problem({ desired: 'four', min: '2', max: '8' })).toMatch(/whole numbers/);
  expect(problem({ desired: '', min: '2', max: '8' })).toMatch(/whole numbers/);
});

it('a capacity that was never read is no 0: it is empty, and only what is entered is sent', () => {
  const unread = { location: 'eu-west-1', desired: null, min: null, max: null } as FleetLocationRow;
  const empty = sizesOf(unread);
  expect(empty).toEqual({ desired: '', min: '', max: '' });
  expect(sizesProblem(unread, empty)).toBeNull();
  expect(capacityActions(fleet, [unread], { 'eu-west-1': empty })).toEqual([]);
  const [action] = capacityActions(fleet, [unread], { 'eu-west-1': { ...empty, max: '12' } });
  expect(action?.request).toMatchObject({ desiredInstances: null, minSize: null, maxSize: 12 });
  expect(sizesProblem(unread, { ...empty, desired: '13', max: '12' })).toBe(
    'Desired 13 is above maximum 12.',
  );
  expect(sizesProblem(unread, { ...empty, desired: '1', min: '2' })).toBe('Desired 1 is below minimum 2.');
  expect(sizesProblem(unread, { ...empty, min: 'two' })).toMatch(/whole numbers/);
  expect(atMaximum(unread)).toBe(false);
});

it('a policy is a target or a rule, and waits for its numbers', () => {
  const target = { ...draftOf(null), name: ' track ', target: '25.5' };
  expect(policyAction(fleet, target)?.request).toEqual({
    operation: 'PutScalingPolicy',
    fleetId: 'fleet-1',
    name: 'track',
    rule: { targetBased: { targetValue: 25.5 } },
  });
  const rule = { ...draftOf(null), name: 'down', kind: 'ruleBased' as const, threshold: '4', by: '-1' };
  expect(policyAction(fleet, rule)?.request).toMatchObject({
    rule: { ruleBased: { metricName: 'IdleInstances', threshold: 4, evaluationPeriods: 10, scalingAdjustment: -1 } },
  }); // prettier-ignore
  expect(policyAction(fleet, { ...rule, by: 'one' })).toBeNull();
  expect(Object.keys(unreadable({ ...rule, by: 'one', threshold: '' }))).toEqual([
    'threshold',
    'scalingAdjustment',
  ]);
});

it('a changed rule begins with what the policy says now', () => {
  const ruleBased = {
    metricName: 'AvailableGameSessions', comparisonOperator: 'LessThanThreshold', threshold: 5.5, evaluationPeriods: 2,
    scalingAdjustmentType: 'PercentChangeInCapacity', scalingAdjustment: -20,
  }; // prettier-ignore
  const row: ScalingPolicyRow = {
    name: 'floor', kind: 'ruleBased', status: 'ACTIVE', location: null, metric: 'AvailableGameSessions', targetValue: null,
    rule: 'in words', definition: { ruleBased },
  }; // prettier-ignore
  expect(policyAction(fleet, draftOf(row))?.request).toMatchObject({ name: 'floor', rule: { ruleBased } });
  // AWS does not return the rest of the rule: the form asks for it instead of inventing it.
  expect(Object.keys(unreadable(draftOf({ ...row, definition: null })))).toContain('threshold');
});

it('a drain repoints the aliases chosen and takes the fleet out of the queues chosen', () => {
  const aliases = [{ aliasId: 'alias-1', region: 'eu-west-1', fleetId: 'fleet-1' }, { aliasId: 'alias-2', region: 'eu-west-1', fleetId: 'fleet-2' }] as AliasRow[];
  const queues = [{ name: 'arena-eu', region: 'eu-west-1', destinations: [{ arn: 'arn:1', fleetId: 'fleet-1', aliasId: null }, { arn: 'arn:2', fleetId: 'fleet-2', aliasId: null }] }] as QueueRow[];
  const own = aliasesOf(aliases, 'fleet-1');
  const draft = { ...emptyRoutes, aliases: { 'alias-1': 'fleet-2' }, queues: ['arena-eu'] };
  const plan = planOf(fleet, draft, own, queuesOf(queues, 'fleet-1'));
  expect(plan.routes.map((one) => one.request)).toEqual([
    { operation: 'UpdateAlias', aliasId: 'alias-1', name: null, description: null, routing: { simple: { fleet_id: 'fleet-2' } } },
    { operation: 'UpdateGameSessionQueue', name: 'arena-eu', timeoutSeconds: null, destinations: ['arn:2'], playerLatencyPolicies: null, notificationTarget: null },
  ]);
  expect(plan).toMatchObject({ fleetId: 'fleet-1', protect: true, suspendScaling: true, scaleToZero: true });
  expect(planOf(fleet, emptyRoutes, own, queues).routes).toEqual([]);
}); // prettier-ignore

it('a queue that names the fleet through an alias is left to the alias', () => {
  const queue = { name: 'q', destinations: [{ arn: 'arn:alias', fleetId: 'fleet-1', aliasId: 'alias-1' }] } as QueueRow; // prettier-ignore
  expect(queuesOf([queue], 'fleet-1')).toEqual([]);
  expect(othersOf(queue, 'fleet-1')).toEqual(['arn:alias']);
});

it('an alias may only be led to an ACTIVE fleet of its Region', () => {
  const others = [
    fleet,
    { ...fleet, fleetId: 'fleet-2' },
    { ...fleet, fleetId: 'fleet-3', region: 'us-east-1' },
    { ...fleet, fleetId: 'fleet-4', status: 'ERROR' },
  ];
  expect(targetsOf(others, fleet).map((row) => row.fleetId)).toEqual(['fleet-2']);
});
