/** A destination as the proxies of its own mesh see it. */
import type { PolicyRef } from '@meshrelay/api';
import type { AccessRuleView, SharedAccount } from './access.ts';
import type { ConnectionView } from './connection.ts';
import type { DestinationFacts } from './facts.ts';
import type { FailoverView } from './failover.ts';
import type { InboundView } from './inbound.ts';
import type { GatewayAccountView } from './mesh.ts';
import type { RouteView } from './route.ts';
import type { Sourced } from './sourced.ts';
import type { SubsetView } from './subset.ts';

/** A destination's name in its VirtualMesh, and how its own cluster admits requests for it. */
export interface ExportView {
  /** `<service>.<namespace>.svc.<cluster>.<suffix>`. */
  readonly hostname: string;
  readonly virtualMesh: PolicyRef;
  /** Virtual IP of the name, of a family that pods of its own mesh have. */
  readonly address: string;
  /**
   * Namespaces of the gateways that forward requests; each must see the name. Empty if requests reach the pods
   * directly.
   */
  readonly gatewayNamespaces: readonly string[];
  /** The ServiceAccounts of those gateways. */
  readonly gatewayAccounts: readonly GatewayAccountView[];
}

/** A destination as the proxies of its own mesh see it. One for each destination of a mesh that a policy configures. */
export interface DestinationView {
  readonly destination: DestinationFacts;
  readonly routes: readonly RouteView[];
  /** Subsets that any route sends requests to. */
  readonly subsets: readonly Sourced<SubsetView>[];
  readonly connection: ConnectionView;
  readonly access: readonly AccessRuleView[];
  /**
   * Trust domains of other meshes that its mesh accepts, or treats as its own: rules match identities there only if
   * they name them. Sorted; meshes with the same domains share one list; empty without access rules.
   */
  readonly otherTrustDomains: readonly string[];
  /** For meshes that decide access by the callee's ServiceAccount. Empty without access rules. */
  readonly sharedAccounts: readonly SharedAccount[];
  readonly exported?: ExportView;
  /**
   * Which connections its pods accept; present if an object configures it, and callers get connection settings or are
   * in other clusters.
   */
  readonly inbound?: InboundView;
  /**
   * The virtual mesh that its mesh is a member of, if the plugin configures proxies completely
   * (`MeshPlugin.configuresProxies`).
   */
  readonly virtualMesh?: PolicyRef;
  /** The virtual destination that has the same hostname: its own view contains the connections to it. */
  readonly virtualDestination?: {
    readonly ref: PolicyRef;
    readonly failover: FailoverView['kind'];
    /** The port that callers use. */
    readonly port: number;
  };
}
