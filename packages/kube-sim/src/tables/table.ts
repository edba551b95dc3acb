/** Tables: the output of `kubectl get`. */
import type { JsonObject, KubeObject } from '../object.ts';
import type { PrinterColumn } from './column.ts';

/** Options of a table. */
export interface TableOptions {
  /** Columns after the name. */
  readonly columns: readonly PrinterColumn[];
  /** How much of each object is in its row: `None`, `Metadata` (the default) or `Object`. */
  readonly include: string | null;
  /** Milliseconds, for ages. */
  readonly now: number;
  readonly metadata: JsonObject;
  /** False omits the column definitions, as in all but the first event of a watch. */
  readonly heads?: boolean;
}

const NAME = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated.',
  priority: 0,
};

/** The table of some objects. */
export function tableOf(objects: readonly KubeObject[], options: TableOptions): JsonObject {
  const heads = options.columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: options.metadata,
    columnDefinitions: options.heads === false ? null : [NAME, ...heads],
    rows: objects.map((object) => row(object, options)),
  };
}

function row(object: KubeObject, { columns, include, now }: TableOptions): JsonObject {
  const cells = [object.metadata.name, ...columns.map((column) => column.cell(object, now))];
  if (include === 'None') return { cells, object: null };
  if (include === 'Object') return { cells, object: object as unknown as JsonObject };
  const metadata = object.metadata as unknown as JsonObject;
  return { cells, object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata } };
}
