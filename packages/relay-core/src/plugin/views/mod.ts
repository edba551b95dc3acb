/**
 * The input of a plugin's translation: core resolves all semantics once, in mesh-neutral terms. Plugins map views to
 * their mesh's own objects and decide nothing about selectors, precedence, conflicts, federation or trust.
 */
export type { AccessSources } from '../../fields/access/source-selector.ts';
export type { AccessLogFilterView } from '../../fields/access-log/filters.ts';
export type {
  ConnectionPoolView,
  TcpKeepaliveView,
} from '../../fields/traffic/connection-pool.ts';
export type { CorsView } from '../../fields/traffic/cors-policy.ts';
export type { CsrfView } from '../../fields/traffic/csrf.ts';
export type { FaultView } from '../../fields/traffic/fault-injection.ts';
export type { HeaderManipulationView } from '../../fields/traffic/header-manipulation.ts';
export type { RateLimitView } from '../../fields/traffic/local-rate-limit.ts';
export type { MirrorView } from '../../fields/traffic/mirror.ts';
export type { ConnectionView, RouteActions } from '../../fields/traffic/mod.ts';
export type { MtlsMode } from '../../fields/traffic/mtls.ts';
export type { OutlierDetectionView } from '../../fields/traffic/outlier-detection.ts';
export type { RetriesView } from '../../fields/traffic/retries.ts';
export type * from '../../fields/views/access.ts';
export type * from '../../fields/views/access-log.ts';
export type * from '../../fields/views/failover.ts';
export type * from '../../fields/views/locality.ts';
export type * from '../../fields/views/match.ts';
export type * from '../../fields/views/route-target.ts';
export type * from '../../fields/views/sourced.ts';
export type * from '../../fields/views/string-match.ts';
export type * from '../../fields/views/subset.ts';
export type * from '../../fields/views/wasm.ts';
export type { IntermediateView } from '../../fields/virtual-mesh/field.ts';
export type { WasmSourceView } from '../../fields/wasm/mod.ts';
export type * from './destination.ts';
export type * from './endpoint.ts';
export type * from './extensions.ts';
export type * from './facts.ts';
export type * from './federated-destination.ts';
export type * from './inbound.ts';
export type * from './local-endpoints.ts';
export type * from './mesh.ts';
export type * from './route.ts';
export type * from './virtual-destination.ts';
export type * from './workload.ts';
