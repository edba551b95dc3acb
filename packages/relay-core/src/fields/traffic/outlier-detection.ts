/** spec.policy.outlierDetection */
import { defaultOutlierDetection, type OutlierDetection } from '@meshrelay/api';
import { memoizeUntilCompaction } from '../../caches/memoize.ts';
import { milliseconds } from '../values.ts';
import type { ConnectionField } from './field.ts';

export interface OutlierDetectionView {
  readonly consecutiveErrors: number;
  readonly intervalMs: number;
  readonly baseEjectionTimeMs: number;
  readonly maxEjectionPercent: number;
}

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

export const outlierDetection: ConnectionField<
  'outlierDetection',
  'outlierDetection',
  OutlierDetectionView,
  'connection.outlierDetection'
> = {
  scope: 'connections',
  viewName: 'outlierDetection',
  capabilities: { 'connection.outlierDetection': 'spec.policy.outlierDetection' },
  view: memoizeUntilCompaction((spec: OutlierDetection) => outlierDetectionView(spec, defaultOutlierDetection)),
  requires: () => ['connection.outlierDetection'],
};
