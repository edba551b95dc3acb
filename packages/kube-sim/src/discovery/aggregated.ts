/** Aggregated discovery (v2): every group, version and resource in one document. */
import type { JsonObject } from '../object.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { ResourceDefinition, VersionDefinition } from '../resources/definition.ts';
import { servedGroups, subresourcesOf } from './verbs.ts';

/** The document for the core group (`/api`) or for all others (`/apis`). */
export function aggregatedDiscovery(catalog: Catalog, core: boolean): JsonObject {
  const definitions = catalog.all();
  const items = servedGroups(definitions)
    .filter(({ group }) => (group === '') === core)
    .map(({ group, versions }) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versions.map((version) => ({
        version,
        freshness: 'Current',
        resources: definitions
          .filter((each) => each.group === group)
          .flatMap((each) =>
            resource(
              each,
              each.versions.find((one) => one.served && one.name === version),
            ),
          ),
      })),
    }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

function resource(definition: ResourceDefinition, version: VersionDefinition | undefined): JsonObject[] {
  if (version === undefined) return [];
  const { group, kind, custom } = definition;
  const subresources = subresourcesOf(definition, version).map((each) => ({
    subresource: each.name,
    responseKind: each.kind,
    verbs: [...each.verbs],
  }));
  return [
    {
      resource: definition.plural,
      // Built-in resources omit group and version: they are those of the list.
      responseKind: { group: custom ? group : '', version: custom ? version.name : '', kind },
      scope: definition.namespaced ? 'Namespaced' : 'Cluster',
      singularResource: definition.singular,
      verbs: [...definition.verbs],
      ...(definition.shortNames.length === 0 ? {} : { shortNames: [...definition.shortNames] }),
      ...(definition.categories.length === 0 ? {} : { categories: [...definition.categories] }),
      ...(subresources.length === 0 ? {} : { subresources }),
    },
  ];
}
