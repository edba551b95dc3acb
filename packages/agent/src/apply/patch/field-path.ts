/** Fields of users' objects as patches name them: `spec.a.b`, or `data.text:yaml/a/b` for a field of YAML that another field holds as text, `data.text:yaml/list/[x]` for a member there. */
import type { JsonValue, KubeObject } from '@meshrelay/api';
import { PatchTypeMismatchError } from './patch-type-mismatch-error.ts';
import { depthOf, memberOf, valueAt, withValueAt } from './plain-fields.ts';
import { withYamlValue, yamlValue } from './yaml-text.ts';

const YAML = ':yaml/';

/** A field of one object. */
export class Field {
  readonly path: string;
  readonly #outer: readonly string[];
  /** Names within the text; none where the field is the object's own. */
  readonly #inner: readonly string[];

  constructor(path: string) {
    const [outer = '', inner] = path.split(YAML, 2);
    this.path = path;
    this.#outer = outer.split('.');
    this.#inner = inner === undefined ? [] : inner.split('/');
  }

  /** @throws MisfitError where its text is no YAML */
  valueIn(object: KubeObject): JsonValue | undefined {
    if (this.#inner.length === 0) return valueAt(dataOf(object), this.#outer);
    return yamlValue(this.#textIn(object), this.#inner);
  }

  /** How many of the names that lead to it are there already. */
  depthIn(object: KubeObject): number {
    if (this.#inner.length === 0) return depthOf(dataOf(object), this.#outer);
    return depthOf(yamlValue(this.#textIn(object), []), this.#inner);
  }

  /** The object with that value. @throws MisfitError where there is no place for it */
  set(object: KubeObject, value: JsonValue): KubeObject {
    return this.#with(object, this.#names, value);
  }

  /** The object without the field, and without what was made for it below that depth and is empty now. */
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

  /** Names as far as they lead somewhere, and one more: what is missing below comes with the value. */
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
