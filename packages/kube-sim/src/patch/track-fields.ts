/** Changes of ownership when an object changes: shared by apply and the other writes. */
import type { JsonObject, KubeObject, SchemaNode } from '../object.ts';
import { compareFields, type FieldChanges } from './compare-fields.ts';
import type { Conflict } from './field-conflict.ts';
import {
  difference,
  type FieldSet,
  intersection,
  isEmptySet,
  singleField,
  union,
  withoutSubtrees,
} from './field-set.ts';
import { type Manager, type Managers, managerKey } from './managers.ts';
import { memberElement } from './path-element.ts';

/** Fields without owners: the server's own, and those that identify the object. */
export const NEVER_OWNED: FieldSet = [
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['metadata', name]),
]
  .map(fieldAt)
  .reduce(union);

/** The field at the end of a path of member names. */
export function fieldAt(path: readonly string[]): FieldSet {
  return singleField(path.map(memberElement));
}

/** The set without fields that cannot be owned; `ignored` are subtrees that this write does not touch. */
export function ownable(fields: FieldSet, ignored: FieldSet): FieldSet {
  return difference(withoutSubtrees(fields, ignored), NEVER_OWNED);
}

/** Differences between two whole objects, without the subtrees that this write does not touch. */
export function changesOf(schema: SchemaNode, before: KubeObject, after: KubeObject, ignored: FieldSet): FieldChanges {
  const { added, modified, removed } = compareFields(schema, asJson(before), asJson(after));
  return {
    added: withoutSubtrees(added, ignored),
    modified: withoutSubtrees(modified, ignored),
    removed: withoutSubtrees(removed, ignored),
  };
}

/** A Kubernetes object as plain JSON. */
export function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject;
}

/** The fields that other owners would lose by these changes: their fields with another value. */
export function conflictsOf(managers: Managers, self: string, changes: FieldChanges): Conflict[] {
  const touched = union(changes.modified, changes.added);
  return [...managers]
    .filter(([key]) => key !== self)
    .map(([, manager]) => ({ manager, fields: intersection(manager.fields, touched) }))
    .filter(({ fields }) => !isEmptySet(fields));
}

/**
 * The owners after these changes: all except `self` lose changed or removed fields; an owner without fields is dropped.
 */
export function takeFrom(managers: Managers, self: string, changes: FieldChanges): Map<string, Manager> {
  const lost = union(union(changes.modified, changes.added), changes.removed);
  const left = new Map<string, Manager>();
  for (const [key, manager] of managers) {
    const fields = key === self ? manager.fields : difference(manager.fields, lost);
    if (!isEmptySet(fields)) left.set(key, { ...manager, fields });
  }
  return left;
}

/** The owners with one added or replaced; one without fields is removed. */
export function withManager(managers: Managers, manager: Manager): Map<string, Manager> {
  const all = new Map(managers);
  if (isEmptySet(manager.fields)) all.delete(managerKey(manager));
  else all.set(managerKey(manager), manager);
  return all;
}
