/** Corruptions: one field of an object at a time set to null or to another type. */
import type { KubeObject } from '@meshrelay/api';

/** Path of a field. */
export type FieldPath = ReadonlyArray<string | number>;

/** One way to corrupt an object. */
export interface Dose {
  readonly path: FieldPath;
  readonly value: unknown;
}

/** A corrupted object. */
export interface Spoilt {
  readonly object: KubeObject;
  /** Description of the corruption. */
  readonly what: string;
  /**
   * Whether the result may be a valid object with another meaning: then outputs that depended on it invisibly may
   * change.
   */
  readonly mayMakeSense: boolean;
}

/** Values of the wrong type. */
const VALUES: readonly unknown[] = [
  null,
  true,
  -0.5,
  'poison',
  [],
  [null],
  ['poison'],
  {},
  { poison: { poison: [null] } },
];

/** Identifies an object; another string here would only create another object. */
export const IDENTITY: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata.name', 'metadata.namespace']);

/** Every corruption of an object: each of its fields as null, and with a value of each other type. */
export function doses(object: KubeObject): Dose[] {
  return fieldsOf(object).flatMap(({ path, value }) =>
    VALUES.filter((one) => isOther(one, value) && !(IDENTITY.has(path.join('.')) && typeof one === 'string')).map(
      (one): Dose => ({ path, value: one }),
    ),
  );
}

/** A copy of the object with one corrupted field. */
export function poisoned(object: KubeObject, { path, value }: Dose): KubeObject {
  const copy = structuredClone(object) as unknown as Record<string | number, unknown>;
  let holder = copy;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  const [last] = path.slice(-1);
  if (last !== undefined) holder[last] = structuredClone(value);
  return copy as unknown as KubeObject;
}

/** A field of an object. */
export interface Field {
  readonly path: FieldPath;
  readonly value: unknown;
}

/** Every field of a value, including nested ones. */
export function fieldsOf(holder: unknown, path: FieldPath = []): Field[] {
  if (typeof holder !== 'object' || holder === null) return [];
  const entries: ReadonlyArray<readonly [string | number, unknown]> = Array.isArray(holder)
    ? holder.map((value, index) => [index, value] as const)
    : Object.entries(holder);
  return entries.flatMap(([step, value]) => [{ path: [...path, step], value }, ...fieldsOf(value, [...path, step])]);
}

/** Whether two values have different JSON types. */
export function isOther(one: unknown, value: unknown): boolean {
  return typeOf(one) !== typeOf(value);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
