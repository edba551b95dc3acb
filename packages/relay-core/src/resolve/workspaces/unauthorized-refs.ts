/** What a policy names and may not act on. The policy gets a report with the owner and the way to get access. */
import type {
  ClusterObjectRef,
  DestinationSelector,
  Policy,
  PolicyRef,
  Report,
  WorkloadSelector,
} from '@meshrelay/api';
import { key, type Read } from '@meshrelay/plugin';
import { imports, owns, type Placed, type PolicyScope, sees, type WorkspaceAccess } from './authority.ts';
import type { Workspaces } from './workspaces.ts';

/** A policy that names other objects. */
export interface ReferencingPolicy {
  readonly kind: Policy['kind'];
  readonly ref: PolicyRef;
  readonly authority: PolicyScope;
}

/** How the fleet state is read. */
export interface RecordedRead {
  readonly read: Read;
  readonly workspaces: Workspaces;
  /** Undefined for unknown destinations. */
  destination(ref: ClusterObjectRef): (Placed & WorkspaceAccess) | undefined;
  /** What a workspace imports. */
  importsOf(workspace: string): ReadonlyArray<{ readonly cluster: string; readonly namespace: string }>;
}

/**
 * Destinations outside the policy's scope that selectors name one by one, by cluster or by namespace. Those
 * that they select by other criteria are left out silently.
 */
export function unauthorizedSelectors(
  referencingPolicy: ReferencingPolicy,
  selectors: readonly DestinationSelector[] | undefined,
  read: RecordedRead,
  path = 'spec.destinationSelector',
): Report[] {
  return (selectors ?? []).flatMap(({ kubeServiceMatcher, kubeServiceRefs }, position) => {
    const field = `${path}[${position}]`;
    const { clusters = [], namespaces = [] } = kubeServiceMatcher ?? {};
    const services = kubeServiceRefs?.services ?? [];
    // However many clusters it names, a policy without a workspace gets one report about those that are not its own.
    const unknown = services.filter((service) => read.destination(service)?.workspace === undefined);
    return [
      ...unauthorizedClusters(
        referencingPolicy,
        field,
        [...clusters, ...unknown.map(({ clusterName }) => clusterName)],
        read,
      ),
      ...unauthorizedNamespaces(referencingPolicy, `${field}.kubeServiceMatcher.namespaces`, namespaces, read),
      ...services.flatMap((service, item) =>
        unauthorizedService(referencingPolicy, `${field}.kubeServiceRefs.services[${item}]`, service, read),
      ),
    ];
  });
}

/** Workloads outside the policy's scope that selectors name by cluster or by namespace. */
export function unauthorizedWorkloads(
  referencingPolicy: ReferencingPolicy,
  selectors: readonly WorkloadSelector[] | undefined,
  read: Pick<RecordedRead, 'read' | 'workspaces'>,
): Report[] {
  const own: RecordedRead = { ...read, destination: () => undefined, importsOf: () => [] };
  return (selectors ?? []).flatMap(({ kubeWorkloadMatcher: { clusters = [], namespaces = [] } = {} }, position) => {
    const field = `spec.workloadSelectors[${position}]`;
    return [
      ...unauthorizedClusters(referencingPolicy, field, clusters, own),
      ...unauthorizedNamespaces(referencingPolicy, `${field}.kubeWorkloadMatcher.namespaces`, namespaces, own),
    ];
  });
}

/** A route target to which the policy may not send requests. */
export function unauthorizedRouteTarget(
  referencingPolicy: ReferencingPolicy,
  field: string,
  service: ClusterObjectRef,
  read: RecordedRead,
): Report[] {
  const found = read.destination(service);
  if (found === undefined || sees(referencingPolicy.authority, found)) return [];
  const message = `${whose(service, found)}, so ${speaker(referencingPolicy)} cannot send requests there; ${wayToUse(referencingPolicy.authority, found)}`;
  return [notGranted(field, message, service)];
}

function unauthorizedService(
  referencingPolicy: ReferencingPolicy,
  field: string,
  service: ClusterObjectRef,
  read: RecordedRead,
): Report[] {
  const { authority, kind } = referencingPolicy;
  const found = read.destination(service);
  if (found === undefined || owns(authority, found)) return [];
  // The report about the cluster already covers destinations in no workspace, for policies without a workspace.
  if (found.workspace === undefined && authority.kind === 'unassigned') return [];
  const imported = imports(authority, found);
  if (imported && kind === 'TrafficPolicy') return [];
  const way = imported
    ? 'an import lets its callers in, and who else may call is for its owner to say: ask there for an AccessPolicy'
    : kind === 'TrafficPolicy'
      ? wayToUse(authority, found)
      : 'move the policy to a namespace of that workspace';
  return [
    notGranted(field, `${whose(service, found)}, which ${speaker(referencingPolicy)} does not reach; ${way}`, service),
  ];
}

