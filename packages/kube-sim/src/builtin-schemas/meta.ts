/** What all kinds have in common: metadata, conditions, references, selectors. */
import type { SchemaNode } from '../object.ts';
import {
  anything,
  atomic,
  type Fields,
  flag,
  int64,
  listBy,
  listOf,
  mapOf,
  patched,
  record,
  setOf,
  text,
  time,
} from './build.ts';

const ownerReference = atomic(
  record(
    { apiVersion: text, blockOwnerDeletion: flag, controller: flag, kind: text, name: text, uid: text },
    'apiVersion',
    'kind',
    'name',
    'uid',
  ),
);

const managedFieldsEntry = record({
  apiVersion: text,
  fieldsType: text,
  fieldsV1: anything,
  manager: text,
  operation: text,
  subresource: text,
  time,
});

/** `metadata` of every kind. */
export const objectMetaSchema: SchemaNode = record({
  annotations: mapOf(text),
  creationTimestamp: time,
  deletionGracePeriodSeconds: int64,
  deletionTimestamp: time,
  finalizers: patched(setOf(text), 'merge'),
  generateName: text,
  generation: int64,
  labels: mapOf(text),
  managedFields: listOf(managedFieldsEntry),
  name: text,
  namespace: text,
  ownerReferences: patched(listBy(['uid'], ownerReference), 'merge', 'uid'),
  resourceVersion: text,
  selfLink: text,
  uid: text,
});

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
