/** What many kinds have in common: metadata, conditions, label selectors. */
import type { SchemaNode } from '../object.ts';
import { objectMetaSchema } from '../schema/object-meta.ts';
import { atomic, type Fields, int64, listOf, mapOf, record, text, time } from './build.ts';

/** A whole object: its kind's own members beside `apiVersion`, `kind` and `metadata`. */
export function kind(fields: Fields, ...required: string[]): SchemaNode {
  return record({ apiVersion: text, kind: text, metadata: objectMetaSchema, ...fields }, ...required);
}

/** A label selector, as workloads and policies have it. */
export const labelSelector: SchemaNode = atomic(
  record({
    matchExpressions: listOf(record({ key: text, operator: text, values: listOf(text) }, 'key', 'operator')),
    matchLabels: mapOf(text),
  }),
);

/** A condition as most kinds have it. */
export const condition: SchemaNode = record(
  { lastTransitionTime: time, message: text, observedGeneration: int64, reason: text, status: text, type: text },
  'lastTransitionTime',
  'message',
  'reason',
  'status',
  'type',
);
