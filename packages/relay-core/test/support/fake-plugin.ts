/**
 * A mesh plugin for tests: emits each view unchanged as an object, and contributes every view to one bag per cluster.
 */
import {
  type CapabilityTable,
  canonicalJson,
  type LoadedPlugin,
  loadPlugins,
  type MeshPlugin,
  type NativeObject,
  type Output,
  type PolicyRef,
  type ResourceKind,
  VIEW_FIELDS,
  type ViewField,
} from './core.ts';

const kind = (name: string): ResourceKind => ({
  group: 'fake.example',
  version: 'v1',
  kind: name,
  plural: `${name.toLowerCase()}s`,
  namespaced: true,
});

export const SHEET: ResourceKind = kind('Sheet');
export const BAG: ResourceKind = kind('Bag');

/** All capabilities native, except these. */
export function capabilities(others: Partial<CapabilityTable> = {}): CapabilityTable {
  const native = Object.fromEntries(VIEW_FIELDS.map((field: ViewField) => [field, 'native']));
  return { ...native, ...others } as CapabilityTable;
}

function sheet(namespace: string, name: string, view: unknown): NativeObject {
  return { apiVersion: 'fake.example/v1', kind: 'Sheet', metadata: { name, namespace }, spec: { view } };
}

/** `<what>.<sheet>`: a user object and a generated one for the same sheet conflict. */
function wordsOf(name: string, what: string): string[] {
  const [first, sheetName] = name.split('.');
  return first === what ? [`sheet ${sheetName}`] : [];
}

function put(out: Output, cluster: string, slot: string, sourcePolicies: readonly PolicyRef[]): void {
  out.contribute({ cluster, kind: BAG, namespace: 'fake', name: 'bag' }, { slot, value: slot }, sourcePolicies);
}

/** The plugin; `changes` replaces parts of it. */
export function fakePlugin(changes: Partial<MeshPlugin> = {}): LoadedPlugin {
  const plugin: MeshPlugin = {
    name: 'fake',
    contract: 1,
    watches: [],
    writes: [SHEET, BAG],
    capabilities: capabilities({
      'route.csrf': { unsupported: 'not here' },
      'match.method': { unsupported: 'not here' },
      'access.audit': { unsupported: 'not here' },
      'accessLog.filters.header': { unsupported: 'not here' },
      'accessLog.responseTrailers': { unsupported: 'not here' },
      'wasm.gateway': { unsupported: 'not here' },
      'route.mirror': { degraded: 'all or nothing' },
    }),
    gatewayDefaults: { labels: { role: 'gateway' }, portName: 'tls' },
    objectConflicts: {
      indexKeys: ({ metadata }) => wordsOf(metadata.name, 'conflict'),
      lookupKeys: ({ metadata }) => wordsOf(metadata.name, 'local'),
      detect: ({ metadata }) =>
        metadata.name === 'local.a'
          ? { effect: 'notApplied', text: 'has the only sheet' }
          : { effect: metadata.name === 'local.b' ? 'degraded' : 'info', text: 'has a sheet too' },
    },
    discover() {},
    translateDestination(view, out) {
      const { cluster, namespace, name } = view.destination;
      const sourcePolicies = view.routes.flatMap(({ from }) => from);
      out.emit(cluster, sheet(namespace, `local.${name}`, view), sourcePolicies);
      put(out, cluster, `local ${namespace}/${name}`, sourcePolicies);
    },
    translateFederatedDestination(view, out) {
      const { cluster, namespace, name } = view.destination;
      out.emit(view.consumer.cluster, sheet(namespace, `reach.${name}.${cluster}`, { ...view, consumer: undefined }), [
        view.virtualMesh,
      ]);
      put(out, view.consumer.cluster, `reach ${namespace}/${name}/${cluster}/${view.consumer.name}`, [
        view.virtualMesh,
      ]);
    },
    translateEndpoints({ destination, consumer, endpoints, address, hostname, virtualMesh }, out) {
      const { cluster, namespace, name } = destination;
      const view = { address, hostname, endpoints };
      out.emit(consumer.cluster, sheet(namespace, `endpoints.${name}.${cluster}`, view), [virtualMesh]);
    },
    translateVirtualDestination({ consumer, ...view }, out) {
      const { name, cluster } = view.virtualDestination;
      const object = sheet('virtual', `virtual.${name}.${cluster}.${consumer.name}`, view);
      out.emit(consumer.cluster, object, [view.virtualDestination]);
    },
    translateMesh(view, out) {
      out.emit(view.mesh.cluster, sheet(view.mesh.namespace, `mesh.${view.mesh.name}`, view), [view.virtualMesh]);
    },
    translateWorkloadExtensions({ workload: { mesh, ...workload }, accessLog, wasm }, out) {
      const { namespace, name, kind: controller } = workload;
      const object = sheet(namespace, `extensions.${name}.${controller.toLowerCase()}`, { workload, accessLog, wasm });
      out.emit(
        mesh.cluster,
        object,
        [...accessLog, ...wasm].flatMap(({ from }) => from),
      );
    },
    translateMeshExtensions({ mesh, accessLog }, out) {
      const object = sheet(mesh.namespace, `mesh-extensions.${mesh.name}`, accessLog);
      out.emit(
        mesh.cluster,
        object,
        accessLog.flatMap(({ from }) => from),
      );
    },
    assemble: ({ namespace, name }, parts) => ({
      apiVersion: 'fake.example/v1',
      kind: 'Bag',
      metadata: { name, namespace },
      spec: { parts: parts.map(({ value }) => canonicalJson(value)) },
    }),
    ...changes,
  };
  const [loaded] = loadPlugins([{ module: 'fake', plugin }]);
  if (loaded === undefined) throw new Error('not loaded');
  return loaded;
}

/** A plugin that configures all proxies of a mesh in a virtual mesh, and emits their views. */
export function describingPlugin(): LoadedPlugin {
  return fakePlugin({
    configuresProxies: true,
    translateLocalEndpoints({ destination: { cluster, namespace, name }, ...view }, out) {
      out.emit(cluster, sheet(namespace, `pods.${name}`, view), [view.virtualMesh]);
    },
    translateWorkload(view, out) {
      const { mesh, namespace, name, kind: controller } = view;
      out.emit(mesh.cluster, sheet(namespace, `workload.${name}.${controller.toLowerCase()}`, view), [
        view.virtualMesh,
        ...view.services.flatMap(({ access }) => access.flatMap(({ from }) => from)),
      ]);
    },
  });
}
