/**
 * Owns reading the matchmaker data of a game session created by FlexMatch: its configuration, and which
 * players are in which team. A backfill must repeat both (FlexMatch developer guide, "Work with matchmaker
 * data").
 */
import type { AttributeKind } from './ruleSet';
import { newPlayer, type AttributeDraft, type PlayerDraft } from './ticketDraft';

export type Match = { readonly configuration: string | null; readonly players: readonly PlayerDraft[] };

const kinds: Readonly<Record<string, AttributeKind>> = {
  STRING: 'text',
  DOUBLE: 'number',
  STRING_LIST: 'textList',
  STRING_DOUBLE_MAP: 'numberMap',
};

type Loose = Record<string, unknown>;
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const list = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isObject) : []);

function attributeOf(name: string, given: unknown): AttributeDraft[] {
  if (!isObject(given)) return [];
  const kind = kinds[String(given.attributeType)];
  if (!kind) return [];
  const value = given.valueAttribute;
  const text = Array.isArray(value)
    ? value.join(', ')
    : isObject(value)
      ? Object.entries(value).map(([key, one]) => `${key}=${String(one)}`).join(', ') // prettier-ignore
      : String(value ?? '');
  return [{ name, kind, value: text }];
}

/** Reads the data of a match; null when the text is something else. */
export function readMatch(text: string | null): Match | null {
  let data: unknown;
  try {
    data = JSON.parse(text ?? '');
  } catch {
    return null;
  }
  if (!isObject(data) || !Array.isArray(data.teams)) return null;
  const arn = typeof data.matchmakingConfigurationArn === 'string' ? data.matchmakingConfigurationArn : null;
  return {
    configuration: arn === null ? null : arn.slice(arn.lastIndexOf('/') + 1),
    players: list(data.teams).flatMap((team) =>
      list(team.players).map((player) => ({
        ...newPlayer(String(player.playerId), [], String(team.name)),
        attributes: Object.entries(isObject(player.attributes) ? player.attributes : {}).flatMap(
          ([name, value]) => attributeOf(name, value),
        ),
      })),
    ),
  };
}
