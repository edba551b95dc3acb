/** The built-in resources in full. */
import { builtinSchema } from '../../builtin-schemas/builtin-schema.ts';
import type { SchemaNode } from '../../object.ts';
import { objectMetaSchema } from '../../schema/object-meta.ts';
import { parseApiVersion, type ResourceDefinition, type ScalePaths, type Verb } from '../definition.ts';
import { plain } from './strategies.ts';
import { AGE_ONLY, BUILTIN_ROWS, type BuiltinRow } from './table.ts';

const STORED: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const SCALE: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};
/** Kinds without a schema keep every field. */
const UNDESCRIBED: SchemaNode = {
  type: 'object',
  properties: { metadata: objectMetaSchema },
  'x-kubernetes-preserve-unknown-fields': true,
};

/** Every built-in resource. */
export function builtinDefinitions(): ResourceDefinition[] {
  return BUILTIN_ROWS.map(definition);
}

function definition(row: BuiltinRow): ResourceDefinition {
  const { group, version } = parseApiVersion(row.apiVersion);
  return {
    group,
    plural: row.plural,
    singular: row.kind.toLowerCase(),
    kind: row.kind,
    listKind: `${row.kind}List`,
    namespaced: row.clusterScoped !== true,
    shortNames: row.shortNames ?? [],
    categories: row.categories ?? [],
    verbs: row.review === true ? ['create'] : STORED,
    versions: [
      {
        name: version,
        served: true,
        schema: builtinSchema(row.apiVersion, row.kind) ?? UNDESCRIBED,
        columns: row.columns ?? AGE_ONLY,
        status: row.status === true,
        ...(row.scale === true ? { scale: SCALE } : {}),
        ...(row.deprecationWarning === undefined ? {} : { deprecationWarning: row.deprecationWarning }),
        selectableFields: row.selectableFields ?? [],
      },
    ],
    storageVersion: version,
    custom: false,
    strategy: row.strategy ?? plain,
    subresources: row.subresources ?? [],
  };
}
