/** Checks whether every cluster has its desired state, from the server's API and each cluster's API server. */
import { isKubeError, type KubeConnection } from '@meshrelay/kube';
import envoy from '@meshrelay/plugin-envoy';
import istio from '@meshrelay/plugin-istio';
import osm from '@meshrelay/plugin-osm';
import { OWNER_LABEL, type ResourceKind } from '@meshrelay/relay-core';
import type { RunningCluster } from './cluster.ts';
import type { ClusterItem, OutputItem, PolicyItem, ServerApi } from './server-api.ts';
import { until } from './wait.ts';

export interface Converged {
  /** Generated objects that each cluster's API server lists, as `Kind namespace/name`. */
  readonly objects: ReadonlyMap<string, readonly AppliedObject[]>;
  readonly policies: readonly PolicyItem[];
  readonly clusters: readonly ClusterItem[];
}

export interface AppliedObject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Distinguishes an object from a later one of the same name. */
  readonly uid: string;
}

export interface Expectation {
  /** Number of policies. */
  readonly policies: number;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout?: number;
}

/**
 * Waits until all agents are connected and synced, all policies are evaluated, and the server has no pending work.
 * Desired and present objects must also be equal in every cluster. With several server replicas, each agent is
 * connected to one, and all replicas must be synced and have the same desired state.
 */
export async function converge(
  apis: ServerApi | readonly ServerApi[],
  clusters: readonly RunningCluster[],
  { policies, signal, timeout }: Expectation,
): Promise<Converged> {
  let missing = '';
  const all = [apis].flat();
  const check = async (): Promise<Converged | undefined> => {
    const lists = await Promise.all(all.map((api) => api.list<ClusterItem>('clusters')));
    const away = clusters.filter(({ plan }) => !isKnown(plan.name, lists));
    missing = `agents of ${away.map(({ plan }) => plan.name).join(', ')} are not connected and synced`;
    if (away.length > 0) return undefined;
    let found: Converged | undefined;
    for (const api of all) {
      found = await checkServer(api, lists.flat());
      if (found === undefined) return undefined;
    }
    return found;
  };
  const checkServer = async (api: ServerApi, seen: readonly ClusterItem[]): Promise<Converged | undefined> => {
    const evaluated = await api.list<PolicyItem>('policies');
    const waiting = evaluated.filter(({ state }) => state !== 'ACCEPTED');
    missing = `policies: ${evaluated.length} of ${policies}; ${waiting.map(({ name, state, reports }) => `${name} is ${state} (${reports.map(({ message }) => message).join('; ')})`).join('; ')}`;
    if (evaluated.length !== policies || waiting.length > 0) return undefined;
    // Read between the two: everything derived from the policies above is desired from here on.
    const under = await api.convergence();
    missing = `the server has not converged: ${JSON.stringify(under)}`;
    if (!under.converged) return undefined;
    const desired = await api.list<OutputItem>('outputs');
    const objects = new Map<string, readonly AppliedObject[]>();
    for (const { plan, connection } of clusters) {
      const present = await applied(connection);
      const expected = desired.filter(({ cluster }) => cluster === plan.name).map(idOf);
      const actual = present.map(idOf);
      const absent = expected.filter((id) => !actual.includes(id));
      const surplus = actual.filter((id) => !expected.includes(id));
      missing = `${plan.name} lacks ${absent.length} objects (${absent.slice(0, 3).join(', ')}) and has ${surplus.length} too many`;
      if (absent.length + surplus.length > 0) return undefined;
      objects.set(plan.name, present);
    }
    missing = 'no object is desired in any cluster';
    return desired.length === 0 ? undefined : { objects, policies: evaluated, clusters: seen };
  };
  const checkIfReachable = async (): Promise<Converged | undefined> => {
    try {
      return await check();
    } catch (error) {
      // The error that fetch throws when no process listens, such as during a server restart.
      if (!(error instanceof TypeError)) throw error;
      missing = 'the server does not answer';
      return undefined;
    }
  };
  const timeoutMs = { signal, ...(timeout === undefined ? {} : { timeout }), missing: () => missing };
  return await until('the fleet to converge', timeoutMs, checkIfReachable);
}

/** Whether one server has a cluster's agent, and every server has synced the cluster. */
function isKnown(cluster: string, lists: ReadonlyArray<readonly ClusterItem[]>): boolean {
  const items = lists.map((list) => list.find(({ name }) => name === cluster));
  return items.some((item) => item?.connected === true) && items.every((item) => item?.complete === true);
}

/** Kinds that the plugins may write. */
const WRITES: readonly ResourceKind[] = [
  ...new Map(
    [istio, osm, envoy].flatMap(({ writes }) => writes).map((kind) => [`${kind.group}/${kind.kind}`, kind]),
  ).values(),
];

/** Objects with Meshrelay's label that a cluster's API server lists, of the kinds that Meshrelay writes. */
export async function applied(connection: KubeConnection): Promise<AppliedObject[]> {
  const lists = await Promise.all(WRITES.map((kind) => listManaged(connection, kind)));
  return lists.flat();
}

/** Empty if the cluster does not serve the kind. */
async function listManaged(connection: KubeConnection, kind: ResourceKind): Promise<AppliedObject[]> {
  try {
    const objects = await connection.objects(kind).list({ labelSelector: OWNER_LABEL });
    return objects.map(({ metadata }) => ({
      kind: kind.kind,
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      uid: metadata.uid ?? '',
    }));
  } catch (error) {
    if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return [];
    throw error;
  }
}

function idOf({ kind, namespace, name }: Omit<AppliedObject, 'uid'>): string {
  return `${kind} ${namespace}/${name}`;
}
