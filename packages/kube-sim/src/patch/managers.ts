/** The owners in `metadata.managedFields`, as sets. */
import type { KubeObject, ManagedFieldsEntry } from '../object.ts';
import { type FieldSet, isEmptySet, readFieldsV1, writeFieldsV1 } from './field-set.ts';

/** One owner: manager, operation, subresource and version, and its fields. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource?: string;
  /** RFC 3339, whole seconds; absent if the entry has none. */
  readonly time?: string;
  readonly fields: FieldSet;
}

/** The owners of one object by {@link managerKey}. */
export type Managers = ReadonlyMap<string, Manager>;

/** Identifies an owner. An applier is the same in every version; an updater is one per version. */
export function managerKey(manager: Omit<Manager, 'fields' | 'time'>): string {
  const version = manager.operation === 'Apply' ? '' : manager.apiVersion;
  return JSON.stringify([manager.name, manager.operation, version, manager.subresource ?? '']);
}

/** The owners of an object; none if its entries are unreadable. */
export function readManagers(object: KubeObject | undefined): Managers {
  const managers = new Map<string, Manager>();
  for (const entry of object?.metadata.managedFields ?? []) {
    const manager = readEntry(entry);
    if (manager === undefined) return new Map();
    managers.set(managerKey(manager), manager);
  }
  return managers;
}

function readEntry(entry: ManagedFieldsEntry): Manager | undefined {
  const readable =
    (entry.operation === 'Apply' || entry.operation === 'Update') &&
    Boolean(entry.apiVersion) &&
    entry.fieldsType === 'FieldsV1';
  if (!readable) return undefined;
  try {
    return {
      name: entry.manager ?? '',
      operation: entry.operation,
      apiVersion: entry.apiVersion,
      fields: readFieldsV1(entry.fieldsV1 ?? {}),
      ...(entry.subresource ? { subresource: entry.subresource } : {}),
      ...(entry.time ? { time: entry.time } : {}),
    };
  } catch {
    return undefined; // a client wrote an invalid field set: the real server drops the owners, and so does the simulator
  }
}

/** The object with these owners in the real server's order: appliers first, then by time, then by name. */
export function writeManagers(object: KubeObject, managers: Managers): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  const owners = [...managers.values()].filter((manager) => !isEmptySet(manager.fields)).sort(compareManagers);
  const listed = owners.length === 0 ? {} : { managedFields: owners.map(writeEntry) };
  return { ...object, metadata: { ...metadata, ...listed } };
}

/** The object without its list of owners. */
export function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function writeEntry(manager: Manager): ManagedFieldsEntry {
  return {
    manager: manager.name,
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time === undefined ? {} : { time: manager.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: writeFieldsV1(manager.fields),
    ...(manager.subresource === undefined ? {} : { subresource: manager.subresource }),
  };
}

function compareManagers(left: Manager, right: Manager): number {
  return (
    compare(left.operation, right.operation) ||
    compare(left.time ?? '', right.time ?? '') ||
    compare(left.name, right.name) ||
    compare(left.apiVersion, right.apiVersion) ||
    compare(left.subresource ?? '', right.subresource ?? '')
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A time (milliseconds since 1970) in the format of entries: RFC 3339 in whole seconds. */
export function entryTime(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19)}Z`;
}
