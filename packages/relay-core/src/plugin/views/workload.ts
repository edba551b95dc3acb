/** A workload as its own proxies must know it: who it is, and what reaches it. */
import type { PolicyRef } from '@meshrelay/api';
import type { AccessRuleView } from './access.ts';
import type { AccessLogRuleView } from './access-log.ts';
import type { DestinationFacts, WorkloadFacts } from './facts.ts';
import type { MeshView } from './mesh.ts';
import type { RouteView } from './route.ts';
import type { WasmFilterView } from './wasm.ts';

/** A Service whose pods a workload's are. */
export interface InboundServiceView {
  readonly destination: DestinationFacts;
  /** Names by which callers of other clusters know it: of its federation, and of virtual destinations it stands behind. Sorted. */
  readonly otherHostnames: readonly string[];
  /** Names of its subsets that routes anywhere send to, sorted. */
  readonly subsets: readonly string[];
  readonly access: readonly AccessRuleView[];
  /** Those of its routes that limit how many requests it takes, with no action but that, in their order; and the last, which takes the rest. */
  readonly limits: readonly RouteView[];
}

/** The part of a workload in letting requests of other clusters in. */
export interface GatewayPartView {
  /** The Service's name. */
  readonly name: string;
  /** The port its container listens on. */
  readonly containerPort: number;
  /** As {@link MeshView.exportedHosts}; not empty. */
  readonly hosts: readonly string[];
}

/** A workload of a mesh all of which is described, and is the member of a virtual mesh. One for each controller of pods. */
export interface WorkloadView extends WorkloadFacts {
  readonly virtualMesh: PolicyRef;
  readonly globalAccess: MeshView['globalAccess'];
  readonly strictMtls: boolean;
  /** In the order of their namespaces and names; gateways are not among them. */
  readonly services: readonly InboundServiceView[];
  /** Where requests of other clusters come in through it. */
  readonly gateways: readonly GatewayPartView[];
  /** As in `WorkloadExtensionsView`; empty where nothing is to be logged. */
  readonly accessLog: readonly AccessLogRuleView[];
  /** As there. */
  readonly wasm: readonly WasmFilterView[];
}
