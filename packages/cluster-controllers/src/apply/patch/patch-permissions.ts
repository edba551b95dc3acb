/**
 * Fields of user objects that this agent may patch: only those its own plugins declare, whatever the server requests.
 */
import {
  apiVersionOf,
  findPatchPermission,
  type LoadedPlugin,
  type ObjectPatchSpec,
  type PatchPermission,
  type ResourceKind,
} from '@meshrelay/relay-core';

export class PatchPermissions {
  /** Kinds of objects that may be patched. */
  readonly kinds: readonly ResourceKind[];
  readonly #rights: readonly PatchPermission[];

  constructor(plugins: readonly LoadedPlugin[]) {
    this.#rights = plugins.flatMap(({ plugin }) => plugin.patches ?? []);
    this.kinds = [...new Map(this.#rights.map(({ kind }) => [`${kind.group}/${kind.kind}`, kind])).values()];
  }

  /** API resource of the object; undefined if the field may not be patched. */
  kindFor({ object, fieldPath }: Pick<ObjectPatchSpec, 'object' | 'fieldPath'>): ResourceKind | undefined {
    const kind = this.kinds.find((one) => apiVersionOf(one) === object.apiVersion && one.kind === object.kind);
    return kind === undefined ? undefined : findPatchPermission(this.#rights, kind, object.name, fieldPath)?.kind;
  }
}
