/**
 * Puts modules into extensions that only name them, on the way from XdsConfig objects to what Envoys are served. An extension whose module is not there yet is awaited: an Envoy
 * that has an earlier one goes on with it, and one that has none does what its listener says for that case.
 */
import type { WasmModuleReference } from '@meshrelay/envoy-api';
import type { Hash, ShardSpec, XdsCatalog } from '@meshrelay/envoy-api/xds';
import { idOf, type Modules } from '../modules/modules.ts';
import { filled, type Placeholder, placeholderIn } from './placeholder.ts';

/** How an extension stands on this replica, before any Envoy is asked. */
export interface ExtensionState {
  /** What Envoys that have it as it is wanted say they have. Absent while it lacks its module. */
  readonly version?: string;
  /** Why its module, or what that has become since, cannot be had. */
  readonly reason?: string;
}

export interface FilledExtensionsOptions {
  readonly catalog: Pick<XdsCatalog, 'set' | 'delete'>;
  readonly modules: Pick<Modules, 'need' | 'forgo'>;
  readonly hash: Hash;
}

interface Extension {
  /** By object; the first in the order of their names counts. */
  readonly meant: Map<string, { readonly text: string; readonly placeholder: Placeholder }>;
  reference?: WasmModuleReference;
  state: ExtensionState;
}

/** What the objects made here are called; no object of Kubernetes has such a name. */
const MADE = 'extension ';

export class FilledExtensions {
  readonly #options: FilledExtensionsOptions;
  readonly #extensions = new Map<string, Extension>();
  /** Names of the extensions that an object has, by the object. */
  readonly #objects = new Map<string, readonly string[]>();
  /** Names of the extensions that want a module, by the module. */
  readonly #users = new Map<string, Set<string>>();

  constructor(options: FilledExtensionsOptions) {
    this.#options = options;
  }

  /** Puts an object, new or changed, by its name. */
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
    // Listeners that name an extension must not be seen before it is known to come.
    for (const [extension, meant] of placeholders) this.#mean(extension, name, meant);
    this.#options.catalog.set(name, placeholders.size === 0 ? spec : { ...spec, resources: rest });
    for (const extension of before) if (!placeholders.has(extension)) this.#forget(extension, name);
  }

  /** Takes an object away. */
  delete(name: string): void {
    const before = this.#objects.get(name) ?? [];
    this.#objects.delete(name);
    this.#options.catalog.delete(name);
    for (const extension of before) this.#forget(extension, name);
  }

  /** A module stands otherwise than before. */
  moduleChanged(reference: WasmModuleReference): void {
    for (const name of this.#users.get(idOf(reference)) ?? []) this.#serve(name);
  }

  /** How an extension stands; undefined for one that no object has. */
  state(name: string): ExtensionState | undefined {
    return this.#extensions.get(name)?.state;
  }

  /** The objects that mean an extension, the one that counts first. */
  objectsOf(name: string): readonly string[] {
    return [...(this.#extensions.get(name)?.meant.keys() ?? [])].sort();
  }

  /** Names of the extensions that an object has. */
  namesIn(object: string): readonly string[] {
    return this.#objects.get(object) ?? [];
  }

  /** Extensions whose module, or what it has become since, cannot be had. */
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

  /** Decides anew what is served under a name. */
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
    this.#options.modules.forgo(before);
  }
}
