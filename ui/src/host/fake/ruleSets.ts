/** Owns the bodies of the invented rule sets, written on one line as the API gives them. */
const team = (name: string, size: number) => ({ name, minPlayers: size, maxPlayers: size });

const rules = (size: number, teams: string[]) => ({
  name: `${size}v${size}`,
  ruleLanguageVersion: '1.0',
  playerAttributes: [
    { name: 'skill', type: 'number', default: 1000 },
    { name: 'modes', type: 'string_list' },
  ],
  teams: teams.map((name) => team(name, size)),
  rules: [
    {
      name: 'FairTeamSkill',
      description: 'Average skills of the teams are close',
      type: 'distance',
      measurements: ['avg(teams[*].players.attributes[skill])'],
      referenceValue: 'avg(flatten(teams[*].players.attributes[skill]))',
      maxDistance: 100,
    },
    { name: 'NearPlayers', type: 'latency', maxLatency: 120 },
  ],
  expansions: [
    { target: 'rules[FairTeamSkill].maxDistance', steps: [{ waitTimeSeconds: 20, value: 250 }, { waitTimeSeconds: 45, value: 500 }] },
  ],
}); // prettier-ignore

export const ruleSets: Readonly<Record<string, string>> = {
  'ranked-2v2': JSON.stringify(rules(2, ['red', 'blue'])),
  'casual-5v5': JSON.stringify(rules(5, ['red', 'blue'])),
  'coop-4': JSON.stringify(rules(4, ['heroes'])),
  'brawl-3v3': JSON.stringify(rules(3, ['red', 'blue'])),
};
