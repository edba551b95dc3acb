// What is known of a kind beyond its type: how it is named, served, shown and checked.
import type { z } from 'zod';
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

/** One kind of ours. */
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
  /** True when status is a subresource of its own; false when the kind has no status. */
  readonly statusSubresource: boolean;
  /** True for kinds only Meshrelay itself reads and writes. */
  readonly internal: boolean;
  readonly printerColumns: readonly PrinterColumn[];
  /** The whole object. */
  readonly schema: z.ZodType<ObjectsByKind[Kind]>;
  readonly specSchema: z.ZodType<ObjectsByKind[Kind]['spec']>;
  /** Absent on kinds without a status. */
  readonly statusSchema?: z.ZodType<NonNullable<ObjectsByKind[Kind]['status']>>;
  /** One sentence on what the kind is. */
  readonly doc: string;
}
