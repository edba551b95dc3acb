/** A minimal mesh: it writes each view to one sheet. The sheets show the decisions of the stages, at almost no cost. */
import {
  type CapabilityTable,
  DEPLOYMENT,
  key,
  type LoadedPlugin,
  loadPlugins,
  type MeshPlugin,
  type NativeObject,
  type PodController,
  type ResourceKind,
  VIEW_FIELDS,
} from '@meshrelay/relay-core';

export const SHEET: ResourceKind = {
  group: 'paper.example',
  version: 'v1',
  kind: 'Sheet',
  plural: 'sheets',
  namespaced: true,
};

/** The Deployment of its control plane. */
export const CONTROL_PLANE = 'paper-control';
export const CONTROL_NAMESPACE = 'paper-system';
/** On pod templates: adds the pods to the mesh. */
export const MEMBER_LABEL = 'paper.example/member';

const capabilities = Object.fromEntries(VIEW_FIELDS.map((field) => [field, 'native'])) as unknown as CapabilityTable;

function sheet(namespace: string, name: string, view: unknown): NativeObject {
  return { apiVersion: 'paper.example/v1', kind: 'Sheet', metadata: { name, namespace }, spec: { view } };
}

const plugin: MeshPlugin = {
  name: 'paper',
  contract: 1,
  watches: [],
  writes: [SHEET],
  capabilities,
  gatewayDefaults: { labels: { role: 'gateway' }, portName: 'tls' },
  discover(define) {
    const meshes = define.graph.derive('control-planes', define.objects<PodController>(DEPLOYMENT), ({ metadata }) =>
      metadata.name === CONTROL_PLANE
        ? {
            name: metadata.name,
            namespace: metadata.namespace ?? '',
            trustDomain: 'cluster.local',
            serviceAccount: 'paper',
          }
        : undefined,
    );
    const all = define.graph.index(meshes, 'all-control-planes', () => [key('all')]);
    define.meshes(meshes);
    define.templateMembers(
      define.graph.derive('members', define.templates, ({ pod }, read) => {
        const [[, mesh] = []] = read.by(all, key('all'));
        if (mesh === undefined || pod.metadata.labels?.[MEMBER_LABEL] === undefined) return undefined;
        return { mesh: { name: mesh.name, namespace: mesh.namespace } };
      }),
    );
  },
  translateDestination(view, out) {
    const { cluster, namespace, name } = view.destination;
    out.emit(
      cluster,
      sheet(namespace, `local.${name}`, view),
      view.routes.flatMap(({ from }) => from),
    );
  },
  translateFederatedDestination(view, out) {
    const { cluster, namespace, name } = view.destination;
    const object = sheet(namespace, `reach.${name}.${cluster}`, { ...view, consumer: undefined });
    out.emit(view.consumer.cluster, object, [view.virtualMesh]);
  },
  translateMesh(view, out) {
    const { cluster, namespace, name } = view.mesh;
    out.emit(cluster, sheet(namespace, `mesh.${name}`, view), [view.virtualMesh]);
  },
};

export const PLUGINS: readonly LoadedPlugin[] = loadPlugins([{ module: 'paper', plugin }]);
