/** Judges objects by the structural schemas of CRDs, more strictly than an API server: unknown fields are refused, not pruned. */
import { readFileSync } from 'node:fs';
import { type StructuralSchema, schemaProblems } from './structural-schema.ts';

/** As much of a CustomResourceDefinition as judging takes. */
export interface JudgingCrd {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: ReadonlyArray<{
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: StructuralSchema };
    }>;
  };
}

/** Anything that says what it is. */
export interface Judged {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What is wrong with an object, one line each; empty where its CRD takes it. */
export type CrdValidator = (object: Judged) => readonly string[];

/** A validator of the CRDs in a JSON file that holds a `List` of them. */
export function crdValidator(path: string): CrdValidator {
  const { items } = JSON.parse(readFileSync(path, 'utf8')) as { items: JudgingCrd[] };
  return crdValidatorOf(items);
}

/** A validator of the versions that these CRDs serve. Rules in CEL are left to real API servers. */
export function crdValidatorOf(crds: readonly JudgingCrd[]): CrdValidator {
  const schemas = new Map<string, StructuralSchema>(
    crds.flatMap(({ spec }) =>
      spec.versions
        .filter(({ served }) => served)
        .map(({ name, schema }) => [`${spec.group}/${name} ${spec.names.kind}`, schema.openAPIV3Schema] as const),
    ),
  );
  return (object) => {
    const id = `${object.apiVersion} ${object.kind}`;
    const schema = schemas.get(id);
    if (schema === undefined) return [`no CRD serves ${id}`];
    const {
      apiVersion: _apiVersion,
      kind: _kind,
      metadata: _metadata,
      ...rest
    } = object as Judged & { metadata?: unknown };
    return schemaProblems(schema, rest, '');
  };
}
