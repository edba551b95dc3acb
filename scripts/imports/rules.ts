/** The dependency rules of the workspace, as data. Every change of the architecture changes this file. */

import type { Faces } from './faces.ts';
import type { RingLimit } from './rings.ts';
import type { Stages } from './stages.ts';

export interface PackageRule {
  /** Folder names of the packages whose exports its sources may import. */
  readonly packages: readonly string[];
  /** Whether its sources run in any runtime, browsers included: they import no module of Node. */
  readonly pure?: boolean;
  /** Whether it is published as a bundle: what it uses is in the bundle, and so in its devDependencies. */
  readonly bundled?: boolean;
  /** Folders below `src/` of a pure package that are separate entries and do need Node. */
  readonly onNode?: readonly string[];
}

export interface Rules {
  /** By folder name below `packages/`. A package without a rule is rejected. */
  readonly packages: Readonly<Record<string, PackageRule>>;
  /** The packages that own an external library. All others use it through them. */
  readonly libraries: Readonly<Record<string, readonly string[]>>;
  /** Rings of files that import each other, types included: the goal is 0. */
  readonly rings: RingLimit;
  /** The order of the folders and files in a folder, types included. */
  readonly stages: Stages;
  /** The files by which other folders of the package import a folder. */
  readonly faces: Faces;
}

const meshPlugins = ['plugin-istio', 'plugin-osm', 'plugin-envoy'];
/** Components of both programs. Mesh plugins reach them through `host`, by configuration. */
const parts = ['api', 'concurrency', 'kube', 'pki', 'relay-core', 'relay-protocol', 'telemetry'];
const plugin: PackageRule = { packages: ['api', 'plugin'], pure: true };

export const rules: Rules = {
  packages: {
    api: { packages: [], pure: true },
    plugin: { packages: ['api'], pure: true },
    'relay-core': { packages: ['api', 'plugin'], pure: true },
    'plugin-istio': plugin,
    'plugin-osm': plugin,
    'plugin-envoy': { ...plugin, packages: [...plugin.packages, 'envoy-api'] },
    'envoy-api': { packages: [], pure: true, onNode: ['server', 'services'] },
    'relay-protocol': { packages: [] },
    pki: { packages: [] },
    concurrency: { packages: [], pure: true },
    kube: { packages: ['api', 'concurrency', 'relay-core'] },
    store: { packages: ['concurrency'] },
    telemetry: { packages: [] },
    host: { packages: ['api', 'relay-core', 'telemetry', ...meshPlugins] },
    'agent-leader': { packages: ['concurrency'] },
    peers: { packages: parts },
    'access-log-sink': { packages: ['concurrency', 'envoy-api', 'telemetry'] },
    'kube-sim': { packages: ['api', 'pki'] },
    'plugin-kit': { packages: ['api', 'plugin', 'relay-core'] },
    'create-mesh-plugin': { packages: [] },
    // Only plugin-envoy's bootstrap: it is not part of the interface of mesh plugins.
    cli: {
      packages: [
        'api',
        'concurrency',
        'create-mesh-plugin',
        'host',
        'relay-core',
        'kube',
        'pki',
        'plugin-envoy',
        'telemetry',
      ],
      bundled: true,
    },
    'cluster-controllers': { packages: ['agent-leader', 'host', ...parts] },
    agent: {
      packages: ['access-log-sink', 'agent-leader', 'cluster-controllers', 'envoy-api', 'host', 'peers', ...parts],
    },
    'mgmt-server': {
      packages: ['access-log-sink', 'agent-leader', 'cluster-controllers', 'host', 'peers', 'store', ...parts],
    },
  },
  libraries: {
    '@bufbuild/protobuf': ['relay-protocol', 'envoy-api'],
    '@clack/prompts': ['cli'],
    '@grpc/grpc-js': ['relay-protocol', 'envoy-api', 'access-log-sink'],
    '@hono/node-server': ['mgmt-server'],
    '@kubernetes/client-node': ['kube', 'agent-leader'],
    '@opentelemetry/api': ['telemetry'],
    '@opentelemetry/sdk-node': ['telemetry'],
    ajv: ['kube-sim'],
    commander: ['cli'],
    hono: ['mgmt-server'],
    ioredis: ['store'],
    jose: ['mgmt-server'],
    'node-forge': ['pki'],
    pino: ['telemetry'],
    'prom-client': ['telemetry'],
    protobufjs: ['relay-protocol'],
    undici: ['kube'],
    // Parsers have no single owner: every package that receives text may parse and validate it there.
    yaml: [
      'access-log-sink',
      'api',
      'cli',
      'cluster-controllers',
      'host',
      'kube-sim',
      'mgmt-server',
      'plugin-istio',
      'plugin-kit',
    ],
    zod: ['access-log-sink', 'agent', 'api', 'host', 'mgmt-server'],
  },
  rings: { rings: 0, files: 0 },
  stages: {
    'packages/plugin/src': [
      ...[
        'memoize.ts',
        'object-name.ts',
        'percent-shares.ts',
        'graph',
        'kubernetes',
        'views',
        'fields',
        'capability.ts',
      ],
      ...['native-object.ts', 'object-conflicts.ts', 'patches.ts', 'contract.ts', 'name-settings.ts', 'workload-ca.ts'],
      ...['access-log-config.ts', 'format-policy-ref.ts', 'port-to-dial.ts', 'rollout-labels.ts', 'rollout-subsets.ts'],
      ...['host.ts', 'mod.ts'],
    ],
    'packages/relay-core/src': [
      ...['text', 'caches', 'packed', 'graph'],
      ...['input', 'fields', 'plugin', 'discover', 'store', 'resolve', 'translate', 'output', 'status', 'ledger'],
      ...['rights', 'control-plane.ts', 'explain', 'plan', 'offline', 'mod.ts'],
    ],
    'packages/relay-core/src/graph': [
      ...[
        'compare-keys.ts',
        'errors.ts',
        'collection.ts',
        'interned-keys.ts',
        'shown.ts',
        'deep-equal.ts',
        'plain-output.ts',
      ],
      ...['rows', 'edges', 'storage', 'commit', 'faults', 'indexes', 'reads', 'operators', 'graph.ts', 'archive.ts'],
    ],
    'packages/relay-core/src/resolve': [
      ...['diagnostic.ts', 'workspaces', 'inventory', 'policies', 'virtual-meshes', 'gateways', 'federation'],
      ...['virtual-destinations', 'extensions', 'resolve-context.ts'],
      ...['traffic', 'access', 'routes', 'plans', 'reports', 'views', 'resolve.ts', 'mod.ts'],
    ],
  },
  faces: {
    'packages/relay-core/src/graph': [
      ...['graph.ts', 'collection.ts', 'compare-keys.ts', 'interned-keys.ts', 'errors.ts', 'deep-equal.ts', 'shown.ts'],
      'archive.ts',
    ],
    ...face('packages/relay-core/src', ['discover', 'resolve', 'translate', 'output', 'status', 'explain', 'plan']),
    ...face('packages/plugin/src', ['views']),
    ...face('packages/relay-core/src/resolve', [
      ...['workspaces', 'inventory', 'policies', 'virtual-meshes', 'gateways', 'federation', 'virtual-destinations'],
      ...['extensions', 'traffic', 'access', 'routes', 'plans', 'reports', 'views'],
    ]),
  },
};

/** Folders whose face is their `mod.ts`. */
function face(parent: string, folders: readonly string[]): Faces {
  return Object.fromEntries(folders.map((folder) => [`${parent}/${folder}`, ['mod.ts']]));
}
