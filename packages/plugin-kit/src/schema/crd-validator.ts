/**
 * Validates objects with the structural schemas of CRDs, more strictly than an API server: unknown fields are rejected,
 * not pruned.
 */
import { readFileSync } from 'node:fs';
import { crds as OWN } from '@meshrelay/api/crds';
import { parseAllDocuments } from 'yaml';
import { type StructuralSchema, schemaProblems } from './structural-schema.ts';

/** The part of a CustomResourceDefinition that validation needs. */
export interface ValidatingCrd {
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

/** Any object with its apiVersion and kind. */
export interface Evaluated {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The errors of an object, one line each; empty if its CRD accepts it. */
export type CrdValidator = (object: Evaluated) => readonly string[];

/** A validator of the CRDs in YAML or JSON files, one or several (also as a `List`) in each. */
export function crdValidator(files: readonly string[]): CrdValidator {
  return crdValidatorOf(files.flatMap(readCrds));
}

function readCrds(file: string): readonly ValidatingCrd[] {
  const text = readFileSync(file, 'utf8');
  const documents: unknown[] = file.endsWith('.json')
    ? [JSON.parse(text)]
    : parseAllDocuments(text).map((document) => document.toJS() as unknown);
  return documents
    .flatMap(
      (document) =>
        (document as { readonly items?: readonly ValidatingCrd[] } | null)?.items ?? [document as ValidatingCrd],
    )
    .filter((crd) => crd?.spec !== undefined);
}

/**
 * A validator of the versions that these CRDs serve, and of Meshrelay kinds, which plugins may write, too. It ignores
 * CEL rules, which only API servers evaluate.
 */
export function crdValidatorOf(crds: readonly ValidatingCrd[]): CrdValidator {
  const schemas = new Map<string, StructuralSchema>(
    [...(OWN as unknown as readonly ValidatingCrd[]), ...crds].flatMap(({ spec }) =>
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
    } = object as Evaluated & { metadata?: unknown };
    return schemaProblems(schema, rest, '');
  };
}
