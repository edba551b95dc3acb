/** What a policy names and may not act on: told on the policy, with whose it is and the way to get it. */
import type {
  ClusterObjectRef,
  DestinationSelector,
  Policy,
  PolicyRef,
  Report,
  WorkloadSelector,
} from '@meshrelay/api';
import type { Read } from '../../graph/collection.ts';
import { key } from '../../graph/key.ts';
import { type Authority, imports, owns, type Placed, type Standing, sees } from './authority.ts';
import type { Workspaces } from './workspaces.ts';

/** Somebody who names others. */
export interface Asking {
  readonly kind: Policy['kind'];
  readonly ref: PolicyRef;
  readonly authority: Authority;
}

/** How the looks into the fleet are made. */
export interface Look {
  readonly read: Read;
  readonly workspaces: Workspaces;
  /** Undefined for what is not known. */
  destination(ref: ClusterObjectRef): (Placed & Standing) | undefined;
  /** What a workspace imports. */
  importsOf(workspace: string): ReadonlyArray<{ readonly cluster: string; readonly namespace: string }>;
}

/** What destination selectors name one by one, by cluster or by namespace beyond the policy's authority. What they sweep over besides is left out without a word. */
export function beyondSelectors(
  asking: Asking,
  selectors: readonly DestinationSelector[] | undefined,
  look: Look,
  path = 'spec.destinationSelector',
): Report[] {
  return (selectors ?? []).flatMap(({ kubeServiceMatcher, kubeServiceRefs }, position) => {
    const field = `${path}[${position}]`;
    const { clusters = [], namespaces = [] } = kubeServiceMatcher ?? {};
    const services = kubeServiceRefs?.services ?? [];
    // Named one by one or in a row, a policy without a workspace is told once of the clusters that are not its own.
    const unknown = services.filter((service) => look.destination(service)?.workspace === undefined);
    return [
      ...beyondClusters(asking, field, [...clusters, ...unknown.map(({ clusterName }) => clusterName)], look),
      ...beyondNamespaces(asking, `${field}.kubeServiceMatcher.namespaces`, namespaces, look),
      ...services.flatMap((service, item) =>
        beyondService(asking, `${field}.kubeServiceRefs.services[${item}]`, service, look),
      ),
    ];
  });
}

/** What workload selectors name by cluster or by namespace beyond the policy's authority. */
export function beyondWorkloads(
  asking: Asking,
  selectors: readonly WorkloadSelector[] | undefined,
  look: Pick<Look, 'read' | 'workspaces'>,
): Report[] {
  const own: Look = { ...look, destination: () => undefined, importsOf: () => [] };
  return (selectors ?? []).flatMap(({ kubeWorkloadMatcher: { clusters = [], namespaces = [] } = {} }, position) => {
    const field = `spec.workloadSelectors[${position}]`;
    return [
      ...beyondClusters(asking, field, clusters, own),
      ...beyondNamespaces(asking, `${field}.kubeWorkloadMatcher.namespaces`, namespaces, own),
    ];
  });
}

/** A goal of traffic that the policy may not send requests to. */
export function beyondGoal(asking: Asking, field: string, service: ClusterObjectRef, look: Look): Report[] {
  const found = look.destination(service);
  if (found === undefined || sees(asking.authority, found)) return [];
  const message = `${whose(service, found)}, so ${speaker(asking)} cannot send requests there; ${wayToUse(asking.authority, found)}`;
  return [notGranted(field, message, service)];
}

function beyondService(asking: Asking, field: string, service: ClusterObjectRef, look: Look): Report[] {
  const { authority, kind } = asking;
  const found = look.destination(service);
  if (found === undefined || owns(authority, found)) return [];
  // Of what is nobody's, those without a workspace were told with its cluster.
  if (found.workspace === undefined && authority.kind === 'commons') return [];
  const imported = imports(authority, found);
  if (imported && kind === 'TrafficPolicy') return [];
  const way = imported
    ? 'an import lets its callers in, and who else may call is for its owner to say: ask there for an AccessPolicy'
    : kind === 'TrafficPolicy'
      ? wayToUse(authority, found)
      : 'put the policy into a namespace of that workspace';
  return [notGranted(field, `${whose(service, found)}, which ${speaker(asking)} does not reach; ${way}`, service)];
}

