import { expect, it } from 'vitest';
import type { SessionDetail, GameSessionRow } from '$live/types';
import { actionsOf, changeOf, endActions, isLive, requestOf, slotsProblem } from './sessionChange';

const row = {
  gameSessionId: 'arn:1', region: 'eu-west-1', name: 'ranked', maximumPlayerSessionCount: 8, playerSessionCreationPolicy: 'ACCEPT_ALL', status: 'ACTIVE', terminationTime: null,
  protectionPolicy: 'NoProtection',
} as GameSessionRow; // prettier-ignore
const detail = {
  row,
  properties: [{ key: 'mode', value: 'ranked' }],
} as SessionDetail;

it('of one game session only what was changed is sent', () => {
  const begun = changeOf([row], detail);
  const change = {
    ...begun,
    slots: '10',
    properties: [{ key: 'mode', value: 'casual' }, { key: 'map', value: 'dunes' }],
  }; // prettier-ignore
  expect(requestOf('arn:1', begun, change)).toEqual({
    operation: 'UpdateGameSession', gameSessionId: 'arn:1', name: null, maximumPlayerSessionCount: 10, playerSessionCreationPolicy: null,
    protectionPolicy: null, gameProperties: change.properties,
  }); // prettier-ignore
});

it('of many, what is left empty stays as it is', () => {
  const other = { ...row, gameSessionId: 'arn:2', region: 'us-east-1' };
  const begun = changeOf([row, other], null);
  const actions = actionsOf([row, other], begun, { ...begun, policy: 'DENY_ALL' });
  expect(actions.map((one) => one.region)).toEqual(['eu-west-1', 'us-east-1']);
  expect(actions[1]?.request).toMatchObject({
    gameSessionId: 'arn:2',
    name: null,
    maximumPlayerSessionCount: null,
    playerSessionCreationPolicy: 'DENY_ALL',
  });
});

it('slots that are no number are told and not sent', () => {
  const begun = changeOf([row], detail);
  expect(slotsProblem({ ...begun, slots: 'ten' })).not.toBeNull();
  expect(requestOf('arn:1', begun, { ...begun, slots: 'ten' }).maximumPlayerSessionCount).toBeNull();
});

it('only live game sessions can be ended, gracefully or by force', () => {
  expect(isLive(row)).toBe(true);
  expect(isLive({ ...row, status: 'TERMINATED', terminationTime: 5 })).toBe(false);
  expect(endActions([row], true)[0]?.request).toMatchObject({ terminationMode: 'FORCE_TERMINATE' });
  expect(endActions([row], false)[0]?.request).toMatchObject({
    terminationMode: 'TRIGGER_ON_PROCESS_TERMINATE',
  });
});
