/** Owns the draft of a ticket or backfill and the action it makes. Numbers are text until sent. */
import type { Action, AttributeValue, MatchPlayer, MatchmakingConfigurationRow } from '$live/types';
import type { AttributeKind, WantedAttribute } from './ruleSet';

export type AttributeDraft = { readonly name: string; readonly kind: AttributeKind; readonly value: string };
export type LatencyDraft = { readonly region: string; readonly ms: string };
export type PlayerDraft = {
  /** Used by the form only. */
  readonly key: number;
  readonly playerId: string;
  readonly team: string;
  readonly attributes: readonly AttributeDraft[];
  readonly latencies: readonly LatencyDraft[];
};
export type TicketDraft = {
  readonly ticketId: string;
  /** Null for a ticket; the ARN of the running game session for a backfill. */
  readonly gameSessionId: string | null;
  readonly players: readonly PlayerDraft[];
};

let serial = 0;
export const newPlayer = (playerId: string, wanted: readonly WantedAttribute[], team = ''): PlayerDraft => ({
  key: ++serial,
  playerId,
  team,
  attributes: wanted.map(({ name, kind, value }) => ({ name, kind, value })),
  latencies: [],
});

const parts = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** The value of an attribute; undefined when the text does not fit its kind. */
export function valueOf({ kind, value }: AttributeDraft): AttributeValue | undefined {
  if (kind === 'text') return { text: value };
  if (kind === 'textList') return { textList: parts(value) };
  if (kind === 'number') {
    const number = numberOf(value);
    return number === undefined ? undefined : { number };
  }
  const pairs = parts(value).map((part) => part.split('=').map((side) => side.trim()));
  const numbers = pairs.map(([key, number]) => [key, numberOf(number ?? '')] as const);
  if (numbers.some(([key, number]) => !key || number === undefined)) return undefined;
  return { numberMap: Object.fromEntries(numbers) as Record<string, number> };
}

function numberOf(text: string): number | undefined {
  const value = Number(text.trim());
  return text.trim() !== '' && Number.isFinite(value) ? value : undefined;
}

const wants: Record<AttributeKind, string> = {
  text: '',
  textList: '',
  number: 'Enter a number.',
  numberMap: 'Enter pairs such as easy=1, hard=3.',
};

/** What keeps the form from being sent, by the field's name in the action. */
export function problemsOf(draft: TicketDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  draft.players.forEach((player, index) => {
    player.attributes.forEach((attribute, at) => {
      if (valueOf(attribute) === undefined)
        problems[`players[${index}].attributes[${at}]`] = wants[attribute.kind];
    });
    player.latencies.forEach((latency, at) => {
      const ms = numberOf(latency.ms);
      if (ms === undefined || ms < 0 || !Number.isInteger(ms))
        problems[`players[${index}].latencies[${at}]`] = 'Enter whole milliseconds.';
    });
    if (draft.gameSessionId !== null && player.team.trim() === '')
      problems[`players[${index}].team`] = 'Enter the player’s team.';
  });
  return problems;
}

const playerOf = (draft: PlayerDraft, withTeam: boolean): MatchPlayer => ({
  playerId: draft.playerId.trim(),
  team: withTeam ? draft.team.trim() : null,
  attributes: draft.attributes.flatMap((attribute) => {
    const value = valueOf(attribute);
    return value ? [{ name: attribute.name.trim(), value }] : [];
  }),
  latencies: draft.latencies.map(({ region, ms }) => ({ region: region.trim(), latencyMs: Number(ms) })),
});

/** The form's action; null while something cannot be sent. */
export function actionOf(
  draft: TicketDraft,
  configuration: Pick<MatchmakingConfigurationRow, 'name' | 'region'>,
): Action | null {
  if (Object.keys(problemsOf(draft)).length > 0) return null;
  const { gameSessionId } = draft;
  const common = {
    configurationName: configuration.name,
    ticketId: draft.ticketId.trim(),
    players: draft.players.map((player) => playerOf(player, gameSessionId !== null)),
  };
  return {
    region: configuration.region,
    request:
      gameSessionId === null
        ? { operation: 'StartMatchmaking', ...common }
        : { operation: 'StartMatchBackfill', ...common, gameSessionId: gameSessionId.trim() },
  };
}
