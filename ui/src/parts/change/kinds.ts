/** Owns the colour, shape and name of each kind of change. */
import type { ChartMark } from '$kit/chart/types';
import type { ChangeKind } from '$live/types';

export const changeWord: Record<ChangeKind, string> = {
  fleetEvent: 'fleet event',
  scalingStep: 'scaling step',
  capacity: 'manual capacity change',
  scalingPolicy: 'scaling policy',
  alias: 'alias',
  queue: 'queue',
  matchmakingConfiguration: 'matchmaking configuration',
  runtimeConfiguration: 'runtime configuration',
  script: 'script',
  build: 'build',
  fleet: 'fleet',
  deployment: 'deployment',
};

const tokens: Record<ChangeKind, string> = {
  fleetEvent: '--muted',
  scalingStep: '--series-1',
  capacity: '--series-2',
  scalingPolicy: '--series-4',
  alias: '--series-5',
  queue: '--series-3',
  matchmakingConfiguration: '--series-3',
  runtimeConfiguration: '--series-3',
  script: '--series-3',
  build: '--series-3',
  fleet: '--series-4',
  deployment: '--series-3',
};

type Severity = 'info' | 'warning' | 'bad';

/** A change's colour token; severity outranks kind. */
export const changeToken = (kind: ChangeKind, severity: Severity): string =>
  severity === 'bad' ? '--bad' : severity === 'warning' ? '--warn' : tokens[kind];

export const changeShape = (kind: ChangeKind, severity: Severity): ChartMark['shape'] => {
  if (severity === 'bad') return 'square';
  if (severity === 'warning') return 'triangle';
  return kind === 'scalingStep' ? 'circle' : 'diamond';
};
