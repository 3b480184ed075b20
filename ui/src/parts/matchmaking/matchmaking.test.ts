import { describe, expect, it } from 'vitest';
import { readMatch } from './matchmakerData';
import { prettyJson, teamNames, wantedAttributes } from './ruleSet';
import { actionOf, newPlayer, problemsOf, valueOf } from './ticketDraft';
import { ticketState } from './ticketStates';

const body = JSON.stringify({
  playerAttributes: [
    { name: 'skill', type: 'number', default: 1000 },
    { name: 'modes', type: 'string_list', default: ['a', 'b'] },
    { name: 'maps', type: 'string_number_map', default: { dunes: 2 } },
    { name: 'odd', type: 'colour' },
  ],
  teams: [{ name: 'red' }, { name: 'blue' }],
});
const ranked = { name: 'ranked', region: 'eu-west-1' };

describe('a rule set', () => {
  it('is printed on lines of its own, or as it is when it is not JSON', () => {
    expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(prettyJson('not json')).toBe('not json');
  });

  it('tells what a ticket must bring, and leaves out kinds it does not know', () => {
    expect(wantedAttributes(body)).toEqual([
      { name: 'skill', kind: 'number', value: '1000' },
      { name: 'modes', kind: 'textList', value: 'a, b' },
      { name: 'maps', kind: 'numberMap', value: 'dunes=2' },
    ]);
    expect([teamNames(body), wantedAttributes(null), teamNames('[')]).toEqual([['red', 'blue'], [], []]);
  });
});

describe('an attribute', () => {
  const of = (kind: 'text' | 'number' | 'textList' | 'numberMap', value: string) =>
    valueOf({ name: 'a', kind, value });

  it('becomes a value of its kind', () => {
    expect(of('number', ' 12.5 ')).toEqual({ number: 12.5 });
    expect(of('textList', 'one, two,')).toEqual({ textList: ['one', 'two'] });
    expect(of('numberMap', 'easy=1, hard = 3')).toEqual({ numberMap: { easy: 1, hard: 3 } });
    expect(of('text', '')).toEqual({ text: '' });
  });

  it('that is none of its kind is refused', () => {
    expect([of('number', ''), of('number', 'x'), of('numberMap', 'easy'), of('numberMap', 'easy=x')]).toEqual([undefined, undefined, undefined, undefined]); // prettier-ignore
  });
});

describe('a ticket', () => {
  const player = {
    ...newPlayer('p1', wantedAttributes(body)),
    latencies: [{ region: 'eu-west-1', ms: '30' }],
  };

  it('carries players with attributes and latencies, and no team', () => {
    const action = actionOf({ ticketId: ' t-1 ', gameSessionId: null, players: [player] }, ranked);
    expect(action).toMatchObject({
      region: 'eu-west-1',
      request: { operation: 'StartMatchmaking', configurationName: 'ranked', ticketId: 't-1' },
    });
    expect(action?.request).toHaveProperty('players.0.team', null);
    expect(action?.request).toHaveProperty('players.0.latencies', [{ region: 'eu-west-1', latencyMs: 30 }]);
  });

  it('is not made while a latency is no number', () => {
    const draft = { ticketId: 't', gameSessionId: null, players: [{ ...player, latencies: [{ region: 'r', ms: '' }] }] }; // prettier-ignore
    expect(Object.keys(problemsOf(draft))).toEqual(['players[0].latencies[0]']);
    expect(actionOf(draft, ranked)).toBeNull();
  });

  it('as a backfill names the game session, and a team for each player', () => {
    const draft = { ticketId: 't', gameSessionId: 'arn:session', players: [newPlayer('p1', [], 'red'), newPlayer('p2', [])] }; // prettier-ignore
    expect(Object.keys(problemsOf(draft))).toEqual(['players[1].team']);
    const whole = { ...draft, players: draft.players.slice(0, 1) };
    expect(actionOf(whole, ranked)?.request).toMatchObject({
      operation: 'StartMatchBackfill',
      gameSessionId: 'arn:session',
      players: [{ playerId: 'p1', team: 'red' }],
    });
  });
});

describe('matchmaker data', () => {
  it('gives the players of a match back with their teams and attributes', () => {
    const match = readMatch(
      JSON.stringify({
        matchId: 'm',
        matchmakingConfigurationArn: 'arn:aws:gamelift:eu-west-1:1:matchmakingconfiguration/ranked',
        teams: [
          {
            name: 'red',
            players: [
              {
                playerId: 'p1',
                attributes: {
                  skill: { attributeType: 'DOUBLE', valueAttribute: 12.5 },
                  modes: { attributeType: 'STRING_LIST', valueAttribute: ['a', 'b'] },
                },
              },
            ],
          },
        ],
      }),
    );
    expect(match?.configuration).toBe('ranked');
    expect(match?.players).toMatchObject([
      {
        playerId: 'p1',
        team: 'red',
        attributes: [
          { name: 'skill', kind: 'number', value: '12.5' },
          { name: 'modes', kind: 'textList', value: 'a, b' },
        ],
      },
    ]);
  });

  it('of a session that FlexMatch did not make is none', () => {
    expect([readMatch(null), readMatch('hello'), readMatch('{"map":"dunes"}')]).toEqual([null, null, null]);
  });
});

describe('a state of a ticket', () => {
  it('that the service adds later is shown by its own name', () => {
    expect(ticketState('WAITING_ROOM')).toMatchObject({ word: 'waiting room', dot: 'off' });
  });
});
