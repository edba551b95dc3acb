/** Discovery documents of one group, or one version of a group, at a time. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../object.ts';
import type { Catalog } from '../resources/catalog.ts';
import { apiVersionOf, type ResourceDefinition, resourceKey, type VersionDefinition } from '../resources/definition.ts';
import { servedGroups, subresourcesOf } from './verbs.ts';

/** `/api`: the versions of the core group. */
export function coreVersions(address: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** `/apis`: every group. */
export function groupList(catalog: Catalog): JsonObject {
  const groups = servedGroups(catalog.all())
    .filter(({ group }) => group !== '')
    .map(({ group, versions }) => groupBody(group, versions));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** `/apis/GROUP`, or undefined if nothing is served there. */
export function groupDocument(catalog: Catalog, group: string): JsonObject | undefined {
  const found = servedGroups(catalog.all()).find((each) => each.group === group);
  return found === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group, found.versions) };
}

function groupBody(group: string, names: readonly string[]): JsonObject {
  const versions = names.map((version) => ({ groupVersion: apiVersionOf(group, version), version }));
  return { name: group, versions, ...(versions[0] === undefined ? {} : { preferredVersion: versions[0] }) };
}

/** `/api/v1` or `/apis/GROUP/VERSION`, or undefined if nothing is served there. */
export function resourceList(catalog: Catalog, group: string, version: string): JsonObject | undefined {
  const resources = catalog
    .all()
    .filter((each) => each.group === group)
    .flatMap((each) =>
      entries(
        each,
        each.versions.find((one) => one.served && one.name === version),
      ),
    );
  if (resources.length === 0) return undefined;
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersionOf(group, version), resources };
}

function entries(definition: ResourceDefinition, version: VersionDefinition | undefined): JsonObject[] {
  if (version === undefined) return [];
  const { plural, singular, kind, namespaced, verbs, shortNames, categories, group } = definition;
  const hash = createHash('sha256')
    .update(`${resourceKey(definition)}/${kind}`)
    .digest('base64')
    .slice(0, 12);
  const main: JsonObject = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    storageVersionHash: hash,
  };
  const parts = subresourcesOf(definition, version).map((each): JsonObject => {
    const same = each.kind.group === group && each.kind.version === version.name;
    return {
      name: `${plural}/${each.name}`,
      singularName: '',
      namespaced,
      ...(same ? {} : { group: each.kind.group, version: each.kind.version }),
      kind: each.kind.kind,
      verbs: [...each.verbs],
    };
  });
  return [main, ...parts];
}
