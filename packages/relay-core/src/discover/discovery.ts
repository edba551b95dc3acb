/** Discovery of one cluster: the meshes, workloads and destinations in its objects, updated incrementally. */
import type { Destination, IpFamily, JsonObject, KubeObject, Mesh, Workload } from '@meshrelay/api';
import {
  type Collection,
  DAEMON_SET,
  DEPLOYMENT,
  type DiscoveredMember,
  type DiscoveredMesh,
  type DiscoveryBuilder,
  ENDPOINT_SLICE,
  type Index,
  type Key,
  key,
  kindKey,
  NODE,
  POD,
  type PodTemplate,
  REPLICA_SET,
  type ResourceKind,
  SERVICE,
  STATEFUL_SET,
} from '@meshrelay/plugin';
import type { Graph, Source } from '../graph/collection.ts';
import { CORE_WATCHES } from '../input/watched-kinds.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import { tidyCertificates } from '../text/certificates.ts';
import { destinations } from './destinations.ts';
import { slicesByService } from './endpoints.ts';
import { familiesAmong, nodeAddresses, nodeLocalities, nodesByFamily } from './nodes.ts';
import { podFacts } from './pods.ts';
import { discoverByRules } from './rules.ts';
import { idleWorkloads, podTemplates, statefulSetOrdinals } from './templates.ts';
import { podsByController, workloads } from './workloads.ts';

/**
 * The discovery of one cluster. Names and references in its results are the cluster's own; the server makes them
 * unique.
 */
export interface Discovery {
  /** The sources for the cluster's objects, each under `objectKey(object)`. */
  readonly inputs: ReadonlyMap<Key, Source<KubeObject>>;
  /** Plugins whose `discover` threw: they discover nothing in this graph, and the others are not affected. */
  readonly failed: readonly FailedDiscovery[];
  /** Every kind discovery reads. */
  readonly watches: readonly ResourceKind[];
  readonly meshes: Collection<Mesh>;
  readonly workloads: Collection<Workload>;
  readonly destinations: Collection<Destination>;
}

/** A plugin whose `discover` threw. */
export interface FailedDiscovery {
  readonly plugin: string;
  readonly error: unknown;
}

/** @throws Error that names a plugin whose discovery failed, for callers that need all of them */
export function refuseFailedDiscovery({ failed: [first] }: Pick<Discovery, 'failed'>): void {
  if (first === undefined) return;
  const { plugin, error } = first;
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`discovery of the plugin ${plugin} failed: ${reason}; report it to the plugin's author`, {
    cause: error,
  });
}

/** The key of an object among those of its kind in its cluster. */
export function objectKey(object: Pick<KubeObject, 'metadata'>): Key {
  return key(object.metadata.namespace ?? '', object.metadata.name);
}

/**
 * Adds the discovery of a cluster to a graph. A transform that fails quarantines only the keys on which it happens, a
 * plugin whose `discover` fails only itself.
 */
export function discoverCluster(graph: Graph, cluster: string, plugins: readonly LoadedPlugin[]): Discovery {
  const watches = distinct([...CORE_WATCHES, ...plugins.flatMap(({ plugin }) => plugin.watches)]);
  const inputs = new Map(watches.map((kind) => [kindKey(kind), graph.source<KubeObject>(`input/${kind.plural}`)]));
  const objects = (kind: ResourceKind): Source<KubeObject> => {
    const source = inputs.get(kindKey(kind));
    if (source === undefined)
      throw new Error(`${kind.kind} is not among the kinds discovery watches; add it to the plugin's watches`);
    return source;
  };
  const nodes = nodesByFamily(graph, objects(NODE));
  const templates = podTemplates(graph, [DEPLOYMENT, STATEFUL_SET, DAEMON_SET].map(objects));
  const found = plugins.map((loaded) => runDiscovery(graph, cluster, loaded, { objects, templates, nodes }));
  const meshes = graph.join(
    'discover/meshes',
    found.map((one) => one.meshes),
  );
  const members = graph.join(
    'discover/members',
    found.map((one) => one.members),
  );
  const templateMembers = graph.join(
    'discover/template-members',
    found.map((one) => one.templateMembers),
  );
  const pods = podFacts(graph, objects(POD), objects(REPLICA_SET), members);
  const byController = podsByController(graph, pods);
  const idle = idleWorkloads(graph, templates, templateMembers, byController);
  return {
    inputs,
    failed: found.flatMap(({ plugin, failure }) => (failure === undefined ? [] : { plugin, error: failure.error })),
    watches,
    meshes,
    workloads: workloads(graph, cluster, byController, idle),
    destinations: destinations(graph, cluster, {
      services: objects(SERVICE),
      pods,
      backers: graph.join('discover/backers', [pods, idle]),
      slices: slicesByService(graph, objects(ENDPOINT_SLICE)),
      localities: nodeLocalities(graph, objects(NODE)),
      nodeAddresses: nodeAddresses(graph, objects(NODE)),
      ordinals: statefulSetOrdinals(graph, objects(STATEFUL_SET)),
      details: found.flatMap(({ plugin, serviceDetails }) =>
        serviceDetails === undefined ? [] : [[plugin, serviceDetails]],
      ),
    }),
  };
}

