/** How clients connect to a destination. */
import type { Sourced } from './sourced.ts';

/** How clients connect to a destination. An absent field leaves the mesh's own default. */
export interface ConnectionView {
  readonly outlierDetection?: Sourced<OutlierDetectionView>;
  readonly pool?: Sourced<ConnectionPoolView>;
  readonly mtls?: Sourced<MtlsMode>;
}

export interface OutlierDetectionView {
  readonly consecutiveErrors: number;
  readonly intervalMs: number;
  readonly baseEjectionTimeMs: number;
  readonly maxEjectionPercent: number;
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

export interface TcpKeepaliveView {
  readonly probes?: number;
  readonly timeMs?: number;
  readonly intervalMs?: number;
}

export type MtlsMode = 'DISABLE' | 'SIMPLE' | 'MUTUAL';
