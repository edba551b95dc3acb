/** How clients connect to a destination. */
import type { Sourced } from './sourced.ts';

export type MtlsMode = 'DISABLE' | 'SIMPLE' | 'MUTUAL';

export interface OutlierDetectionView {
  readonly consecutiveErrors: number;
  readonly intervalMs: number;
  readonly baseEjectionTimeMs: number;
  readonly maxEjectionPercent: number;
}

export interface TcpKeepaliveView {
  readonly probes?: number;
  readonly timeMs?: number;
  readonly intervalMs?: number;
}

export interface ConnectionPoolView {
  readonly maxConnections?: number;
  readonly connectTimeoutMs?: number;
  readonly tcpKeepalive?: TcpKeepaliveView;
  readonly http1MaxPendingRequests?: number;
  readonly http2MaxRequests?: number;
  readonly maxRequestsPerConnection?: number;
  readonly idleTimeoutMs?: number;
}

/** How clients connect to a destination. */
export interface ConnectionView {
  readonly mtls?: Sourced<MtlsMode>;
  readonly outlierDetection?: Sourced<OutlierDetectionView>;
  readonly pool?: Sourced<ConnectionPoolView>;
}
