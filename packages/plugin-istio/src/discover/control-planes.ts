/** Discovers control planes: Deployments of istiod, of any revision, with their mesh configuration. */
import {
  type Collection,
  type ConfigMap,
  type Container,
  containersOf,
  type DiscoveredMesh,
  type DiscoveryGraph,
  key,
  labelsOf,
  type PodController,
  textOf,
} from '@meshrelay/plugin';
import { imageName, imageTag } from './image.ts';
import { DEFAULT_MESH_CONFIG, type MeshConfig, readMeshConfig } from './mesh-config.ts';

const REVISION_LABEL = 'istio.io/rev';
/** The ConfigMap in which istiod publishes to every namespace the roots that workloads verify peers with. */
const ROOTS = 'istio-ca-root-cert';

/** All control planes of the cluster, by the key of their Deployment. */
export function controlPlanes(
  graph: Pick<DiscoveryGraph, 'derive'>,
  deployments: Collection<PodController>,
  configMaps: Collection<ConfigMap>,
): Collection<DiscoveredMesh> {
  const configs = graph.derive('istio/mesh-configs', configMaps, ({ metadata, data }): MeshConfig | undefined =>
    metadata.name === 'istio' || metadata.name.startsWith('istio-')
      ? readMeshConfig(textOf(data?.['mesh']))
      : undefined,
  );
  const roots = graph.derive('istio/roots', configMaps, ({ metadata, data }): string | undefined =>
    metadata.name === ROOTS ? textOf(data?.['root-cert.pem']) : undefined,
  );
  return graph.derive('istio/control-planes', deployments, (deployment, read): DiscoveredMesh | undefined => {
    const discovery = discoveryContainer(deployment);
    if (discovery === undefined) return undefined;
    const { name, namespace = '' } = deployment.metadata;
    const revision = revisionOf(deployment, discovery);
    const configMap = revision === 'default' ? 'istio' : `istio-${revision}`;
    const found = read.get(configs, key(namespace, configMap));
    const config = found ?? DEFAULT_MESH_CONFIG;
    const trustBundle = read.get(roots, key(namespace, ROOTS));
    const template = deployment.spec?.template;
    const version = discovery.image === undefined ? undefined : imageTag(discovery.image);
    return {
      name,
      namespace,
      trustDomain: config.trustDomain,
      trustDomainAliases: config.trustDomainAliases,
      ...(trustBundle === undefined ? {} : { trustBundle }),
      capturesDns: config.capturesDns,
      revision,
      details: {
        rootNamespace: config.rootNamespace ?? namespace,
        ...(found === undefined ? {} : { meshConfig: configMap }),
        ...(Object.keys(config.defaultExportTo).length === 0 ? {} : { defaultExportTo: config.defaultExportTo }),
        ...(config.accessLogging.length === 0 ? {} : { accessLogging: config.accessLogging }),
        ...(Object.keys(config.providers).length === 0 ? {} : { providers: config.providers }),
      },
      podLabels: labelsOf(template?.metadata?.labels),
      serviceAccount: textOf(template?.spec?.serviceAccountName) ?? 'default',
      ...(version === undefined ? {} : { version }),
    };
  });
}

/** istiod runs a container from an image named `pilot`, independent of the registry and of the Deployment's name. */
function discoveryContainer({ spec, metadata }: PodController): Container | undefined {
  const containers = containersOf(spec?.template?.spec);
  return (
    containers.find(({ image = '' }) => imageName(image).startsWith('pilot')) ??
    (metadata.labels?.['app'] === 'istiod' ? containers.find(({ name }) => name === 'discovery') : undefined)
  );
}

function revisionOf({ metadata, spec }: PodController, discovery: Container): string {
  const revision =
    labelsOf(metadata.labels)[REVISION_LABEL] ??
    labelsOf(spec?.template?.metadata?.labels)[REVISION_LABEL] ??
    discovery.env?.find(({ name }) => name === 'REVISION')?.value;
  return textOf(revision) ?? 'default';
}
