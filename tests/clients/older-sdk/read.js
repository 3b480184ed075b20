/**
 * Prints what an older GameLift SDK, from 2024, reads: fleets, active game sessions, player sessions.
 *
 * One JSON object on standard output maps ids to the fields the comparison needs. Deliberately reads page by page
 * with the SDK's own paginators, as an older backend would.
 */
import {
  GameLiftClient,
  paginateDescribeFleetAttributes,
  paginateDescribeGameSessions,
  paginateDescribePlayerSessions,
} from '@aws-sdk/client-gamelift';

const [endpoint, region] = process.argv.slice(2);
if (!endpoint || !region) throw new Error('usage: read.js ENDPOINT REGION');
const client = new GameLiftClient({
  endpoint,
  region,
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
});

const seconds = (time) => time.getTime() / 1000;

const fleets = {};
for await (const page of paginateDescribeFleetAttributes({ client }, {})) {
  for (const { FleetId, Name, Status, CreationTime } of page.FleetAttributes) {
    fleets[FleetId] = { Name, Status, CreationTime: seconds(CreationTime) };
  }
}

const sessions = {};
for (const FleetId of Object.keys(fleets)) {
  for await (const page of paginateDescribeGameSessions({ client }, { FleetId, StatusFilter: 'ACTIVE' })) {
    for (const session of page.GameSessions) {
      const { Name, Status, CurrentPlayerSessionCount, MaximumPlayerSessionCount, IpAddress, Port } = session;
      sessions[session.GameSessionId] = {
        Name,
        Status,
        CurrentPlayerSessionCount,
        MaximumPlayerSessionCount,
        IpAddress,
        Port,
        CreationTime: seconds(session.CreationTime),
        Properties: Object.fromEntries((session.GameProperties ?? []).map(({ Key, Value }) => [Key, Value])),
      };
    }
  }
}

const players = {};
// Reading every session's players one by one would take long; a fixed share is enough.
for (const GameSessionId of Object.keys(sessions)
  .sort()
  .filter((_, at) => at % 10 === 0)) {
  for await (const page of paginateDescribePlayerSessions({ client }, { GameSessionId })) {
    for (const { PlayerSessionId, PlayerId, Status } of page.PlayerSessions) {
      players[PlayerSessionId] = { GameSessionId, PlayerId, Status };
    }
  }
}

console.log(JSON.stringify({ fleets, game_sessions: sessions, player_sessions: players }));