function beyondClusters(asking: Asking, field: string, clusters: readonly string[], look: Look): Report[] {
  const { authority, ref } = asking;
  const foreign = [...new Set(clusters)].filter((cluster) => !hasPartIn(authority, cluster)).sort();
  const others = withoutImported(asking, foreign, look, ({ cluster }) => cluster);
  if (others.length === 0) return [];
  const named = others.join(', ');
  const message =
    authority.kind === 'workspace'
      ? `workspace ${authority.workspace}, to which the policy's namespace belongs, has no part in ${named}; name the clusters in the Workspace, or put the policy into a namespace of a workspace that has them`
      : `a policy of cluster ${ref.cluster} reaches ${asking.kind === 'AccessLogRecord' || asking.kind === 'WasmDeployment' ? 'workloads' : 'destinations'} of that cluster only, not those of ${named}; put it into the management cluster`;
  return [{ code: 'NOT_GRANTED', severity: 'error', field, message }];
}

/** Only a workspace's own namespaces can be told from others without knowing every destination. */
function beyondNamespaces(asking: Asking, field: string, namespaces: readonly string[], look: Look): Report[] {
  const { authority } = asking;
  if (authority.kind !== 'workspace') return [];
  const { workspace } = authority;
  const foreign = namespaces.filter((name) => look.read.count(look.workspaces.named, key(workspace, name)) === 0);
  const others = withoutImported(asking, foreign, look, ({ namespace }) => namespace);
  if (others.length === 0) return [];
  const message = `no namespace ${others.join(', ')} of any cluster belongs to workspace ${workspace}, to which the policy's namespace belongs, and nothing is imported from there; name it in the Workspace, or import what is there`;
  return [{ code: 'NOT_GRANTED', severity: 'error', field, message }];
}

/** Leaves out where something is that the policy acts on as an importer. The imports are looked at only where there is need to. */
function withoutImported(
  { authority, kind }: Asking,
  places: readonly string[],
  look: Look,
  placeOf: (one: { readonly cluster: string; readonly namespace: string }) => string,
): readonly string[] {
  if (places.length === 0 || authority.kind !== 'workspace' || kind !== 'TrafficPolicy') return places;
  const imported = new Set(look.importsOf(authority.workspace).map(placeOf));
  return places.filter((place) => !imported.has(place));
}

function hasPartIn(authority: Authority, cluster: string): boolean {
  switch (authority.kind) {
    case 'everywhere':
      return true;
    case 'commons':
      return authority.cluster === '' || authority.cluster === cluster;
    case 'workspace':
      return authority.clusters.includes('*') || authority.clusters.includes(cluster);
  }
}

function whose({ name, namespace, clusterName }: ClusterObjectRef, { workspace }: Standing): string {
  const what = `Service ${namespace}/${name} of cluster ${clusterName}`;
  return workspace === undefined ? `${what} belongs to no workspace` : `${what} belongs to workspace ${workspace}`;
}

function speaker({ authority }: Asking): string {
  return authority.kind === 'workspace'
    ? `a policy of workspace ${authority.workspace}`
    : 'a policy of a namespace in no workspace';
}

function wayToUse(authority: Authority, { workspace }: Standing): string {
  if (authority.kind !== 'workspace') return 'put the policy into a namespace of a workspace that may';
  return workspace === undefined
    ? 'add its namespace to a Workspace that exports it to this one'
    : `export it there (WorkspaceSettings, spec.exportTo workspace ${authority.workspace}) and import it here (spec.importFrom workspace ${workspace})`;
}

function notGranted(field: string, message: string, { name, namespace, clusterName }: ClusterObjectRef): Report {
  const related = [{ kind: 'Destination', name, namespace, cluster: clusterName }];
  return { code: 'NOT_GRANTED', severity: 'error', field, message, related };
}
