/** Discovers control planes: Deployments of osm-controller, with their MeshConfig and their trust domain. */
import {
  type Collection,
  containersOf,
  type DiscoveredMesh,
  type DiscoveryGraph,
  key,
  labelsOf,
  type PodController,
  textOf,
} from '@meshrelay/plugin';
import { MESH_CONFIG_NAME } from '../mesh-config.ts';
import { type MeshConfig, meshConfigFacts } from './mesh-config-facts.ts';
import { type MeshRootCertificate, trustDomainOf } from './trust-domain.ts';

const CONTROLLER = 'osm-controller';
const VERSION_LABEL = 'app.kubernetes.io/version';

/** All control planes of the cluster, by the key of their Deployment. */
export function controlPlanes(
  graph: Pick<DiscoveryGraph, 'derive' | 'index'>,
  deployments: Collection<PodController>,
  configs: Collection<MeshConfig>,
  roots: Collection<MeshRootCertificate>,
): Collection<DiscoveredMesh> {
  const known = graph.derive('osm/mesh-configs', configs, (config) =>
    config.metadata.name === MESH_CONFIG_NAME ? meshConfigFacts(config) : undefined,
  );
  const rootsOf = graph.index(roots, 'osm/roots-by-namespace', ({ metadata }) => [key(metadata.namespace ?? '')]);
  return graph.derive('osm/control-planes', deployments, (deployment, read): DiscoveredMesh | undefined => {
    if (!isController(deployment)) return undefined;
    const { name, namespace = '', labels } = deployment.metadata;
    const template = deployment.spec?.template;
    const podLabels = labelsOf(template?.metadata?.labels);
    const version = labelsOf(labels)[VERSION_LABEL] ?? podLabels[VERSION_LABEL];
    return {
      name,
      namespace,
      trustDomain: trustDomainOf(read.by(rootsOf, key(namespace)).map(([, root]) => root)),
      details: { ...read.get(known, key(namespace, MESH_CONFIG_NAME)) },
      podLabels,
      serviceAccount: textOf(template?.spec?.serviceAccountName) ?? 'default',
      ...(version === undefined ? {} : { version }),
    };
  });
}

/** By the name of its container or its label, which OSM sets; registry mirrors rename images. */
function isController({ metadata, spec }: PodController): boolean {
  return (
    metadata.labels?.['app'] === CONTROLLER ||
    containersOf(spec?.template?.spec).some(({ name }) => name === CONTROLLER)
  );
}
