/** Patches: fields of user-owned objects that a mesh needs to change, and the permissions to set them. */
import type { JsonValue } from '@meshrelay/api';
import type { ResourceKind } from './kubernetes/resource-kind.ts';
import type { NativeObjectRef } from './native-object.ts';

/** Fields of user-owned objects that a plugin may set if Settings consents. */
export interface PatchPermission {
  readonly kind: ResourceKind;
  /** Names of the objects; `*` as the last character matches any ending. */
  readonly names: readonly string[];
  /**
   * Names of fields, separated by dots, such as `spec.traffic.enableEgress`. Where a field holds YAML as text, `:yaml/`
   * and the names within it, separated by slashes, follow: `data.mesh:yaml/trustDomainAliases`. There `[NAME]` as the
   * last name is the member of a list that has this `name`.
   */
  readonly fieldPaths: readonly string[];
  /** The field of Settings that gives consent: `spec.patches.<plugin>.<name>`. */
  readonly consent: string;
}

/** The desired value of a field: one value, or a list that must include these members. */
export type PatchOperation = { readonly set: JsonValue } | { readonly include: readonly string[] };

/** A field of a user-owned object that needs another value. */
export interface PatchRequest {
  readonly object: NativeObjectRef;
  /** One of those that the plugin has permission for. */
  readonly fieldPath: string;
  readonly operation: PatchOperation;
  /** The value that discovery observed; null: no value; omitted: not known. Only messages to the user depend on it. */
  readonly current?: JsonValue;
  /** The field of the policy that requests it. */
  readonly field: string;
  /** What does not take effect without it, as a sentence without its full stop. */
  readonly without: string;
}
