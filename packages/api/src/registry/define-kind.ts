// Completes a row of the table of kinds with the values that all kinds share.
import * as z from 'zod/mini';
import { VERSION } from '../group.ts';
import { kubeMetadata } from '../kube/metadata.ts';
import type { KindName, MeshrelayObject, ObjectsByKind } from '../meshrelay-object.ts';
import { type Fields, object } from '../schema/object.ts';
import type { KindDefinition } from './kind-definition.ts';

type Row<Kind extends KindName> = Pick<
  KindDefinition<Kind>,
  'group' | 'plural' | 'specSchema' | 'statusSchema' | 'printerColumns'
> &
  Partial<Pick<KindDefinition<Kind>, 'shortNames' | 'internal' | 'nameSchema'>>;

/** The definition of `kind`, namespaced like all Meshrelay kinds. */
export function defineKind<Kind extends KindName>(kind: Kind, row: Row<Kind>): KindDefinition<Kind> {
  return {
    shortNames: [],
    internal: false,
    ...row,
    version: VERSION,
    kind,
    singular: kind.toLowerCase(),
    scope: 'Namespaced',
    namespaced: true,
    statusSubresource: row.statusSchema !== undefined,
    schema: objectSchema(kind, row),
  };
}

function objectSchema<Kind extends KindName>(kind: Kind, row: Row<Kind>): z.ZodMiniType<ObjectsByKind[Kind]> {
  const required = {
    apiVersion: z.literal(`${row.group}/${VERSION}`),
    kind: z.literal(kind),
    metadata: kubeMetadata(row.nameSchema),
    spec: row.specSchema,
  };
  const optional = row.statusSchema === undefined ? {} : { status: row.statusSchema };
  // TypeScript cannot follow a type indexed by a type parameter through the mapped type; each part was checked alone.
  const fields = { required, optional } as unknown as Fields<MeshrelayObject>;
  return object<MeshrelayObject>(kind, fields) as unknown as z.ZodMiniType<ObjectsByKind[Kind]>;
}
