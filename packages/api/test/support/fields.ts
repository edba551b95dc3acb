// Walks the schemas of kinds, so that tests cover every field at every level.
import { crds, type StructuralSchema } from '../../src/crds/mod.ts';
import type { FieldPath } from '../../src/mod.ts';

/** A place in an object of some kind. */
export interface Place {
  readonly path: FieldPath;
  readonly schema: StructuralSchema;
  readonly required: boolean;
}

/** The structural schema of a kind's `spec` and `status`, by name. */
export function schemaOf(kind: string): StructuralSchema {
  const crd = crds.find(({ spec }) => spec.names.kind === kind);
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema;
  if (schema === undefined) throw new Error(`${kind} has no CRD`);
  return schema;
}

/** Every place below `schema`: fields, the first item of lists, one key of maps. */
export function places(schema: StructuralSchema, path: FieldPath = [], required = true): Place[] {
  return [{ path, schema, required }, ...below(schema, path)];
}

function below(schema: StructuralSchema, path: FieldPath): Place[] {
  const { properties = {}, items, additionalProperties } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, child]) =>
      places(child, [...path, name], schema.required?.includes(name) ?? false),
    ),
    ...(items === undefined ? [] : places(items, [...path, 0], false)),
    ...(additionalProperties === undefined ? [] : places(additionalProperties, [...path, MAP_KEY], false)),
  ];
}

/** The key that samples have in maps. */
export const MAP_KEY = 'example.com/key';

/** A value with every field of the schema present, of the right shape though it may break rules. */
export function sample(schema: StructuralSchema): unknown {
  switch (schema.type) {
    case 'object':
      if (schema.additionalProperties !== undefined) return { [MAP_KEY]: sample(schema.additionalProperties) };
      return mapValues(schema.properties ?? {}, sample);
    case 'array':
      return schema.items === undefined ? [] : [sample(schema.items)];
    case 'string':
      return schema.enum?.[0] ?? 'text';
    case 'boolean':
      return true;
    default:
      return schema.minimum ?? 0;
  }
}

/** A sample object of the kind, complete. */
export function sampleObject(kind: string): Record<string, unknown> {
  const crd = crds.find(({ spec }) => spec.names.kind === kind);
  const { spec, status } = schemaOf(kind).properties ?? {};
  if (crd === undefined || spec === undefined) throw new Error(`${kind} has no CRD`);
  return {
    apiVersion: `${crd.spec.group}/v1alpha1`,
    kind,
    metadata: { name: 'sample', namespace: 'meshrelay' },
    spec: sample(spec),
    ...(status === undefined ? {} : { status: sample(status) }),
  };
}

/** A copy of `root` in which `change` replaced the value at `path`; undefined removes the field. */
export function changed(root: unknown, path: FieldPath, change: (old: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(root);
  const copy = (Array.isArray(root) ? [...root] : { ...(root as object) }) as Record<string | number, unknown>;
  const value = changed(copy[step], rest, change);
  if (value === undefined) delete copy[step];
  else copy[step] = value;
  return copy;
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
