/** Whether a plugin may set a field of a user-owned object, and whether the field has the desired value. */
import type { JsonValue } from '@meshrelay/api';
import { kindKey, type PatchOperation, type PatchPermission, type ResourceKind } from '@meshrelay/plugin';

/** The permission for a patch among those given, or undefined. */
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

/** The permissions to patch objects of this name, for any field. */
export function rightsToName(rights: readonly PatchPermission[], name: string): readonly PatchPermission[] {
  return rights.filter(({ names }) => names.some((pattern) => fits(name, pattern)));
}

function fits(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** Whether a value already satisfies the operation. */
export function isSatisfied(value: JsonValue | undefined, operation: PatchOperation): boolean {
  if ('set' in operation) return value !== undefined && JSON.stringify(value) === JSON.stringify(operation.set);
  return Array.isArray(value) && operation.include.every((member) => value.includes(member));
}
