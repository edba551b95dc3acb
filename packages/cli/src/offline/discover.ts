/** Prints what an agent would discover in clusters that are given as files. */
import process from 'node:process';
import { type DiscoveredObject, valuesInOrder } from '@meshrelay/relay-core';
import { readClusters } from '../input/inputs.ts';
import type { ListFormat } from '../output/format.ts';
import { type Column, kubectlName, listText, objectList } from '../output/list.ts';
import { fleetOf } from './fleet.ts';
import { loadMeshPlugins } from './plugins.ts';

export interface DiscoverOptions {
  readonly cluster: readonly string[];
  /** Only objects found in this namespace. */
  readonly namespace?: string;
  readonly plugin: readonly string[];
  readonly output: ListFormat;
}

const COLUMNS: ReadonlyArray<Column<DiscoveredObject>> = [
  { header: 'KIND', cell: ({ kind }) => kind },
  { header: 'NAME', cell: ({ metadata }) => metadata.name },
  { header: 'CLUSTER', cell: ({ metadata }) => metadata.labels?.['meshrelay.dev/cluster'] ?? '' },
  {
    header: 'MESH',
    cell: (object) => (object.kind === 'Mesh' ? object.spec.type : (object.spec.mesh?.name ?? '-')),
  },
  { header: 'NAMESPACE', cell: namespaceOf, wide: true },
  { header: 'FOUND AS', cell: originOf, wide: true },
];

export async function discover({ cluster, namespace, plugin, output }: DiscoverOptions): Promise<void> {
  const plugins = await loadMeshPlugins(plugin);
  const fleet = fleetOf({ clusters: readClusters(cluster, plugins), management: [], plugins });
  const all = valuesInOrder(fleet.shown.activate().discovered);
  const items = namespace === undefined ? all : all.filter((object) => namespaceOf(object) === namespace);
  if (items.length === 0)
    process.stderr.write(
      all.length === 0
        ? 'nothing was discovered; see the example of meshctl discover --help for the kinds that are read\n'
        : `nothing was discovered in namespace ${namespace}; -A lists all namespaces\n`,
    );
  process.stdout.write(listText({ items, columns: COLUMNS, name: kubectlName, data: objectList(items) }, output));
}

/** The namespace in the cluster. */
function namespaceOf(object: DiscoveredObject): string {
  switch (object.kind) {
    case 'Mesh':
      return object.spec.installation.namespace;
    case 'Workload':
      return object.spec.kubernetes.controller.namespace;
    case 'Destination':
      return object.spec.kubeService.ref.namespace;
  }
}

/** The object in the cluster. */
function originOf(object: DiscoveredObject): string {
  switch (object.kind) {
    case 'Mesh':
      return object.spec.installation.version ?? '-';
    case 'Workload':
      return `${object.spec.kubernetes.controller.kind}/${object.spec.kubernetes.controller.name}`;
    case 'Destination':
      return `Service/${object.spec.kubeService.ref.name}`;
  }
}
