/** Patches: fields of the user's own objects that a mesh needs to be otherwise, and the rights to set them. */
import type { JsonValue } from '@meshrelay/api';
import { kindKey, type ResourceKind } from '../input/resource-kind.ts';
import type { NativeObjectRef } from './contract.ts';

/** Fields of the user's own objects that a plugin may set where Settings consents. */
export interface PatchPermission {
  readonly kind: ResourceKind;
  /** Names of the objects; `*` as the last character stands for any ending. */
  readonly names: readonly string[];
  /**
   * Names of fields joined by dots, such as `spec.traffic.enableEgress`. Where a field holds YAML as text, `:yaml/` and the names within it, joined
   * by slashes, follow: `data.mesh:yaml/trustDomainAliases`. There `[NAME]` as the last name is the member of a list that has this `name`.
   */
  readonly fieldPaths: readonly string[];
  /** The field of Settings that gives consent: `spec.patches.<plugin>.<name>`. */
  readonly consent: string;
}

/** What a field is to be: one value, or a list that has these members among others. */
export type PatchOperation = { readonly set: JsonValue } | { readonly include: readonly string[] };

/** A field of one of the user's objects that is wanted otherwise. */
export interface PatchRequest {
  readonly object: NativeObjectRef;
  /** One of those the plugin has a right to. */
  readonly fieldPath: string;
  readonly operation: PatchOperation;
  /** What discovery saw there; null: nothing; omitted: not known. Only words to the user depend on it. */
  readonly current?: JsonValue;
  /** The field of the policy that asks for it. */
  readonly field: string;
  /** What is not in force without it, as a sentence without its full stop. */
  readonly without: string;
}

/** The right to a patch among those given, or undefined. */
export function findPatchPermission(
  rights: readonly PatchPermission[],
  kind: Pick<ResourceKind, 'group' | 'kind'>,
  name: string,
  fieldPath: string,
): PatchPermission | undefined {
  return rights.find(
    (right) =>
      kindKey(right.kind) === kindKey(kind) &&
      right.fieldPaths.includes(fieldPath) &&
      right.names.some((pattern) => fits(name, pattern)),
  );
}

/** The rights to patch objects of this name, whichever their fields. */
export function rightsToName(rights: readonly PatchPermission[], name: string): readonly PatchPermission[] {
  return rights.filter(({ names }) => names.some((pattern) => fits(name, pattern)));
}

function fits(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** Whether a value already is what is wanted. */
export function isSatisfied(value: JsonValue | undefined, operation: PatchOperation): boolean {
  if ('set' in operation) return value !== undefined && JSON.stringify(value) === JSON.stringify(operation.set);
  return Array.isArray(value) && operation.include.every((member) => value.includes(member));
}
