// Selectors of destinations, workloads and identities. In every list of selectors an empty item matches everything.
import type { ClusterObjectRef } from './ref.ts';

/** Selects by labels, namespaces and clusters; all that are given must hold, an omitted or empty one always holds. */
export interface KubeMatcher {
  /** Every label must be present with this very value. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly namespaces?: readonly string[];
  /** Names of registered clusters. */
  readonly clusters?: readonly string[];
}

/** Names Services one by one; a name that does not exist makes the policy INVALID. */
export interface KubeServiceRefs {
  readonly services: readonly ClusterObjectRef[];
}

/** Selects Destinations: those the matcher selects and those named; `{}` selects all. */
export interface DestinationSelector {
  readonly kubeServiceMatcher?: KubeMatcher;
  readonly kubeServiceRefs?: KubeServiceRefs;
}

/** Selects Workloads by their pods' labels; `{}` selects all. */
export interface WorkloadSelector {
  readonly kubeWorkloadMatcher?: KubeMatcher;
}

/** Selects identities by where they live. */
export interface KubeIdentityMatcher {
  readonly namespaces?: readonly string[];
  /** Names of registered clusters. */
  readonly clusters?: readonly string[];
}

/** A ServiceAccount; an omitted or empty field stands for any. */
export interface ServiceAccountRef {
  readonly name?: string;
  readonly namespace?: string;
  /** Name of the KubernetesCluster the account lives in. */
  readonly clusterName?: string;
}

/** Names ServiceAccounts one by one. */
export interface KubeServiceAccountRefs {
  readonly serviceAccounts: readonly ServiceAccountRef[];
}

/** Selects the identities a request may come with; `{}` selects every authenticated one of the virtual mesh. */
export interface IdentitySelector {
  readonly kubeIdentityMatcher?: KubeIdentityMatcher;
  readonly kubeServiceAccountRefs?: KubeServiceAccountRefs;
}

/** Selects the gateways that take in traffic from other clusters. */
export interface IngressGatewaySelector {
  /** The gateways' Services; omitted means the mesh's own choice. */
  readonly destinationSelectors?: readonly DestinationSelector[];
  /** Name of the Service port that takes mutual TLS; omitted means `tls`. */
  readonly portName?: string;
}
