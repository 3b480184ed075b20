/** Owns the draft of an alias in the form, and the action that creates or updates the alias. */
import type { Action, AliasRow, RoutingStrategy } from '$live/types';
import { routingOf, sameRouting } from './repoint';

export type AliasDraft = {
  readonly name: string;
  readonly description: string;
  readonly routing: 'SIMPLE' | 'TERMINAL';
  readonly fleetId: string | null;
  readonly message: string;
};

export const emptyDraft: AliasDraft = {
  name: '',
  description: '',
  routing: 'SIMPLE',
  fleetId: null,
  message: '',
};

export const draftOf = (alias: AliasRow): AliasDraft => ({
  name: alias.name,
  description: alias.description ?? '',
  routing: alias.routing,
  fleetId: alias.fleetId,
  message: alias.message ?? '',
});

/** The routing of the draft; null while no fleet is chosen. */
export function draftRouting(draft: AliasDraft): RoutingStrategy | null {
  if (draft.routing === 'TERMINAL') return { terminal: { message: draft.message } };
  return draft.fleetId === null ? null : { simple: { fleet_id: draft.fleetId } };
}

/** The action that creates the draft's alias; null while it has no routing. */
export function createOf(region: string, draft: AliasDraft): Action | null {
  const routing = draftRouting(draft);
  if (!routing) return null;
  const description = draft.description.trim() === '' ? null : draft.description;
  return { region, request: { operation: 'CreateAlias', name: draft.name, description, routing } };
}

/** Why the description cannot be sent; null when it can. */
export const descriptionProblem = (alias: AliasRow, draft: AliasDraft): string | null =>
  (alias.description ?? '') !== '' && draft.description.trim() === ''
    ? 'GameLift can replace a description but not clear it.'
    : null;

/** The action that updates the alias to the draft; null when nothing differs or something cannot be sent. */
export function updateOf(alias: AliasRow, draft: AliasDraft): Action | null {
  const routing = draftRouting(draft);
  if (!routing || descriptionProblem(alias, draft) !== null) return null;
  const name = draft.name === alias.name ? null : draft.name;
  const description = draft.description === (alias.description ?? '') ? null : draft.description;
  const next = sameRouting(routing, routingOf(alias)) ? null : routing;
  if (name === null && description === null && next === null) return null;
  return {
    region: alias.region,
    request: { operation: 'UpdateAlias', aliasId: alias.aliasId, name, description, routing: next },
  };
}
