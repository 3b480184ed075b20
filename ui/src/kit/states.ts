/** Owns the names of the states a dot or a tag can show. */
export type DotState = 'good' | 'warning' | 'bad' | 'pending' | 'off' | 'unknown' | 'info';
