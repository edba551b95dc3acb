/** Which fields of users' objects this agent may patch at all: those its own plugins declare, whatever the server asks. */
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

  /** The kind of the object, as a resource of the API server; undefined where the field may not be patched. */
  kindFor({ object, fieldPath }: Pick<ObjectPatchSpec, 'object' | 'fieldPath'>): ResourceKind | undefined {
    const kind = this.kinds.find((one) => apiVersionOf(one) === object.apiVersion && one.kind === object.kind);
    return kind === undefined ? undefined : findPatchPermission(this.#rights, kind, object.name, fieldPath)?.kind;
  }
}
