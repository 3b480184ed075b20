/** Owns the words of channels, and what a form makes of one. */
import { moment, type Zone } from '$lib/time';
import type { Channel, ChannelKind, ChannelState, Notification, Place } from '$live/types';
import type { DotState } from '$kit/states';

export const kinds: readonly (readonly [ChannelKind, string])[] = [
  ['sns', 'Amazon SNS'],
  ['pagerDuty', 'PagerDuty'],
  ['slack', 'Slack'],
  ['alertmanager', 'Alertmanager'],
  ['webhook', 'Webhook'],
];

export function kindText(kind: ChannelKind): string {
  return kinds.find(([key]) => key === kind)?.[1] ?? kind;
}

/** What the address of a channel is, and how it is written. */
export function addressHint(kind: ChannelKind): string {
  switch (kind) {
    case 'sns':
      return 'ARN of the topic, standard or FIFO';
    case 'alertmanager':
      return 'http://host:9093, or env:NAME or file:/path';
    case 'pagerDuty':
      return 'Where the routing key is: env:NAME or file:/path';
    case 'slack':
    case 'webhook':
      return 'Where the URL is: env:NAME or file:/path';
  }
}

export function placeText({ from, name }: Place): string {
  switch (from) {
    case 'environment':
      return `env:${name}`;
    case 'file':
      return `file:${name}`;
    case 'plain':
      return name;
  }
}

export function placeOf(text: string): Place {
  const trimmed = text.trim();
  if (trimmed.startsWith('env:')) return { from: 'environment', name: trimmed.slice(4) };
  if (trimmed.startsWith('file:')) return { from: 'file', name: trimmed.slice(5) };
  return { from: 'plain', name: trimmed };
}

/** "bad only · crashes · eu-west-1"; nothing for a channel that takes everything. */
export function routeText({ leastSeverity, rules, regions }: Channel): string {
  return [leastSeverity === 'bad' ? 'bad only' : '', rules.join(', '), regions.join(', ')]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The newest message that counts. */
export function lastOf({ newest }: Pick<ChannelState, 'newest'>): Notification | null {
  return newest.find((one) => one.state !== 'superseded') ?? null;
}

export function stateOf(state: ChannelState): DotState {
  const last = lastOf(state);
  if (!state.channel.isOn) return 'off';
  if (last === null) return 'pending';
  return last.detail === null ? 'good' : 'bad';
}

/** How the last delivery went. */
export function lastText(state: ChannelState, nowMs: number, zone: Zone): string {
  const last = lastOf(state);
  if (!state.channel.isOn) return 'switched off';
  if (last === null) return 'nothing was sent yet';
  const at = moment(last.endedAt ?? last.queuedAt, nowMs, zone);
  switch (last.state) {
    case 'delivered':
      return `delivered ${at}`;
    case 'failed':
      return `failed ${at}`;
    case 'sending':
      return 'being sent';
    case 'waiting':
    case 'superseded':
      return last.attempts > 0 ? `tried ${last.attempts} times since ${at}` : 'waits to be sent';
  }
}

/** Words separated by commas or spaces. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
