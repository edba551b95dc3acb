// Definition of a kind: names, serving, columns and validation.
import type * as z from 'zod/mini';
import type { KindName, ObjectsByKind } from '../meshrelay-object.ts';

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  /** Columns above 0 are shown by `-o wide` only. */
  readonly priority?: number;
}

/** One Meshrelay kind. */
export interface KindDefinition<Kind extends KindName = KindName> {
  readonly group: string;
  readonly version: string;
  readonly kind: Kind;
  /** Lower case, as in URLs. */
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly namespaced: boolean;
  /** True if status is a subresource; false if the kind has no status. */
  readonly statusSubresource: boolean;
  /** True for kinds that only Meshrelay itself reads and writes. */
  readonly internal: boolean;
  readonly printerColumns: readonly PrinterColumn[];
  /** The syntax of `metadata.name`, if it is stricter than that of Kubernetes. */
  readonly nameSchema?: z.ZodMiniType<string>;
  /** The whole object. */
  readonly schema: z.ZodMiniType<ObjectsByKind[Kind]>;
  readonly specSchema: z.ZodMiniType<ObjectsByKind[Kind]['spec']>;
  /** Absent on kinds without a status. */
  readonly statusSchema?: z.ZodMiniType<NonNullable<ObjectsByKind[Kind]['status']>>;
}
