/** The currently served resources; CRDs add and remove some. */
import { type ResourceDefinition, resourceKey, type ServedResource } from './definition.ts';

/** Every served resource, by path or by kind. */
export class Catalog {
  readonly #byKey = new Map<string, ResourceDefinition>();
  readonly #byKind = new Map<string, ResourceDefinition>();
  /** Incremented with each change, so that documents derived from the catalog can be cached until then. */
  generation = 0;

  readonly #listeners = new Set<() => void>();

  /** Calls `listener` after each change; disposing the result ends that. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Adds a resource or replaces the one of the same group and plural. */
  set(definition: ResourceDefinition): void {
    const key = resourceKey(definition);
    const former = this.#byKey.get(key);
    if (former !== undefined) this.#byKind.delete(kindKey(former.group, former.kind));
    this.#byKey.set(key, definition);
    this.#byKind.set(kindKey(definition.group, definition.kind), definition);
    this.#changed();
  }

  /** Removes a resource; a missing one is not an error. */
  remove(group: string, plural: string): void {
    const key = resourceKey({ group, plural });
    const former = this.#byKey.get(key);
    if (former === undefined) return;
    this.#byKey.delete(key);
    this.#byKind.delete(kindKey(former.group, former.kind));
    this.#changed();
  }

  /** The resource of a request path, or undefined if group, version or plural is not served. */
  byPath(group: string, version: string, plural: string): ServedResource | undefined {
    return serve(this.#byKey.get(resourceKey({ group, plural })), version);
  }

  /** The resource of an object's `apiVersion` and `kind`. */
  byKind(group: string, version: string, kind: string): ServedResource | undefined {
    return serve(this.#byKind.get(kindKey(group, kind)), version);
  }

  /** The resource of a kind in its storage version. */
  stored(group: string, kind: string): ServedResource | undefined {
    const definition = this.#byKind.get(kindKey(group, kind));
    return definition === undefined ? undefined : inStorageVersion(definition);
  }

  /** The resource of a group and plural. */
  byResource(group: string, plural: string): ResourceDefinition | undefined {
    return this.#byKey.get(resourceKey({ group, plural }));
  }

  /** True if a served version of the group has that name. */
  hasGroupVersion(group: string, version: string): boolean {
    return this.all().some(
      (each) => each.group === group && each.versions.some((one) => one.served && one.name === version),
    );
  }

  /** Every resource, by group and plural. */
  all(): ResourceDefinition[] {
    return [...this.#byKey.values()].sort((a, b) => compare(a.group, b.group) || compare(a.plural, b.plural));
  }

  #changed(): void {
    this.generation++;
    for (const listener of this.#listeners) listener();
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function kindKey(group: string, kind: string): string {
  return `${group}/${kind}`;
}

function serve(definition: ResourceDefinition | undefined, version: string): ServedResource | undefined {
  const found = definition?.versions.find((each) => each.served && each.name === version);
  return definition === undefined || found === undefined ? undefined : { definition, version: found };
}

/** The resource in its storage version. */
export function inStorageVersion(definition: ResourceDefinition): ServedResource {
  const version = definition.versions.find((each) => each.name === definition.storageVersion);
  if (version === undefined)
    throw new Error(
      `${resourceKey(definition)}: storage version ${definition.storageVersion} is not among its versions`,
    );
  return { definition, version };
}
