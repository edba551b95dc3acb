/** `trafficPolicy.outlierDetection`. */
import type { OutlierDetectionView } from '@meshrelay/plugin';
import { duration } from '../../present.ts';
import type { TrafficPolicyField } from './field.ts';

export function outliers(view: OutlierDetectionView): Record<string, unknown> {
  return {
    consecutive5xxErrors: view.consecutiveErrors,
    interval: duration(view.intervalMs),
    baseEjectionTime: duration(view.baseEjectionTimeMs),
    maxEjectionPercent: view.maxEjectionPercent,
  };
}

export const outlierDetection: TrafficPolicyField<'outlierDetection'> = {
  capabilities: { 'connection.outlierDetection': 'native' },
  trafficPolicy: (view) => ({ outlierDetection: outliers(view) }),
};
