/** Clusters that policies name and nobody has registered: mostly slips of the pen, which a selector would take for "nothing yet". */
import { type DestinationSelector, nearest, type Policy, type Report, type WorkloadSelector } from '@meshrelay/api';

/** The registered clusters, as far as one policy asks for them. */
export interface RegisteredClusters {
  /** False also as long as none is registered, when nothing is known of any. */
  isUnknown(cluster: string): boolean;
  /** Such as ` (did you mean cluster-1?)`; empty where none has a name like it, or many were asked for before. */
  meant(cluster: string): string;
}

/** Names of clusters that one policy is given a likely name for; each is compared with all there are. */
const MAX_COMPARED = 8;

/** @param names is asked only where a cluster is named */
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

/** Numbers tell clusters apart: cluster-1 is seldom what was meant by cluster-2. */
function digitsOf(name: string): string {
  return name.replace(/\D/g, '');
}

/** A warning for each cluster by which a selector looks for what no cluster can have. */
export function unknownClusters(policy: Policy, clusters: RegisteredClusters): Report[] {
  return namedClusters(policy)
    .filter(({ cluster }) => clusters.isUnknown(cluster))
    .map(({ field, cluster }) => ({
      code: 'UNKNOWN_CLUSTER',
      severity: 'warning',
      field,
      message: `no cluster ${cluster} is registered${clusters.meant(cluster)}; nothing is selected there until it is`,
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
