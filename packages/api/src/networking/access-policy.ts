// AccessPolicy: who may send which requests where.
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import type { DestinationSelector, IdentitySelector } from '../shared/selector.ts';
import type { PolicyStatus } from '../shared/status.ts';

/** ALLOW lets matching requests in, DENY refuses them, AUDIT logs what ALLOW would refuse and refuses nothing. */
export type AccessAction = 'ALLOW' | 'DENY' | 'AUDIT';

/** Which requests, from whom, to what. */
export interface AccessPolicySpec {
  /** Omitted, empty or `[{}]`: any authenticated identity of the virtual mesh. */
  readonly sourceSelector?: readonly IdentitySelector[];
  /** Omitted or empty: every destination. */
  readonly destinationSelector?: readonly DestinationSelector[];
  /** Omitted means ALLOW. */
  readonly action?: AccessAction;
  /** True: anyone at all, without an identity; only where no source is selected. */
  readonly unauthenticated?: boolean;
  /** `/exact`, `/prefix*` or `*suffix`; omitted or empty: any. A gRPC method is `/package.Service/Method`. */
  readonly allowedPaths?: readonly string[];
  /** Upper case; omitted or empty: any. */
  readonly allowedMethods?: readonly string[];
  /** Ports the workload listens on; omitted or empty: any. */
  readonly allowedPorts?: readonly number[];
  /** Paths that do not match, written as `allowedPaths`. */
  readonly notPaths?: readonly string[];
  readonly notMethods?: readonly string[];
  readonly notPorts?: readonly number[];
}

/** Permission, or refusal, of requests. */
export interface AccessPolicy extends KubeObject<AccessPolicySpec, PolicyStatus> {
  readonly apiVersion: typeof NETWORKING_API_VERSION;
  readonly kind: 'AccessPolicy';
}
