/** A destination as the proxies of its own mesh must see it. */
import type { PolicyRef } from '@meshrelay/api';
import type { ConnectionView } from '../../fields/traffic/mod.ts';
import type { AccessRuleView, SharedAccount } from './access.ts';
import type { DestinationFacts } from './facts.ts';
import type { InboundView } from './inbound.ts';
import type { GatewayAccountView } from './mesh.ts';
import type { RouteView } from './route.ts';
import type { Sourced } from './sourced.ts';
import type { SubsetView } from './subset.ts';
import type { FailoverView } from './virtual-destination.ts';

/** A destination's name in its VirtualMesh, and how its own cluster lets requests for it in. */
export interface ExportView {
  /** `<service>.<namespace>.svc.<cluster>.<suffix>`. */
  readonly hostname: string;
  readonly virtualMesh: PolicyRef;
  /** Virtual IP of the name, of a family that pods of its own mesh have. */
  readonly address: string;
  /** Namespaces of the gateways that pass requests on; each must see the name. Empty where requests reach its pods directly. */
  readonly gatewayNamespaces: readonly string[];
  /** The ServiceAccounts of those gateways. */
  readonly gatewayAccounts: readonly GatewayAccountView[];
}

/** A destination as the proxies of its own mesh must see it. One for each destination of a mesh that something is said about. */
export interface DestinationView {
  readonly destination: DestinationFacts;
  readonly routes: readonly RouteView[];
  /** Subsets that routes anywhere send to. */
  readonly subsets: readonly Sourced<SubsetView>[];
  readonly connection: ConnectionView;
  readonly access: readonly AccessRuleView[];
  /**
   * Trust domains of other meshes that its mesh accepts, or takes for its own: identities there are others', whom rules mean only where they name
   * them. Sorted, and the very same list for all meshes with the same; empty where there are no access rules.
   */
  readonly otherTrustDomains: readonly string[];
  /** For meshes that decide access by the callee's ServiceAccount. Empty where there are no access rules. */
  readonly sharedAccounts: readonly SharedAccount[];
  readonly exported?: ExportView;
  /** Which connections its pods take, where somebody says so and callers are told how to connect, or are of other clusters. */
  readonly inbound?: InboundView;
  /** The virtual mesh that its mesh is a member of, where the plugin describes all of a mesh (`MeshPlugin.configuresProxies`). */
  readonly virtualMesh?: PolicyRef;
  /** The virtual destination that has this very hostname: connections to it are a matter of that one's view. */
  readonly virtualDestination?: {
    readonly ref: PolicyRef;
    readonly failover: FailoverView['kind'];
    /** As callers use it. */
    readonly port: number;
  };
}
