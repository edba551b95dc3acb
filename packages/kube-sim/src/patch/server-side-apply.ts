/** Server-side apply: merges a manager's intent into the live object, with ownership of every field. */
import { type JsonObject, type KubeObject, type SchemaNode, StatusError } from '../object.ts';
import { equalJson } from '../schema/json-values.ts';
import { emptiedAsNull, withoutEmptied } from './emptied.ts';
import { conflictError } from './field-conflict.ts';
import { difference, equalSets, type FieldSet, isEmptySet, NO_FIELDS } from './field-set.ts';
import { KUBECTL, lastAppliedFields, withLastApplied } from './last-applied.ts';
import {
  entryTime,
  type Manager,
  type Managers,
  managerKey,
  readManagers,
  withoutManagers,
  writeManagers,
} from './managers.ts';
import { mergeFields } from './merge-fields.ts';
import { ownedFields } from './owned-fields.ts';
import { pruneDropped } from './prune-dropped.ts';
import { removeFields } from './remove-fields.ts';
import { rootSchema } from './root-schema.ts';
import { asJson, changesOf, conflictsOf, ownable, takeFrom, withManager } from './track-fields.ts';
import { ignoredFields, recordUpdate } from './track-update.ts';
import { checkTyped } from './typed-check.ts';

/** One apply request. */
export interface ApplyRequest {
  /** The stored object; absent if the apply creates it. */
  readonly live?: KubeObject;
  /** The manager's intent: only the fields it manages. */
  readonly applied: KubeObject;
  readonly manager: string;
  /** Takes fields from their owners instead of answering 409. */
  readonly force: boolean;
  /** The kind's schema in the version of the request. */
  readonly schema: SchemaNode;
  readonly apiVersion: string;
  /**
   * Whether the kind is a custom one: then containers that an apply empties, and that still have an owner, become null.
   */
  readonly custom?: boolean;
  readonly subresource?: string;
  /** Member paths that this endpoint does not write; by default `spec` and `metadata` for the status subresource. */
  readonly ignored?: readonly (readonly string[])[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The result of an apply. */
export interface ApplyResult {
  /** With its managedFields; to be defaulted, pruned, validated and admitted before it is stored. */
  readonly object: KubeObject;
  /** False if neither a value nor an owner changed: `object` is then the live one. */
  readonly changed: boolean;
}

/**
 * Applies an object for a manager.
 * @throws StatusError 400 (a body with managedFields), 500 (a body that the schema cannot split into fields) or 409
 *   (fields that others own with another value, unless forced)
 */
export function serverSideApply(request: ApplyRequest): ApplyResult {
  const schema = rootSchema(request.schema);
  const ignored = ignoredFields(request.ignored, request.subresource);
  if (request.applied.metadata?.managedFields !== undefined) {
    throw new StatusError({ code: 400, reason: 'BadRequest', message: 'metadata.managedFields must be nil' });
  }
  checkTyped(schema, request.applied);

  const { kind } = request.applied;
  const live = withoutManagers(request.live ?? ({ apiVersion: request.apiVersion, kind, metadata: {} } as KubeObject));
  const before = readManagers(request.live);
  const known = before.size === 0 && request.live !== undefined ? beforeFirstApply(request) : before;
  const applied = removeFields(schema, asJson(request.applied), ignored) as unknown as KubeObject;
  const { object, managers } = applyFields({ request, schema, ignored, live, applied, managers: known });

  const finished = request.manager === KUBECTL ? withLastApplied(object, request.applied) : object;
  const same = equalJson(asJson(finished), asJson(live));
  if (request.live !== undefined && same && sameOwners(before, managers))
    return { object: request.live, changed: false };
  return { object: writeManagers(finished, managers), changed: true };
}

interface Step {
  readonly request: ApplyRequest;
  readonly schema: SchemaNode;
  readonly ignored: FieldSet;
  readonly live: KubeObject;
  readonly applied: KubeObject;
  readonly managers: Managers;
}

function applyFields({ request, schema, ignored, live, applied, managers }: Step): {
  object: KubeObject;
  managers: Managers;
} {
  const fields = ownable(ownedFields(schema, asJson(applied)), ignored);
  const identity: Omit<Manager, 'fields'> = {
    name: request.manager,
    operation: 'Apply',
    apiVersion: request.apiVersion,
    ...(request.subresource ? { subresource: request.subresource } : {}),
  };
  const key = managerKey(identity);
  const last = managers.get(key);
  const claimed = withManager(managers, { ...identity, fields });

  const merged = mergeFields(schema, asJson(live), asJson(applied)) as JsonObject;
  const pruned = pruneDropped(schema, merged, last?.fields ?? NO_FIELDS, claimed);
  const object = (request.custom ? emptiedAsNull(pruned) : withoutEmptied(pruned)) as unknown as KubeObject;
  const changes = changesOf(schema, live, pruned as unknown as KubeObject, ignored);
  refuseConflicts({ request, schema, live, changes, managers: claimed, key });

  // As in the real server: an entry without a new value keeps its time, or has none if it is new.
  const time = equalJson(asJson(object), asJson(live)) ? last?.time : entryTime(request.now);
  const self = { ...identity, fields, ...(time === undefined ? {} : { time }) };
  return { object, managers: withManager(takeFrom(claimed, key, changes), self) };
}

interface Claim {
  readonly request: ApplyRequest;
  readonly schema: SchemaNode;
  readonly live: KubeObject;
  readonly changes: ReturnType<typeof changesOf>;
  readonly managers: Managers;
  readonly key: string;
}

function refuseConflicts({ request, schema, live, changes, managers, key }: Claim): void {
  if (request.force) return;
  const own = request.manager === KUBECTL ? lastAppliedFields(schema, live) : NO_FIELDS;
  const conflicts = conflictsOf(managers, key, changes)
    .map((conflict) => ({ ...conflict, fields: difference(conflict.fields, own) }))
    .filter(({ fields }) => !isEmptySet(fields));
  if (conflicts.length > 0) throw conflictError(conflicts);
}

/**
 * Fields of an untracked object belong to `before-first-apply` from its first apply on, so that applying can conflict.
 */
function beforeFirstApply(request: ApplyRequest): Managers {
  const { live, schema, apiVersion, subresource, ignored, now } = request;
  const after = withoutManagers(live as KubeObject);
  return recordUpdate(
    {
      after,
      schema,
      apiVersion,
      now,
      manager: 'before-first-apply',
      ...(subresource === undefined ? {} : { subresource }),
      ...(ignored === undefined ? {} : { ignored }),
    },
    new Map(),
  );
}

function sameOwners(before: Managers, after: Managers): boolean {
  return (
    before.size === after.size &&
    before.entries().every(([key, manager]) => {
      const other = after.get(key);
      return other !== undefined && other.apiVersion === manager.apiVersion && equalSets(other.fields, manager.fields);
    })
  );
}
