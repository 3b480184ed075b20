/** Owns the state of a build as shape and colour. */
import type { DotState } from '$kit/states';

const states: Readonly<Record<string, DotState>> = { INITIALIZED: 'pending', READY: 'good', FAILED: 'bad' };

export const buildState = (status: string): DotState => states[status] ?? 'off';
