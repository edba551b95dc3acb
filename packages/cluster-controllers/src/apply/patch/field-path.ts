/**
 * Field paths of patches on user objects: `spec.a.b`, or `data.text:yaml/a/b` for a field of YAML inside a text field.
 * `data.text:yaml/list/[x]` selects a list member there.
 */
import type { JsonValue, KubeObject } from '@meshrelay/api';
import { PatchTypeMismatchError } from './patch-type-mismatch-error.ts';
import { depthOf, memberOf, valueAt, withValueAt } from './plain-fields.ts';
import { withYamlValue, yamlValue } from './yaml-text.ts';

const YAML = ':yaml/';

export class Field {
  readonly path: string;
  readonly #outer: readonly string[];
  /** Names within the YAML text; empty for a field of the object itself. */
  readonly #inner: readonly string[];

  constructor(path: string) {
    const [outer = '', inner] = path.split(YAML, 2);
    this.path = path;
    this.#outer = outer.split('.');
    this.#inner = inner === undefined ? [] : inner.split('/');
  }

  /** @throws PatchTypeMismatchError if the text is not YAML */
  valueIn(object: KubeObject): JsonValue | undefined {
    if (this.#inner.length === 0) return valueAt(dataOf(object), this.#outer);
    return yamlValue(this.#textIn(object), this.#inner);
  }

  /** Number of names on the path that exist already. */
  depthIn(object: KubeObject): number {
    if (this.#inner.length === 0) return depthOf(dataOf(object), this.#outer);
    return depthOf(yamlValue(this.#textIn(object), []), this.#inner);
  }

  /** Returns the object with that value. @throws PatchTypeMismatchError if the value does not fit there */
  set(object: KubeObject, value: JsonValue): KubeObject {
    return this.#with(object, this.#names, value);
  }

  /**
   * Returns the object without the field. Also removes parents below that depth that the patch created and that are now
   * empty.
   */
  remove(object: KubeObject, depth: number): KubeObject {
    let result = this.#with(object, this.#names, undefined);
    for (let length = this.#names.length - 1; length > depth; length--) {
      const names = this.#names.slice(0, length);
      if (!isEmpty(this.#at(result, names))) break;
      result = this.#with(result, names, undefined);
    }
    return result;
  }

  get #names(): readonly string[] {
    return this.#inner.length === 0 ? this.#outer : this.#inner;
  }

  #at(object: KubeObject, names: readonly string[]): JsonValue | undefined {
    return this.#inner.length === 0 ? valueAt(dataOf(object), names) : yamlValue(this.#textIn(object), names);
  }

  #with(object: KubeObject, names: readonly string[], value: JsonValue | undefined): KubeObject {
    if (this.#inner.length === 0) return withValueAt(dataOf(object), names, value) as unknown as KubeObject;
    const text = withYamlValue(
      this.#textIn(object),
      this.#madeFor(object, names, value),
      this.#made(object, names, value),
    );
    return withValueAt(dataOf(object), this.#outer, text) as unknown as KubeObject;
  }

  /** The existing names and the first missing one: everything below it comes with the value. */
  #madeFor(object: KubeObject, names: readonly string[], value: JsonValue | undefined): readonly string[] {
    return value === undefined ? names : names.slice(0, depthOf(yamlValue(this.#textIn(object), []), names) + 1);
  }

  #made(object: KubeObject, names: readonly string[], value: JsonValue | undefined): JsonValue | undefined {
    const rest = names.slice(this.#madeFor(object, names, value).length);
    return value === undefined
      ? undefined
      : rest.reduceRight<JsonValue>(
          (inner, name) => (memberOf(name) === undefined ? { [name]: inner } : [inner]),
          value,
        );
  }

  #textIn(object: KubeObject): string {
    const text = valueAt(dataOf(object), this.#outer);
    if (typeof text === 'string') return text;
    throw new PatchTypeMismatchError(`${this.#outer.join('.')} holds no text`);
  }
}

function dataOf(object: KubeObject): JsonValue {
  return object as unknown as JsonValue;
}

function isEmpty(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
