/**
 * Clusters that policies name and that are not registered: mostly typos, for which a selector would simply match
 * nothing.
 */
import { type DestinationSelector, nearest, type Policy, type Report, type WorkloadSelector } from '@meshrelay/api';

/** The registered clusters, as far as one policy needs them. */
export interface RegisteredClusters {
  /** Also false while no cluster is registered, since then none is known. */
  isUnknown(cluster: string): boolean;
  /** For example ` (did you mean cluster-1?)`; empty if no name is similar, or if many were looked up before. */
  meant(cluster: string): string;
}

/** The limit of names for which one policy gets a suggestion; each is compared with all clusters. */
const MAX_COMPARED = 8;

/** @param names called only if the policy names a cluster */
export function registeredClusters(names: () => readonly string[]): RegisteredClusters {
  const compared = new Map<string, string>();
  const meant = (cluster: string): string => {
    const known = compared.get(cluster);
    if (known !== undefined) return known;
    if (compared.size >= MAX_COMPARED) return '';
    const near = nearest(
      cluster,
      names().filter((name) => digitsOf(name) === digitsOf(cluster)),
    );
    const words = near === undefined ? '' : ` (did you mean ${near}?)`;
    compared.set(cluster, words);
    return words;
  };
  return { meant, isUnknown: (cluster) => names().length > 0 && !names().includes(cluster) };
}

/** Numbers distinguish clusters: cluster-1 is seldom a typo of cluster-2. */
function digitsOf(name: string): string {
  return name.replace(/\D/g, '');
}

/** A warning for each cluster in a selector that is not registered. */
export function unknownClusters(policy: Policy, clusters: RegisteredClusters): Report[] {
  return namedClusters(policy)
    .filter(({ cluster }) => clusters.isUnknown(cluster))
    .map(({ field, cluster }) => ({
      code: 'UNKNOWN_CLUSTER',
      severity: 'warning',
      field,
      message: `no cluster ${cluster} is registered${clusters.meant(cluster)}; nothing is selected there until it is registered`,
    }));
}

interface Named {
  readonly field: string;
  readonly cluster: string;
}

function namedClusters(policy: Policy): Named[] {
  switch (policy.kind) {
    case 'TrafficPolicy':
      return [
        ...ofWorkloads(policy.spec.sourceSelector, 'spec.sourceSelector'),
        ...ofServices(policy.spec.destinationSelector, 'spec.destinationSelector'),
      ];
    case 'AccessPolicy':
      return ofServices(policy.spec.destinationSelector, 'spec.destinationSelector');
    case 'VirtualDestination':
      return ofServices(policy.spec.localized?.destinationSelectors, 'spec.localized.destinationSelectors');
    case 'VirtualMesh':
      return (['selectors', 'eastWestIngressGatewaySelectors'] as const).flatMap((list) =>
        (policy.spec.federation?.[list] ?? []).flatMap(({ destinationSelectors }, position) =>
          ofServices(destinationSelectors, `spec.federation.${list}[${position}].destinationSelectors`),
        ),
      );
    case 'AccessLogRecord':
    case 'WasmDeployment':
      return ofWorkloads(policy.spec.workloadSelectors, 'spec.workloadSelectors');
    case 'Workspace':
    case 'WorkspaceSettings':
      return [];
  }
}

function ofServices(selectors: readonly DestinationSelector[] | undefined, path: string): Named[] {
  return (selectors ?? []).flatMap(({ kubeServiceMatcher }, position) =>
    withFields(kubeServiceMatcher?.clusters, `${path}[${position}].kubeServiceMatcher`),
  );
}

function ofWorkloads(selectors: readonly WorkloadSelector[] | undefined, path: string): Named[] {
  return (selectors ?? []).flatMap(({ kubeWorkloadMatcher }, position) =>
    withFields(kubeWorkloadMatcher?.clusters, `${path}[${position}].kubeWorkloadMatcher`),
  );
}

function withFields(clusters: readonly string[] | undefined, path: string): Named[] {
  return (clusters ?? []).map((cluster, position) => ({ field: `${path}.clusters[${position}]`, cluster }));
}
