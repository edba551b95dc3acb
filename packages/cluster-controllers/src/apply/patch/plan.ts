/**
 * Plans the steps of one patch from the user's object, the operation and the record of earlier patches. A record is
 * stored before the object is written and dropped after the object is restored, so an interrupted patch can be
 * recognized and finished.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonValue, KubeObject, PatchedField } from '@meshrelay/api';
import type { PatchOperation } from '@meshrelay/relay-core';
import { Field } from './field-path.ts';
import { PatchTypeMismatchError } from './patch-type-mismatch-error.ts';

/** Steps in this order; undefined ones are skipped. */
export interface PatchPlan {
  /** New record to store before the object is written, if it differs from the current one; null deletes it. */
  readonly record?: PatchedField | null;
  /** The object to write. */
  readonly write?: KubeObject;
  /** The record can be deleted once the object is written. */
  readonly drop?: boolean;
  /** The user has changed the field since, so it stays unchanged. */
  readonly left?: boolean;
}

/** Identity of the patch and its object in the record. */
export type PatchIdentity = Pick<PatchedField, 'patch' | 'apiVersion' | 'kind' | 'namespace' | 'name' | 'fieldPath'>;

/**
 * @param record of the same patch, if there is one. @throws PatchTypeMismatchError if the operation does not fit the
 * object
 */
export function planOperation(
  identity: PatchIdentity,
  object: KubeObject,
  operation: PatchOperation,
  record: PatchedField | undefined,
): PatchPlan {
  // A record of a deleted object does not apply to a new object of the same name.
  const known = isOf(record, object) ? record : undefined;
  const plan =
    'set' in operation
      ? planSet(identity, object, operation.set, known)
      : planInclude(identity, object, operation.include, known);
  const { record: next = null, ...rest } = plan;
  return isDeepStrictEqual(next, record ?? null) ? rest : { record: next, ...rest };
}

/** Plans to restore the state before the patch. */
export function planRestore(object: KubeObject | undefined, record: PatchedField): PatchPlan {
  if (object === undefined || !isOf(record, object)) return { drop: true };
  const field = new Field(record.fieldPath);
  const current = field.valueIn(object);
  if (record.added === undefined) {
    const { previousValue, appliedValues, depth } = record;
    const before = previousValue?.['value'];
    if (isDeepStrictEqual(current, before)) return { drop: true };
    if (!among(current, appliedValues)) return { drop: true, left: true };
    return { write: before === undefined ? field.remove(object, depth) : field.set(object, before), drop: true };
  }
  const { added, depth } = record;
  if (!Array.isArray(current)) return { drop: true };
  const retained = current.filter((member) => !added.includes(member as string));
  if (retained.length === current.length) return { drop: true };
  const made = depth < lengthOf(record.fieldPath);
  return {
    write: retained.length === 0 && made ? field.remove(object, depth) : field.set(object, retained),
    drop: true,
  };
}

function planSet(
  identity: PatchIdentity,
  object: KubeObject,
  value: JsonValue,
  known: PatchedField | undefined,
): PatchPlan {
  const field = new Field(identity.fieldPath);
  const current = field.valueIn(object);
  const managed = known !== undefined && among(current, known.appliedValues);
  if (isDeepStrictEqual(current, value)) return managed ? { record: known } : {};
  const before = managed
    ? { previousValue: known.previousValue, depth: known.depth }
    : { previousValue: current === undefined ? undefined : { value: current }, depth: field.depthIn(object) };
  const appliedValues = { values: [...(managed ? valuesOf(known.appliedValues) : []), value] };
  const record = { ...identity, uid: uidOf(object), depth: before.depth, appliedValues };
  return {
    record: before.previousValue === undefined ? record : { ...record, previousValue: before.previousValue },
    write: field.set(object, value),
  };
}

function planInclude(
  identity: PatchIdentity,
  object: KubeObject,
  include: readonly string[],
  known: PatchedField | undefined,
): PatchPlan {
  const field = new Field(identity.fieldPath);
  const current = field.valueIn(object) ?? null;
  if (current !== null && !Array.isArray(current))
    throw new PatchTypeMismatchError(`${identity.fieldPath} holds no list`);
  const list: readonly JsonValue[] = current ?? [];
  const managed = (known?.added ?? []).filter((member) => list.includes(member));
  const missing = include.filter((member) => !list.includes(member));
  const unwanted = managed.filter((member) => !include.includes(member));
  const added = [...managed, ...missing].sort();
  if (added.length === 0) return {};
  const depth = managed.length > 0 && known !== undefined ? known.depth : field.depthIn(object);
  const record = { ...identity, uid: uidOf(object), depth, added };
  if (missing.length === 0 && unwanted.length === 0) return { record };
  // Members to remove stay on record until they are removed; the next reconciliation drops them.
  const next = [...list.filter((member) => !unwanted.includes(member as string)), ...missing];
  return { record, write: field.set(object, next) };
}

/** Records belong to one incarnation of an object. */
function isOf(record: PatchedField | undefined, object: KubeObject): record is PatchedField {
  return record !== undefined && record.uid === uidOf(object);
}

function uidOf({ metadata }: KubeObject): string {
  return metadata.uid ?? '';
}

function valuesOf(appliedValues: PatchedField['appliedValues']): readonly JsonValue[] {
  const values = appliedValues?.['values'];
  return Array.isArray(values) ? values : [];
}

function among(value: JsonValue | undefined, appliedValues: PatchedField['appliedValues']): boolean {
  return value !== undefined && valuesOf(appliedValues).some((one) => isDeepStrictEqual(one, value));
}

/** Number of names in a field path, counted within the text if the field is in one. */
function lengthOf(fieldPath: string): number {
  const [outer = '', inner] = fieldPath.split(':yaml/', 2);
  return inner === undefined ? outer.split('.').length : inner.split('/').length;
}
