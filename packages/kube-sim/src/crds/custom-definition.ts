/** The resource that a CRD defines. */
import type { Json, KubeObject, SchemaNode } from '../object.ts';
import { apiVersionOf, type ResourceDefinition, type Verb, type VersionDefinition } from '../resources/definition.ts';
import { age } from '../tables/age.ts';
import { AGE } from '../tables/builtin/column-builders.ts';
import type { PrinterColumn } from '../tables/column.ts';
import { parseJsonPath } from '../tables/json-path.ts';
import type { CrdColumn, CrdVersion, CustomResourceDefinition } from './crd.ts';

/** Discovery lists the verbs of custom resources in this order. */
const VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const ANYTHING: SchemaNode = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Builds the resource of a validated CRD. */
export function customDefinition(crd: CustomResourceDefinition): ResourceDefinition {
  const { group, names, scope, versions } = crd.spec;
  return {
    group,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    namespaced: scope === 'Namespaced',
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs: VERBS,
    versions: versions.map((version) => versionOf(crd, version)),
    storageVersion: versions.find((version) => version.storage)?.name ?? '',
    custom: true,
    strategy: { tracksGeneration: true, requiresResourceVersion: true },
    subresources: [],
  };
}

function versionOf(crd: CustomResourceDefinition, version: CrdVersion): VersionDefinition {
  const { subresources, additionalPrinterColumns, selectableFields } = version;
  const schema = version.schema?.openAPIV3Schema ?? ANYTHING;
  return {
    name: version.name,
    served: version.served,
    schema: crd.spec.preserveUnknownFields === true ? { ...schema, ...ANYTHING } : schema,
    columns: columnsOf(additionalPrinterColumns),
    status: subresources?.status !== undefined,
    ...(subresources?.scale === undefined ? {} : { scale: subresources.scale }),
    ...(version.deprecated === true ? { deprecationWarning: deprecation(crd, version) } : {}),
    selectableFields: (selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
  };
}

function deprecation(crd: CustomResourceDefinition, version: CrdVersion): string {
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group, names, versions } = crd.spec;
  const text = `${apiVersionOf(group, version.name)} ${names.kind} is deprecated`;
  const other = versions.find((each) => each.served && each.deprecated !== true);
  return other === undefined ? text : `${text}; use ${apiVersionOf(group, other.name)} ${names.kind}`;
}

function columnsOf(columns: readonly CrdColumn[] | undefined): readonly PrinterColumn[] {
  return columns === undefined || columns.length === 0 ? [AGE] : columns.map(columnOf);
}

function columnOf({ name, type, jsonPath, format, description, priority }: CrdColumn): PrinterColumn {
  const path = parseJsonPath(jsonPath);
  const columnType = type as PrinterColumn['type'];
  return {
    name,
    type: columnType,
    format: format ?? '',
    description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
    cell: (object: KubeObject, now: number): Json => cellOf(columnType, path(object as Json)[0], now),
  };
}

/** A value of another type than the column's is shown as empty. */
function cellOf(type: PrinterColumn['type'], value: Json | undefined, now: number): Json {
  if (value === undefined || value === null) return null;
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? age(value, now) : null;
    default:
      return type satisfies never;
  }
}
