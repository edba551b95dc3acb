/** Discovered objects as a list. */
import type { DiscoveredObject } from '@meshrelay/relay-core';
import type { ListFormat } from './format.ts';
import { type Column, kubectlName, listText, objectList } from './list.ts';

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

/** A row for each object. */
export function discoveredText(items: readonly DiscoveredObject[], as: ListFormat): string {
  return listText({ items, columns: COLUMNS, name: kubectlName, data: objectList(items) }, as);
}

/** The namespace in the cluster. */
export function namespaceOf(object: DiscoveredObject): string {
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
