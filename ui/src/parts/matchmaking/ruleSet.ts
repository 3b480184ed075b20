/** Owns printing a rule set's body, and reading which attributes and teams it declares. */

/** Indented JSON; any other text unchanged. */
export function prettyJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export type AttributeKind = 'text' | 'number' | 'textList' | 'numberMap';
export type WantedAttribute = { readonly name: string; readonly kind: AttributeKind; readonly value: string };

const kinds: Readonly<Record<string, AttributeKind>> = {
  string: 'text',
  number: 'number',
  string_list: 'textList',
  string_number_map: 'numberMap',
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** An attribute's default as typed into a form. */
function typed(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (isObject(value)) return Object.entries(value).map(([key, one]) => `${key}=${String(one)}`).join(', '); // prettier-ignore
  return value === undefined || value === null ? '' : String(value);
}

function read(body: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body ?? '{}');
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** The player attributes a rule set declares, with their defaults; empty when it declares none or cannot be read. */
export function wantedAttributes(body: string | null): WantedAttribute[] {
  const declared = read(body).playerAttributes;
  if (!Array.isArray(declared)) return [];
  return declared.filter(isObject).flatMap((one) => {
    const kind = kinds[String(one.type)];
    return kind ? [{ name: String(one.name), kind, value: typed(one.default) }] : [];
  });
}

/** The names of the teams a rule set declares. */
export function teamNames(body: string | null): string[] {
  const teams = read(body).teams;
  return Array.isArray(teams) ? teams.filter(isObject).map((team) => String(team.name)) : [];
}
