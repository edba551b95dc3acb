/** How core kinds point at each other and at fields. */
import type { SchemaNode } from '../object.ts';
import { atomic, int32, quantity, record, text, textOr } from './build.ts';

/** An object of the same namespace, by name. */
export const localObjectReference: SchemaNode = atomic(record({ name: text }));

/** Any object, and optionally a field of it. */
export const objectReference: SchemaNode = atomic(
  record({
    apiVersion: text,
    fieldPath: text,
    kind: text,
    name: text,
    namespace: text,
    resourceVersion: text,
    uid: text,
  }),
);

/** An object of the same namespace, by kind and name. */
export const typedLocalObjectReference: SchemaNode = atomic(
  record({ apiGroup: text, kind: text, name: text }, 'kind', 'name'),
);

/** An object by kind, name and namespace. */
export const typedObjectReference: SchemaNode = record(
  { apiGroup: text, kind: text, name: text, namespace: text },
  'kind',
  'name',
);

/** A field of the pod itself. */
export const objectFieldSelector: SchemaNode = atomic(
  record({ apiVersion: textOr('v1'), fieldPath: text }, 'fieldPath'),
);

/** A resource amount of a container. */
export const resourceFieldSelector: SchemaNode = atomic(
  record({ containerName: text, divisor: quantity, resource: text }, 'resource'),
);

/** A key of a ConfigMap or Secret and the file it becomes. */
export const keyToPath: SchemaNode = record({ key: text, mode: int32, path: text }, 'key', 'path');
