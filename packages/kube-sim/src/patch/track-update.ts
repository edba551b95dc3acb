/** Ownership after a write that is not an apply: create, replace, JSON, merge or strategic patch. */
import type { KubeObject, ManagedFieldsEntry, SchemaNode } from '../object.ts';
import { difference, type FieldSet, isEmptySet, NO_FIELDS, union } from './field-set.ts';
import { joinOldestUpdaters } from './join-updaters.ts';
import {
  entryTime,
  type Manager,
  type Managers,
  managerKey,
  readManagers,
  withoutManagers,
  writeManagers,
} from './managers.ts';
import { rootSchema } from './root-schema.ts';
import { changesOf, fieldAt, ownable, takeFrom, withManager } from './track-fields.ts';

/** A finished write whose ownership must be recorded. */
export interface TrackedWrite {
  /** The stored object; absent if the write creates it. */
  readonly before?: KubeObject;
  /** The object to be stored, with the client's managedFields, if any. */
  readonly after: KubeObject;
  /** The field manager's name; empty becomes `unknown`. */
  readonly manager: string;
  readonly schema: SchemaNode;
  /** The version of the write. */
  readonly apiVersion: string;
  readonly subresource?: string;
  /** Member paths that this endpoint does not write; by default `spec` and `metadata` for the status subresource. */
  readonly ignored?: readonly (readonly string[])[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * `after` with its managedFields: this manager owns changed and new fields, others lose them, and removed fields have
 * no owner. A client that sends `managedFields: []` or `[{}]` removes all owners of the object, and an object without
 * owners stays so until its next apply.
 */
export function trackUpdate(write: TrackedWrite): KubeObject {
  const { before } = write;
  const managers = managersOf(write);
  const after = withoutManagers(write.after);
  if (before !== undefined && managers.size === 0) return after;
  return writeManagers(after, recordUpdate({ ...write, after }, managers));
}

/** The owners after the write; see {@link trackUpdate}. */
export function recordUpdate(write: TrackedWrite, managers: Managers): Managers {
  const { before, after, subresource, apiVersion } = write;
  const ignored = ignoredFields(write.ignored, subresource);
  const nothing = { apiVersion: after.apiVersion, kind: after.kind, metadata: {} } as KubeObject;
  const live = before === undefined ? nothing : withoutManagers(before);
  const changes = changesOf(rootSchema(write.schema), live, after, ignored);
  const self: Omit<Manager, 'fields'> = {
    name: write.manager || 'unknown',
    operation: 'Update',
    apiVersion,
    ...(subresource ? { subresource } : {}),
  };
  const taken = ownable(union(changes.modified, changes.added), ignored);
  const key = managerKey(self);
  const left = takeFrom(managers, '', changes);
  if (isEmptySet(taken)) return joinOldestUpdaters(left);
  const retained = difference(managers.get(key)?.fields ?? NO_FIELDS, changes.removed);
  return joinOldestUpdaters(withManager(left, { ...self, time: entryTime(write.now), fields: union(retained, taken) }));
}

/** The subtrees that a write through this endpoint does not touch, as a set. */
export function ignoredFields(
  paths: readonly (readonly string[])[] | undefined,
  subresource: string | undefined,
): FieldSet {
  const ignored = paths ?? (subresource === 'status' ? [['spec'], ['metadata']] : []);
  return ignored.map(fieldAt).reduce(union, NO_FIELDS);
}

function managersOf({ before, after, subresource }: TrackedWrite): Managers {
  const sent = after.metadata.managedFields;
  if (subresource || sent === undefined) return readManagers(before);
  if (isReset(sent)) return new Map();
  const managers = readManagers(after);
  return managers.size > 0 ? managers : readManagers(before);
}

function isReset(sent: readonly ManagedFieldsEntry[]): boolean {
  return sent.length === 0 || (sent.length === 1 && Object.keys(sent[0] ?? {}).length === 0);
}
