/** Owns the states of a matchmaking ticket, in order, each with its shape, colour and word. */
import type { DotState } from '$kit/states';

export type TicketState = {
  readonly state: string;
  readonly word: string;
  readonly dot: DotState;
  readonly color: string;
};

export const ticketStates: readonly TicketState[] = [
  { state: 'QUEUED', word: 'queued', dot: 'pending', color: '--pending' },
  { state: 'SEARCHING', word: 'searching', dot: 'pending', color: '--series-1' },
  { state: 'REQUIRES_ACCEPTANCE', word: 'awaiting acceptance', dot: 'warning', color: '--series-2' },
  { state: 'PLACING', word: 'placing', dot: 'pending', color: '--series-4' },
  { state: 'COMPLETED', word: 'completed', dot: 'good', color: '--good' },
  { state: 'TIMED_OUT', word: 'timed out', dot: 'bad', color: '--bad' },
  { state: 'CANCELLED', word: 'cancelled', dot: 'off', color: '--faint' },
  { state: 'FAILED', word: 'failed', dot: 'bad', color: '--series-5' },
];

/** A state that is not known here is shown by its own name. */
export const ticketState = (state: string): TicketState =>
  ticketStates.find((one) => one.state === state) ?? {
    state,
    word: state.toLowerCase().replaceAll('_', ' '),
    dot: 'off',
    color: '--faint',
  };
