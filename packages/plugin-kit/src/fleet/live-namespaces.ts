/** The namespaces that objects are in: a made-up cluster seldom names them, a real one always has them. */
import type { KubeObject } from '@meshrelay/api';
import { groupOf, namespaceObject } from '@meshrelay/relay-core';
import type { Told } from './live-fleet.ts';

/** The namespaces of one cluster. */
export class LiveNamespaces {
  readonly #inhabitants = new Map<string, Set<string>>();
  /** Those that were told of themselves. */
  readonly #told = new Set<string>();

  /** What becomes of namespaces when objects come and go. */
  follow(changes: readonly Told[]): Told[] {
    return changes.flatMap(({ object, fate }) =>
      isNamespace(object) ? this.#declared(object, fate) : this.#inhabited(object, fate),
    );
  }

  #declared(object: KubeObject, fate: Told['fate']): Told[] {
    const { name } = object.metadata;
    if (fate === 'there') {
      this.#told.add(name);
      return [{ object: namespaceObject(object), fate }];
    }
    this.#told.delete(name);
    return this.#inhabitants.has(name) ? [namedOnly(name, 'there')] : [namedOnly(name, 'gone')];
  }

  #inhabited(object: KubeObject, fate: Told['fate']): Told[] {
    const { namespace = '' } = object.metadata;
    if (namespace === '') return [];
    const inhabitants = this.#inhabitants.get(namespace) ?? new Set();
    const before = inhabitants.size > 0;
    if (fate === 'there') inhabitants.add(idOf(object));
    else inhabitants.delete(idOf(object));
    const after = inhabitants.size > 0;
    if (after) this.#inhabitants.set(namespace, inhabitants);
    else this.#inhabitants.delete(namespace);
    return before === after || this.#told.has(namespace) ? [] : [namedOnly(namespace, after ? 'there' : 'gone')];
  }
}

function isNamespace({ apiVersion, kind }: KubeObject): boolean {
  return groupOf(apiVersion) === '' && kind === 'Namespace';
}

function namedOnly(name: string, fate: Told['fate']): Told {
  return { object: namespaceObject({ metadata: { name } }), fate };
}

function idOf({ apiVersion, kind, metadata: { name } }: KubeObject): string {
  return `${groupOf(apiVersion)} ${kind} ${name}`;
}
