/** The conditions under which Envoy ejects an endpoint. */
import { cluster, create } from '@meshrelay/envoy-api';
import type { FieldRows, OutlierDetectionView } from '@meshrelay/plugin';
import { duration } from '../messages.ts';

export const OUTLIER_DETECTION: FieldRows<'outlierDetection'> = { 'connection.outlierDetection': 'native' };

/** Ejects failing endpoints, even all of them: then another priority of the cluster takes the requests. */
export function outliers(view: OutlierDetectionView): cluster.OutlierDetection {
  return create(cluster.OutlierDetectionSchema, {
    consecutive5xx: view.consecutiveErrors,
    consecutiveGatewayFailure: view.consecutiveErrors,
    enforcingConsecutiveGatewayFailure: 100,
    interval: duration(view.intervalMs),
    baseEjectionTime: duration(view.baseEjectionTimeMs),
    maxEjectionPercent: view.maxEjectionPercent,
    // Compares an endpoint with all others, which no policy requests.
    enforcingSuccessRate: 0,
  });
}