function distinct(kinds: readonly ResourceKind[]): ResourceKind[] {
  return [...new Map(kinds.map((kind) => [kindKey(kind), kind])).values()];
}

/** The inputs of a plugin's discovery. */
interface FromCore {
  readonly objects: (kind: ResourceKind) => Collection<KubeObject>;
  readonly templates: Collection<PodTemplate>;
  readonly nodes: Index<KubeObject>;
}

interface FoundByPlugin {
  readonly plugin: string;
  readonly meshes: Collection<Mesh>;
  readonly members: Collection<DiscoveredMember>;
  readonly templateMembers: Collection<DiscoveredMember>;
  readonly serviceDetails: Collection<JsonObject> | undefined;
  readonly failure: { readonly error: unknown } | undefined;
}

/** The collections that a plugin defined; without one it found nothing. */
interface Defined {
  meshes?: Collection<DiscoveredMesh>;
  members?: Collection<DiscoveredMember>;
  templateMembers?: Collection<DiscoveredMember>;
  serviceDetails?: Collection<JsonObject>;
}

/** Runs the discovery of one plugin and returns its results: none if it fails. */
function runDiscovery(graph: Graph, cluster: string, loaded: LoadedPlugin, fromCore: FromCore): FoundByPlugin {
  const { name } = loaded.plugin;
  let defined: Defined = {};
  let failure: { readonly error: unknown } | undefined;
  try {
    defined = define(graph, cluster, loaded, fromCore);
  } catch (error) {
    failure = { error };
  }
  const { meshes, members, templateMembers, serviceDetails } = defined;
  return {
    plugin: name,
    meshes: graph.derive(
      `discover/${name}/meshes`,
      meshes ?? graph.source<DiscoveredMesh>(`discover/${name}/no-meshes`),
      (mesh, read) => meshObject(name, cluster, mesh, familiesAmong(read, fromCore.nodes)),
    ),
    members: members ?? graph.source<DiscoveredMember>(`discover/${name}/no-members`),
    templateMembers: templateMembers ?? graph.source<DiscoveredMember>(`discover/${name}/no-template-members`),
    serviceDetails,
    failure,
  };
}

/** @throws what the plugin throws */
function define(
  graph: Graph,
  cluster: string,
  { plugin, settings }: LoadedPlugin,
  { objects, templates }: FromCore,
): Defined {
  const defined: Defined = {};
  const builder: DiscoveryBuilder = {
    cluster,
    graph,
    objects: <O extends KubeObject>(kind: ResourceKind) => objects(kind) as Collection<O>,
    meshes: (found) => {
      defined.meshes = found;
    },
    members: (found) => {
      defined.members = found;
    },
    templates,
    templateMembers: (found) => {
      defined.templateMembers = found;
    },
    serviceDetails: (found) => {
      defined.serviceDetails = found;
    },
  };
  const { name, controlPlane, member } = plugin;
  if (controlPlane !== undefined && member !== undefined) discoverByRules(builder, { name, controlPlane, member });
  const returned: unknown = plugin.discover?.(builder, settings);
  if (!(returned instanceof Promise)) return defined;
  // Its rejection would end the process.
  returned.catch(() => undefined);
  throw new Error('discover returned a promise; define all collections before it returns');
}

/**
 * @throws Error that names the missing field of the mesh: without it the mesh could not be distinguished from others
 */
function refuseUnnamed(type: string, found: Partial<DiscoveredMesh> | null): void {
  for (const field of ['name', 'namespace', 'trustDomain'] as const) {
    const value = found?.[field];
    if (typeof value === 'string' && value !== '') continue;
    throw new Error(
      `plugin ${type} found a mesh whose ${field} is ${JSON.stringify(value) ?? 'undefined'}; expected a string; return undefined instead of a mesh if none is found`,
    );
  }
}

function meshObject(type: string, cluster: string, found: DiscoveredMesh, ipFamilies: readonly IpFamily[]): Mesh {
  refuseUnnamed(type, found);
  const {
    name,
    namespace,
    podLabels,
    version,
    trustDomain,
    trustDomainAliases,
    trustBundle,
    serviceAccount,
    revision,
    capturesDns,
    details,
  } = found;
  const roots = tidyCertificates(trustBundle ?? '');
  return {
    apiVersion: 'discovery.meshrelay.dev/v1alpha1',
    kind: 'Mesh',
    metadata: { name, namespace },
    spec: {
      type,
      cluster,
      installation: {
        namespace,
        ...(podLabels === undefined ? {} : { podLabels }),
        ...(version === undefined ? {} : { version }),
      },
      trustDomain,
      ...(trustDomainAliases === undefined ? {} : { trustDomainAliases }),
      ...(roots === undefined ? {} : { trustBundle: roots }),
      ...(serviceAccount === undefined ? {} : { controlPlaneServiceAccount: serviceAccount }),
      ...(revision === undefined ? {} : { revision }),
      ...(capturesDns === undefined ? {} : { smartDnsProxyingEnabled: capturesDns }),
      ...(ipFamilies.length === 0 ? {} : { ipFamilies }),
      ...(details === undefined ? {} : { details }),
    },
  };
}
