/** The namespaces of objects: simulated clusters seldom define them, real ones always do. */
import type { KubeObject } from '@meshrelay/api';
import { groupOf } from '@meshrelay/plugin';
import { namespaceObject } from '@meshrelay/relay-core';
import type { Reported } from './reported.ts';

/** The namespaces of one cluster. */
export class LiveNamespaces {
  readonly #inhabitants = new Map<string, Set<string>>();
  /** Those that were reported as objects. */
  readonly #reported = new Set<string>();

  /** Changes of namespaces that follow from changes of objects. */
  follow(changes: readonly Reported[]): Reported[] {
    return changes.flatMap(({ object, outcome }) =>
      isNamespace(object) ? this.#declared(object, outcome) : this.#inhabited(object, outcome),
    );
  }

  #declared(object: KubeObject, outcome: Reported['outcome']): Reported[] {
    const { name } = object.metadata;
    if (outcome === 'there') {
      this.#reported.add(name);
      return [{ object: namespaceObject(object), outcome }];
    }
    this.#reported.delete(name);
    return this.#inhabitants.has(name) ? [namedOnly(name, 'there')] : [namedOnly(name, 'gone')];
  }

  #inhabited(object: KubeObject, outcome: Reported['outcome']): Reported[] {
    const { namespace = '' } = object.metadata;
    if (namespace === '') return [];
    const inhabitants = this.#inhabitants.get(namespace) ?? new Set();
    const before = inhabitants.size > 0;
    if (outcome === 'there') inhabitants.add(idOf(object));
    else inhabitants.delete(idOf(object));
    const after = inhabitants.size > 0;
    if (after) this.#inhabitants.set(namespace, inhabitants);
    else this.#inhabitants.delete(namespace);
    return before === after || this.#reported.has(namespace) ? [] : [namedOnly(namespace, after ? 'there' : 'gone')];
  }
}

function isNamespace({ apiVersion, kind }: KubeObject): boolean {
  return groupOf(apiVersion) === '' && kind === 'Namespace';
}

function namedOnly(name: string, outcome: Reported['outcome']): Reported {
  return { object: namespaceObject({ metadata: { name } }), outcome };
}

function idOf({ apiVersion, kind, metadata: { name } }: KubeObject): string {
  return `${groupOf(apiVersion)} ${kind} ${name}`;
}
