/** What whoever takes part for a cluster must be allowed to do in it, from what its plugins read and write. */
import { clusterPolicyKinds, definitionOf } from '@meshrelay/api';
import { CORE_WATCHES, NAMESPACE } from '../input/kubernetes.ts';
import type { ResourceKind } from '../input/resource-kind.ts';
import type { MeshPlugin } from './contract.ts';
import { WORKLOAD_CA_SECRET, WORKLOAD_ROOTS } from './workload-ca.ts';

/** A rule of a Role or a ClusterRole. */
export interface RightRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Omitted: of any name. */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Least rights. */
export interface MemberRights {
  /** Over all namespaces. */
  readonly cluster: readonly RightRule[];
  /** In the namespace of the Lease and the OutputLedger. */
  readonly namespace: readonly RightRule[];
}

export interface MemberRightsOptions {
  readonly plugins: readonly Pick<MeshPlugin, 'watches' | 'writes' | 'reads' | 'patches'>[];
  /** Whether an agent keeps its identity in Secrets there; a server that reaches the cluster itself does not. */
  readonly identity: boolean;
}

type Resource = Pick<ResourceKind, 'group' | 'plural'>;

const READ = ['get', 'list', 'watch'];
/** Outputs are applied by the server's own merge, which is a patch, and a creation where there is nothing. */
const WRITE = [...READ, 'create', 'patch', 'delete'];
const CRDS: Resource = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' };
const LEASES: Resource = { group: 'coordination.k8s.io', plural: 'leases' };
const SECRETS: Resource = { group: '', plural: 'secrets' };
/** Whoever is to have the CAs of meshes signed says so with this kind. */
const CERTIFICATES: Resource = definitionOf('IssuedCertificate');

/** Whoever configures Envoys writes this kind. */
const XDS_CONFIGS: Resource = definitionOf('XdsConfig');

/** Names of the Secrets that meshes read their CAs from: no other is ever written for a mesh. */
export const MESH_SECRETS: readonly string[] = ['cacerts', WORKLOAD_CA_SECRET];

/** The ConfigMap with the roots that vouch for the agent, in each namespace that has Envoys which agents configure. */
export const ROOTS_CONFIG_MAP = 'meshrelay-agent-roots';

/** What serving Envoys takes: who they are, and how they know the agent. Names are kept to wherever they can be. */
const ENVOY_RULES: readonly RightRule[] = [
  { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
  {
    apiGroups: [''],
    resources: ['configmaps'],
    resourceNames: [ROOTS_CONFIG_MAP, WORKLOAD_ROOTS],
    verbs: ['get', 'list', 'watch', 'update', 'delete'],
  },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
];

/** In whichever namespace a control plane is; a creation cannot be kept to a name. */
const MESH_SECRET_RULES: readonly RightRule[] = [
  { apiGroups: [''], resources: ['secrets'], resourceNames: MESH_SECRETS, verbs: ['get', 'update'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
];

export function memberRights({ plugins, identity }: MemberRightsOptions): MemberRights {
  const policies = clusterPolicyKinds.map((kind): Resource => definitionOf(kind));
  const ledgers: Resource = definitionOf('OutputLedger');
  const read = plugins.flatMap(({ watches, reads = [] }) => [...watches, ...reads]);
  const written = plugins.flatMap(({ writes }) => writes);
  const patched = plugins.flatMap(({ patches = [] }) => patches.map(({ kind }) => kind));
  const grants = new Grants()
    .give([...CORE_WATCHES, NAMESPACE, CRDS, ...policies, ...read], READ)
    .give(written, WRITE)
    .give(patched, [...READ, 'update'])
    .give(
      policies.map(({ group, plural }) => ({ group, plural: `${plural}/status` })),
      ['patch'],
    );
  const certifies = written.some(({ group, plural }) => group === CERTIFICATES.group && plural === CERTIFICATES.plural);
  if (certifies) grants.give([{ ...CERTIFICATES, plural: `${CERTIFICATES.plural}/status` }], ['patch']);
  const configures = written.some(({ group, plural }) => group === XDS_CONFIGS.group && plural === XDS_CONFIGS.plural);
  if (configures && identity) grants.give([{ ...XDS_CONFIGS, plural: `${XDS_CONFIGS.plural}/status` }], ['patch']);
  const own = new Grants()
    .give([LEASES], ['get', 'create', 'update'])
    .give([ledgers], [...READ, 'create', 'update', 'delete']);
  if (identity) own.give([SECRETS], [...READ, 'create', 'update', 'delete']);
  return {
    cluster: [
      ...grants.rules(),
      ...(certifies ? MESH_SECRET_RULES : []),
      // A server that reaches the cluster itself serves no Envoys.
      ...(configures && identity ? ENVOY_RULES : []),
    ],
    namespace: own.rules(),
  };
}

/** Verbs by resource, told in few rules. */
class Grants {
  readonly #verbs = new Map<string, { readonly resource: Resource; readonly verbs: Set<string> }>();

  give(resources: readonly Resource[], verbs: readonly string[]): this {
    for (const { group, plural } of resources) {
      const name = `${group}/${plural}`;
      const entry = this.#verbs.get(name) ?? { resource: { group, plural }, verbs: new Set() };
      for (const verb of verbs) entry.verbs.add(verb);
      this.#verbs.set(name, entry);
    }
    return this;
  }

  /** One for each group and set of verbs, in order. */
  rules(): readonly RightRule[] {
    const alike = Map.groupBy(this.#verbs.values(), ({ resource, verbs }) =>
      JSON.stringify([resource.group, [...verbs].sort()]),
    );
    return [...alike]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, entries]) => {
        const [group, verbs] = JSON.parse(name) as [string, string[]];
        return { apiGroups: [group], resources: entries.map(({ resource }) => resource.plural).sort(), verbs };
      });
  }
}
