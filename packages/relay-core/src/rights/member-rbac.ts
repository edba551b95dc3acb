/** The permissions of an agent, or of a server in its place, in its cluster: from what its plugins read and write. */
import { clusterPolicyKinds, definitionOf } from '@meshrelay/api';
import {
  CONTROL_PLANE_SECRET,
  type MeshPlugin,
  NAMESPACE,
  type PatchPermission,
  type ResourceKind,
  WORKLOAD_CA_SECRET,
  WORKLOAD_ROOTS,
} from '@meshrelay/plugin';
import { CORE_WATCHES } from '../input/watched-kinds.ts';
import { rightsToName } from '../plugin/patches.ts';
import { AGENT_SECRETS, MEMBER_LEASE, ROOTS_CONFIG_MAP } from './names.ts';
import { CONFIG_MAPS, Grants, LEASES, namedRule, READ, type Resource, SECRETS, statusOf, WRITE } from './rbac-rule.ts';
import type { OtherRbac, Rights } from './rights.ts';

/** An object in a namespace. */
export interface NamedObject {
  readonly namespace: string;
  readonly name: string;
}

export interface MemberRbacOptions {
  readonly plugins: readonly Pick<MeshPlugin, 'watches' | 'writes' | 'reads' | 'patches'>[];
  /**
   * True for an agent, which has Secrets of its own and serves Envoys; a server that accesses the cluster directly does
   * neither.
   */
  readonly agent: boolean;
  /** Secrets of the agent's namespace with names that the user chooses, such as its client certificate. */
  readonly ownSecrets?: readonly string[];
  /** Namespaces of control planes whose CA is signed by the root of a virtual mesh. */
  readonly meshNamespaces?: readonly string[];
  /** User-owned objects that Settings consents to patch. */
  readonly patched?: readonly NamedObject[];
  /** Namespaces with Envoys that the agent configures. */
  readonly envoyNamespaces?: readonly string[];
  /** Secrets with which the agent pulls images of Wasm modules. */
  readonly pullSecrets?: readonly NamedObject[];
}

const CRDS: Resource = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' };
const TOKEN_REVIEWS: Resource = { group: 'authentication.k8s.io', plural: 'tokenreviews' };
/** Plugins that have the CAs of meshes signed write this kind. */
const CERTIFICATES: Resource = definitionOf('IssuedCertificate');
/** Plugins that configure Envoys write this kind. */
const XDS_CONFIGS: Resource = definitionOf('XdsConfig');

/** @throws RangeError for an object to patch that no plugin patches */
export function memberRbacRules(options: MemberRbacOptions): Rights {
  const { plugins, agent, ownSecrets = [] } = options;
  const written = plugins.flatMap(({ writes }) => writes);
  const certifies = hasResource(written, CERTIFICATES);
  const configures = agent && hasResource(written, XDS_CONFIGS);
  const secrets = [...(agent ? [...AGENT_SECRETS, ...ownSecrets] : []), ...(certifies ? [WORKLOAD_CA_SECRET] : [])];
  // A control plane may be in the same namespace.
  const forMeshes = certifies ? [CONTROL_PLANE_SECRET] : [];
  const own = new Grants()
    .give([LEASES, ...(secrets.length > 0 ? [SECRETS] : []), ...(configures ? [CONFIG_MAPS] : [])], ['create'])
    .give([definitionOf('OutputLedger')], [...READ, 'create', 'update', 'delete']);
  return {
    cluster: clusterRules(options, written, { certifies, configures }),
    namespace: [
      ...own.rules(),
      namedRule(LEASES, [MEMBER_LEASE], ['get', 'update']),
      ...(secrets.length > 0 ? [namedRule(SECRETS, secrets, [...READ, 'update', 'delete'])] : []),
      ...(configures ? [namedRule(CONFIG_MAPS, [WORKLOAD_ROOTS], ['get', 'update'])] : []),
    ],
    otherClusters: otherClusters(options),
    creates: {
      secrets: { own: [...secrets, ...forMeshes], otherClusters: forMeshes },
      configMaps: configures ? [WORKLOAD_ROOTS, ROOTS_CONFIG_MAP] : [],
      leases: [MEMBER_LEASE],
    },
    writes: written,
  };
}

function clusterRules(
  { plugins }: MemberRbacOptions,
  written: readonly ResourceKind[],
  { certifies, configures }: { readonly certifies: boolean; readonly configures: boolean },
): Rights['cluster'] {
  const policies = clusterPolicyKinds.map((kind): Resource => definitionOf(kind));
  const read = plugins.flatMap(({ watches, reads = [] }) => [...watches, ...reads]);
  const patched = plugins.flatMap(({ patches = [] }) => patches.map(({ kind }) => kind));
  return new Grants()
    .give([...CORE_WATCHES, NAMESPACE, CRDS, ...policies, ...read, ...patched], READ)
    .give(written, WRITE)
    .give(policies.map(statusOf), ['patch'])
    .give(certifies ? [statusOf(CERTIFICATES)] : [], ['patch'])
    .give(configures ? [statusOf(XDS_CONFIGS)] : [], ['patch'])
    .give(configures ? [CONFIG_MAPS] : [], READ)
    .give(configures ? [TOKEN_REVIEWS] : [], ['create'])
    .rules();
}

/** A Role for each purpose and namespace, so that permissions printed in several runs add up. */
function otherClusters({
  plugins,
  meshNamespaces = [],
  patched = [],
  envoyNamespaces = [],
  pullSecrets = [],
}: MemberRbacOptions): readonly OtherRbac[] {
  const patches = plugins.flatMap((plugin) => plugin.patches ?? []);
  const pulled = Map.groupBy(pullSecrets, ({ namespace }) => namespace);
  return [
    ...[...new Set(meshNamespaces)].map((namespace) => ({
      namespace,
      purpose: 'mesh-ca',
      rules: [
        { apiGroups: [SECRETS.group], resources: [SECRETS.plural], verbs: ['create'] },
        namedRule(SECRETS, [CONTROL_PLANE_SECRET], ['get', 'update']),
      ],
    })),
    ...patched.map(({ namespace, name }) => ({
      namespace,
      purpose: `patch-${name}`,
      rules: patchableKinds(patches, name).map((kind) => namedRule(kind, [name], ['get', 'update'])),
    })),
    ...[...new Set(envoyNamespaces)].map((namespace) => ({
      namespace,
      purpose: 'envoy-roots',
      rules: [
        { apiGroups: [CONFIG_MAPS.group], resources: [CONFIG_MAPS.plural], verbs: ['create'] },
        namedRule(CONFIG_MAPS, [ROOTS_CONFIG_MAP], ['update', 'delete']),
      ],
    })),
    ...[...pulled].map(([namespace, secrets]) => {
      const names = secrets.map(({ name }) => name);
      return { namespace, purpose: 'pull-secrets', rules: [namedRule(SECRETS, names, ['get'])] };
    }),
  ];
}

function patchableKinds(patches: readonly PatchPermission[], name: string): readonly Resource[] {
  const kinds = rightsToName(patches, name).map(({ kind }) => kind);
  if (kinds.length === 0) {
    const names = [...new Set(patches.flatMap((right) => right.names))].join(', ');
    throw new RangeError(`no plugin patches an object named ${name}; those that are patched: ${names || 'none'}`);
  }
  return kinds;
}

function hasResource(kinds: readonly ResourceKind[], { group, plural }: Resource): boolean {
  return kinds.some((kind) => kind.group === group && kind.plural === plural);
}
