/** A workload as its own proxies see it: its identity, and the requests that reach it. */
import type { PolicyRef } from '@meshrelay/api';
import type { AccessRuleView } from './access.ts';
import type { AccessLogRuleView } from './access-log.ts';
import type { DestinationFacts, WorkloadFacts } from './facts.ts';
import type { MeshView } from './mesh.ts';
import type { RouteView } from './route.ts';
import type { WasmFilterView } from './wasm.ts';

/** A Service that selects the workload's pods. */
export interface InboundServiceView {
  readonly destination: DestinationFacts;
  /**
   * Names under which callers of other clusters know it: of its federation, and of virtual destinations that it is a
   * backend of. Sorted.
   */
  readonly otherHostnames: readonly string[];
  /** Names of its subsets that any route sends requests to, sorted. */
  readonly subsets: readonly string[];
  readonly access: readonly AccessRuleView[];
  /** Its routes with rate limits, in their order, with that action only; and the last route, which takes the rest. */
  readonly limits: readonly RouteView[];
}

/** The role of a workload as a gateway for requests from other clusters. */
export interface GatewayPartView {
  /** The Service's name. */
  readonly name: string;
  /** The port its container listens on. */
  readonly containerPort: number;
  /** As {@link MeshView.exportedHosts}; not empty. */
  readonly hosts: readonly string[];
}

/**
 * A workload of a mesh that is configured completely, and is the member of a virtual mesh. One for each controller of
 * pods.
 */
export interface WorkloadView extends WorkloadFacts {
  readonly virtualMesh: PolicyRef;
  readonly globalAccess: MeshView['globalAccess'];
  readonly strictMtls: boolean;
  /** In the order of their namespaces and names; without gateways. */
  readonly services: readonly InboundServiceView[];
  /** Gateways through which requests from other clusters enter it. */
  readonly gateways: readonly GatewayPartView[];
  /** As in `WorkloadExtensionsView`; empty if nothing is logged. */
  readonly accessLog: readonly AccessLogRuleView[];
  /** As in `WorkloadExtensionsView`. */
  readonly wasm: readonly WasmFilterView[];
}
