/** Owns how the status of one placement is coloured and worded. */
import type { DotState } from '$kit/states';

const states: Readonly<Record<string, DotState>> = {
  PENDING: 'pending',
  FULFILLED: 'good',
  CANCELLED: 'off',
  TIMED_OUT: 'bad',
  FAILED: 'bad',
};

export const placementState = (status: string): DotState => states[status] ?? 'off';

/** `TIMED_OUT` as `timed out`. */
export const placementWord = (status: string): string => status.toLowerCase().replaceAll('_', ' ');