function unauthorizedClusters(
  referencingPolicy: ReferencingPolicy,
  field: string,
  clusters: readonly string[],
  read: RecordedRead,
): Report[] {
  const { authority, ref } = referencingPolicy;
  const foreign = [...new Set(clusters)].filter((cluster) => !hasPartIn(authority, cluster)).sort();
  const others = withoutImported(referencingPolicy, foreign, read, ({ cluster }) => cluster);
  if (others.length === 0) return [];
  const named = others.join(', ');
  const message =
    authority.kind === 'workspace'
      ? `workspace ${authority.workspace}, which owns the policy's namespace, has no namespaces in ${named}; add the clusters to the Workspace, or move the policy to a namespace of a workspace with these clusters`
      : `a policy of cluster ${ref.cluster} reaches ${referencingPolicy.kind === 'AccessLogRecord' || referencingPolicy.kind === 'WasmDeployment' ? 'workloads' : 'destinations'} of that cluster only, not those of ${named}; move it to the management cluster`;
  return [{ code: 'REF_NOT_PERMITTED', severity: 'error', field, message }];
}

/** Only a workspace's own namespaces can be distinguished from others without knowing every destination. */
function unauthorizedNamespaces(
  referencingPolicy: ReferencingPolicy,
  field: string,
  namespaces: readonly string[],
  read: RecordedRead,
): Report[] {
  const { authority } = referencingPolicy;
  if (authority.kind !== 'workspace') return [];
  const { workspace } = authority;
  const foreign = namespaces.filter((name) => read.read.count(read.workspaces.named, key(workspace, name)) === 0);
  const others = withoutImported(referencingPolicy, foreign, read, ({ namespace }) => namespace);
  if (others.length === 0) return [];
  const message = `no namespace ${others.join(', ')} of any cluster belongs to workspace ${workspace}, to which the policy's namespace belongs, and nothing is imported from there; name it in the Workspace, or import what is there`;
  return [{ code: 'REF_NOT_PERMITTED', severity: 'error', field, message }];
}

/** Removes places in which the policy acts on imported destinations. The imports are read only if needed. */
function withoutImported(
  { authority, kind }: ReferencingPolicy,
  places: readonly string[],
  read: RecordedRead,
  locationOf: (one: { readonly cluster: string; readonly namespace: string }) => string,
): readonly string[] {
  if (places.length === 0 || authority.kind !== 'workspace' || kind !== 'TrafficPolicy') return places;
  const imported = new Set(read.importsOf(authority.workspace).map(locationOf));
  return places.filter((place) => !imported.has(place));
}

function hasPartIn(authority: PolicyScope, cluster: string): boolean {
  switch (authority.kind) {
    case 'global':
      return true;
    case 'unassigned':
      return authority.cluster === '' || authority.cluster === cluster;
    case 'workspace':
      return authority.clusters.includes('*') || authority.clusters.includes(cluster);
  }
}

function whose({ name, namespace, clusterName }: ClusterObjectRef, { workspace }: WorkspaceAccess): string {
  const what = `Service ${namespace}/${name} of cluster ${clusterName}`;
  return workspace === undefined ? `${what} belongs to no workspace` : `${what} belongs to workspace ${workspace}`;
}

function speaker({ authority }: ReferencingPolicy): string {
  return authority.kind === 'workspace'
    ? `a policy of workspace ${authority.workspace}`
    : 'a policy of a namespace in no workspace';
}

function wayToUse(authority: PolicyScope, { workspace }: WorkspaceAccess): string {
  if (authority.kind !== 'workspace') return 'move the policy to a namespace of a workspace with access';
  return workspace === undefined
    ? 'add its namespace to a Workspace that exports it to this one'
    : `export it there (WorkspaceSettings, spec.exportTo workspace ${authority.workspace}) and import it here (spec.importFrom workspace ${workspace})`;
}

function notGranted(field: string, message: string, { name, namespace, clusterName }: ClusterObjectRef): Report {
  const related = [{ kind: 'Destination', name, namespace, cluster: clusterName }];
  return { code: 'REF_NOT_PERMITTED', severity: 'error', field, message, related };
}
