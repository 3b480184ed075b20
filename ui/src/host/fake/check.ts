/** Owns a part of the form's rules, enough for the screens; the program's own are in Rust. */
import type { FieldError, Request } from '$host/bindings.gen';

export function problems(request: Request): FieldError[] {
  const found: FieldError[] = [];
  const wrong = (field: string, message: string) => found.push({ field, message });
  const length = (field: string, text: string, most: number) => {
    if (text.length === 0) wrong(field, 'This may not be empty.');
    else if (text.length > most) wrong(field, `At most ${most} characters; these are ${text.length}.`);
  };
  const slots = (count: number) => {
    if (count < 1 || count > 200) wrong('maximumPlayerSessionCount', `From 1 to 200; this is ${count}.`);
  };
  const token = (field: string, text: string) => {
    length(field, text, 48);
    if (!/^[a-zA-Z0-9-]*$/.test(text)) wrong(field, 'Only letters, digits and hyphens.');
  };
  if ('gameProperties' in request) {
    if (request.gameProperties.length > 16)
      wrong('gameProperties', `At most 16 properties; these are ${request.gameProperties.length}.`);
    request.gameProperties.forEach(({ key, value }, index) => {
      length(`gameProperties[${index}].key`, key, 32);
      length(`gameProperties[${index}].value`, value, 96);
      if (request.gameProperties.slice(0, index).some((other) => other.key === key))
        wrong(`gameProperties[${index}].key`, 'This key is there already.');
    });
  }
  switch (request.operation) {
    case 'CreateGameSession':
      length('target', request.target.fleet ?? request.target.alias ?? '', 512);
      slots(request.maximumPlayerSessionCount);
      if (request.name !== null) length('name', request.name, 1_024);
      token('idempotencyToken', request.idempotencyToken);
      break;
    case 'StartGameSessionPlacement':
      token('placementId', request.placementId);
      length('gameSessionQueueName', request.gameSessionQueueName, 256);
      slots(request.maximumPlayerSessionCount);
      if (request.gameSessionName !== null) length('gameSessionName', request.gameSessionName, 1_024);
      if (request.players.length > request.maximumPlayerSessionCount)
        wrong(
          'players',
          `${request.players.length} players do not fit into ${request.maximumPlayerSessionCount} slots.`,
        );
      request.players.forEach((player, index) =>
        length(`players[${index}].playerId`, player.playerId, 1_024),
      );
      if (request.priorityOverride && request.players.some((player) => player.latencies.length > 0))
        wrong(
          'priorityOverride',
          'AWS takes either another order of locations or the players’ latencies, not both.',
        );
      break;
    case 'UpdateGameSession':
      if (request.name !== null) length('name', request.name, 1_024);
      if (request.maximumPlayerSessionCount !== null) slots(request.maximumPlayerSessionCount);
      if (Object.values(request).filter((value) => value !== null && !(Array.isArray(value) && value.length === 0)).length === 2)
        wrong('gameSessionId', 'Nothing is to be changed.'); // prettier-ignore
      break;
    case 'CreatePlayerSessions':
      if (request.players.length < 1 || request.players.length > 25)
        wrong('players', `From 1 to 25 players; these are ${request.players.length}.`);
      request.players.forEach((player, index) => {
        length(`players[${index}].playerId`, player.playerId, 1_024);
        if (request.players.slice(0, index).some((other) => other.playerId === player.playerId))
          wrong(`players[${index}].playerId`, 'This player is there already.');
      });
      break;
    case 'CreateAlias':
    case 'UpdateAlias':
      if (request.name !== null) length('name', request.name, 1_024);
      if (request.routing?.terminal) length('routing.message', request.routing.terminal.message, 1_024);
      if (request.routing?.simple) length('routing.fleetId', request.routing.simple.fleet_id, 512);
      break;
    case 'UpdateFleetCapacity': {
      const { desiredInstances, minSize, maxSize } = request;
      for (const [field, size] of Object.entries({ desiredInstances, minSize, maxSize }))
        if (size !== null && size < 0) wrong(field, 'Not below 0.');
      if (minSize !== null && maxSize !== null && minSize > maxSize)
        wrong('minSize', `The minimum ${minSize} is above the maximum ${maxSize}.`);
      else if (desiredInstances !== null && (desiredInstances < (minSize ?? 0) || desiredInstances > (maxSize ?? Infinity)))
        wrong('desiredInstances', `The desired ${desiredInstances} does not lie between minimum and maximum.`); // prettier-ignore
      if (desiredInstances === null && minSize === null && maxSize === null)
        wrong('desiredInstances', 'Nothing is to be changed.');
      break;
    }
    case 'PutScalingPolicy':
      length('name', request.name, 1_024);
      if (request.rule.targetBased) {
        const { targetValue } = request.rule.targetBased;
        if (targetValue === null || targetValue <= 0 || targetValue > 100)
          wrong('targetValue', 'A percentage above 0, at most 100.');
      } else {
        if (request.rule.ruleBased.threshold === null) wrong('threshold', 'A number.');
        if (request.rule.ruleBased.evaluationPeriods < 1) wrong('evaluationPeriods', 'At least 1 minute.');
      }
      break;
    case 'UpdateGameSessionQueue':
      if (request.timeoutSeconds !== null && (request.timeoutSeconds < 10 || request.timeoutSeconds > 600))
        wrong('timeoutSeconds', `From 10 to 600; this is ${request.timeoutSeconds}.`);
      break;
    case 'StartMatchmaking':
    case 'StartMatchBackfill':
      token('ticketId', request.ticketId);
      length('configurationName', request.configurationName, 128);
      request.players.forEach((player, index) => length(`players[${index}].playerId`, player.playerId, 128));
      break;
    default:
  }
  return found;
}
