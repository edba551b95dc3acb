/** spec.policy.outlierDetection */

import { defaultOutlierDetection, type OutlierDetection } from '@meshrelay/api';
import { memoizeUntilCompaction, type OutlierDetectionView } from '@meshrelay/plugin';
import { milliseconds } from '../values.ts';
import type { TrafficField } from './field.ts';

/** With the defaults of omitted members. */
export function outlierDetectionView(
  spec: OutlierDetection,
  defaults: Required<OutlierDetection>,
): OutlierDetectionView {
  const { consecutiveErrors, interval, baseEjectionTime, maxEjectionPercent } = { ...defaults, ...spec };
  return {
    consecutiveErrors,
    intervalMs: milliseconds(interval) as number,
    baseEjectionTimeMs: milliseconds(baseEjectionTime) as number,
    maxEjectionPercent,
  };
}

export const outlierDetection: TrafficField<'outlierDetection'> = {
  capabilities: { 'connection.outlierDetection': 'spec.policy.outlierDetection' },
  view: memoizeUntilCompaction((spec: OutlierDetection) => outlierDetectionView(spec, defaultOutlierDetection)),
  requires: () => ['connection.outlierDetection'],
};
