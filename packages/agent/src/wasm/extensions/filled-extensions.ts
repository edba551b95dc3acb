/**
 * Puts modules into extensions that only name them, between XdsConfig objects and the resources served to Envoys. An
 * extension is pending until its module is available. Meanwhile, an Envoy with an earlier version keeps it; one without
 * follows its listener's setting for that case.
 */
import type { WasmModuleReference } from '@meshrelay/envoy-api';
import type { Hash, ShardSpec, XdsCatalog } from '@meshrelay/envoy-api/xds';
import { idOf, type Modules } from '../modules/modules.ts';
import { filled, type Placeholder, placeholderIn } from './placeholder.ts';

/** State of an extension on this replica, before any ACK of an Envoy. */
export interface ExtensionState {
  /** Version that up-to-date Envoys report. Absent while the extension lacks its module. */
  readonly version?: string;
  /** Why its module, or a newer version of it, is not available. */
  readonly reason?: string;
}

export interface FilledExtensionsOptions {
  readonly catalog: Pick<XdsCatalog, 'set' | 'delete'>;
  readonly modules: Pick<Modules, 'need' | 'release'>;
  readonly hash: Hash;
}

interface Extension {
  /** By object; the first by name counts. */
  readonly meant: Map<string, { readonly text: string; readonly placeholder: Placeholder }>;
  reference?: WasmModuleReference;
  state: ExtensionState;
}

/** Name prefix of catalog objects created here; no Kubernetes object has such a name. */
const MADE = 'extension ';

export class FilledExtensions {
  readonly #options: FilledExtensionsOptions;
  readonly #extensions = new Map<string, Extension>();
  /** Names of the extensions in an object, by object. */
  readonly #objects = new Map<string, readonly string[]>();
  /** Names of the extensions that need a module, by module. */
  readonly #users = new Map<string, Set<string>>();

  constructor(options: FilledExtensionsOptions) {
    this.#options = options;
  }

  /** Adds or replaces an object by its name. */
  set(name: string, spec: ShardSpec): void {
    const placeholders = new Map<string, { readonly text: string; readonly placeholder: Placeholder }>();
    const rest = (spec.resources ?? []).filter((resource) => {
      if (resource.type !== 'extensionConfig' || placeholders.has(resource.name)) return true;
      const placeholder = placeholderIn(resource.name, resource.value);
      if (placeholder === undefined) return true;
      placeholders.set(resource.name, { text: JSON.stringify(resource.value), placeholder });
      return false;
    });
    const before = this.#objects.get(name) ?? [];
    if (placeholders.size === 0) this.#objects.delete(name);
    else this.#objects.set(name, [...placeholders.keys()]);
    // A listener must not be served before the extensions that it names are known to follow.
    for (const [extension, meant] of placeholders) this.#mean(extension, name, meant);
    this.#options.catalog.set(name, placeholders.size === 0 ? spec : { ...spec, resources: rest });
    for (const extension of before) if (!placeholders.has(extension)) this.#forget(extension, name);
  }

  /** Removes an object. */
  delete(name: string): void {
    const before = this.#objects.get(name) ?? [];
    this.#objects.delete(name);
    this.#options.catalog.delete(name);
    for (const extension of before) this.#forget(extension, name);
  }

  /** Handles a change of a module's state. */
  moduleChanged(reference: WasmModuleReference): void {
    for (const name of this.#users.get(idOf(reference)) ?? []) this.#serve(name);
  }

  /** State of an extension; undefined if no object contains it. */
  state(name: string): ExtensionState | undefined {
    return this.#extensions.get(name)?.state;
  }

  /** Names of the objects that contain an extension; the effective one is first. */
  objectsOf(name: string): readonly string[] {
    return [...(this.#extensions.get(name)?.meant.keys() ?? [])].sort();
  }

  /** Names of the extensions in an object. */
  namesIn(object: string): readonly string[] {
    return this.#objects.get(object) ?? [];
  }

  /** Extensions whose module, or a newer version of it, is not available. */
  *failing(): Iterable<{ readonly name: string; readonly reason: string }> {
    for (const [name, { state }] of this.#extensions)
      if (state.reason !== undefined) yield { name, reason: state.reason };
  }

  #mean(name: string, object: string, meant: { readonly text: string; readonly placeholder: Placeholder }): void {
    const extension = this.#extensions.get(name) ?? { meant: new Map(), state: {} };
    this.#extensions.set(name, extension);
    if (extension.meant.get(object)?.text === meant.text) return;
    extension.meant.set(object, meant);
    this.#serve(name);
  }

  #forget(name: string, object: string): void {
    const extension = this.#extensions.get(name);
    extension?.meant.delete(object);
    this.#serve(name);
  }

  /** Determines again what is served under a name. */
  #serve(name: string): void {
    const extension = this.#extensions.get(name);
    if (extension === undefined) return;
    const [first] = [...extension.meant].sort(([a], [b]) => (a < b ? -1 : 1));
    const placeholder = first?.[1].placeholder;
    this.#use(name, extension, placeholder?.reference);
    if (placeholder === undefined) {
      this.#extensions.delete(name);
      this.#options.catalog.delete(`${MADE}${name}`);
      return;
    }
    const { module, reason } = this.#options.modules.need(placeholder.reference);
    const why = reason === undefined ? {} : { reason };
    if (module === undefined) {
      extension.state = why;
      this.#options.catalog.set(`${MADE}${name}`, { awaited: [{ type: 'extensionConfig', name }] });
      return;
    }
    const resource = filled(placeholder, module, this.#options.hash);
    extension.state = { version: resource.version, ...why };
    this.#options.catalog.set(`${MADE}${name}`, { made: [resource] });
  }

  #use(name: string, extension: Extension, reference: WasmModuleReference | undefined): void {
    const before = extension.reference;
    if (reference === undefined) delete extension.reference;
    else extension.reference = reference;
    if (reference !== undefined) {
      const users = this.#users.get(idOf(reference)) ?? new Set();
      this.#users.set(idOf(reference), users.add(name));
    }
    if (before === undefined || (reference !== undefined && idOf(before) === idOf(reference))) return;
    const users = this.#users.get(idOf(before));
    users?.delete(name);
    if (users?.size !== 0) return;
    this.#users.delete(idOf(before));
    this.#options.modules.release(before);
  }
}
