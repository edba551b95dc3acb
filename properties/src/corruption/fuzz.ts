/** Corruptions of every sort: several fields of an object at a time, in combinations that no reader can anticipate. */
import type { KubeObject } from '@meshrelay/api';
import fc from 'fast-check';
import type { Placed } from '../fleets/fleet.ts';
import { type Field, type FieldPath, fieldsOf, IDENTITY, isOther, type Spoilt } from './poison.ts';

/** The object to corrupt, and where and how, by names that remain valid when there are more objects and fields. */
export interface Attempt {
  readonly object: ObjectName;
  readonly doses: ReadonlyArray<{ readonly path: FieldPath; readonly how: string }>;
}

/** Identifies an object of a fleet. */
export interface ObjectName {
  readonly cluster: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The object's name. */
export function nameIn({ cluster, object: { kind, metadata } }: Placed): ObjectName {
  return { cluster, kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

type Way = (holder: Record<string | number, unknown>, step: string | number) => void;

const put =
  (value: () => unknown): Way =>
  (holder, step) => {
    // Defines the field instead of assigning it: an assignment to `__proto__` would not create a field.
    Object.defineProperty(holder, step, { value: value(), enumerable: true, configurable: true, writable: true });
  };
const json = (text: string): Way => put(() => JSON.parse(text));

/**
 * Keys that reach the prototypes of JavaScript objects if code treats them as plain keys; as JSON, which makes them
 * fields.
 */
const KEYS =
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1},"toString":1,"hasOwnProperty":null,"length":9}';

/** Fields that no kind defines, in addition to its own. */
const PROTOTYPE_KEYS = 'keys of prototypes next to others';

const WAYS: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(
    [
      'null',
      'true',
      'false',
      '-1',
      '0.5',
      '1e308',
      '9007199254740993',
      '""',
      '"poison"',
      '[]',
      '[null]',
      '[[]]',
      '[{}]',
      '{}',
      '{"":null}',
      '{"poison":{"poison":[null]}}',
    ].map((text) => [text, json(text)] as const),
  ),
  ...Object.fromEntries(
    [
      '__proto__',
      'constructor',
      '*',
      '/',
      '.',
      '..',
      '\u0000',
      '\ud800',
      '((a+)+)+$',
      '255.255.255.256',
      '::1',
      ' ',
      '%s',
      '{{}}',
      '\n- a: b',
    ].map((text) => [`text ${JSON.stringify(text)}`, put(() => text)] as const),
  ),
  gone: (holder, step) => {
    if (Array.isArray(holder)) holder.splice(Number(step), 1);
    else delete holder[step];
  },
  'deep text': put(() => '['.repeat(20_000)),
  'long text': put(() => 'x'.repeat(100_000)),
  'long text of a bad pattern': put(() => `${'a'.repeat(20_000)}!`),
  'long list': put(() => Array.from({ length: 2000 }, (_, index) => index)),
  'long list of objects': put(() => Array.from({ length: 1000 }, () => ({ name: 'poison', port: 80 }))),
  'many keys': put(() => Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`key-${index}`, 'poison']))),
  'deep lists': put(() => nested((inner) => [inner])),
  'deep objects': put(() => nested((inner) => ({ spec: inner }))),
  'keys of prototypes': json(KEYS),
  [PROTOTYPE_KEYS]: (holder, step) => {
    const there = holder[step];
    const beside = typeof there === 'object' && there !== null && !Array.isArray(there) ? there : {};
    put(() => withKeys(beside))(holder, step);
  },
  'many times itself': (holder, step) => {
    const there = holder[step];
    put(() => Array.from({ length: 20 }, () => there))(holder, step);
  },
};

/** API servers accept JSON up to about 10,000 levels. */
const DEEP = 9000;

function nested(around: (inner: unknown) => unknown): unknown {
  let value: unknown = 'deep';
  for (let depth = 0; depth < DEEP; depth += 1) value = around(value);
  return value;
}

function withKeys(there: object): unknown {
  const copy = JSON.parse(KEYS) as Record<string, unknown>;
  for (const [name, value] of Object.entries(there)) put(() => value)(copy, name);
  return copy;
}

/** Attempts on the objects of a fleet, without those that would only result in another valid object. */
export function attempts(fleet: readonly Placed[]): fc.Arbitrary<Attempt> {
  const known = fleet.map((placed) => {
    const paths = fieldsOf(placed.object).map(({ path }) => path);
    return { object: nameIn(placed), paths: paths.filter((path) => !IDENTITY.has(nameOf(path))) };
  });
  const dose = fc.record({ field: fc.nat(999), how: fc.constantFrom(...Object.keys(WAYS)) });
  return fc
    .record({ which: fc.constantFrom(...known), doses: fc.array(dose, { minLength: 1, maxLength: 3 }) })
    .map(({ which: { object, paths }, doses }) => ({
      object,
      doses: doses.map(({ field, how }) => ({ path: paths[field % paths.length] ?? [], how })),
    }));
}

/** A corrupted copy of the object. @throws Error if the object has no such field */
export function spoilt(object: KubeObject, { doses }: Pick<Attempt, 'doses'>): Spoilt {
  const copy = structuredClone(object) as unknown as Record<string, unknown>;
  const taken: FieldPath[] = [];
  const done = doses.flatMap(({ path, how }) => {
    const value = valueAt(object, path);
    // A corruption inside another one would undo it.
    if (taken.some((other) => overlap(other, path))) return [];
    taken.push(path);
    const alien = dose(copy, { path, value }, how);
    return alien === undefined ? [] : { text: `${nameOf(path)}: ${how}`, alien };
  });
  return {
    object: copy as unknown as KubeObject,
    what: done.map(({ text }) => text).join(', '),
    mayMakeSense: !done.every(({ alien }) => alien),
  };
}

function valueAt(object: KubeObject, path: FieldPath): unknown {
  const [holder, step] = [at(object, path.slice(0, -1)), path.at(-1)];
  if (holder === undefined || step === undefined || !Object.hasOwn(holder, step))
    throw new Error(`${object.kind} ${object.metadata.name} has no ${nameOf(path)}`);
  return holder[step];
}

/** Whether the value is invalid in every object; undefined if an earlier corruption has removed a list item. */
function dose(copy: unknown, { path, value }: Field, how: string): boolean | undefined {
  const holder = at(copy, path.slice(0, -1));
  const step = path.at(-1);
  if (holder === undefined || step === undefined) return undefined;
  const way = WAYS[how];
  if (way === undefined) throw new Error(`nothing is spoilt by "${how}"`);
  way(holder, step);
  return how === PROTOTYPE_KEYS || (Object.hasOwn(holder, step) && isOther(holder[step], value));
}

function at(value: unknown, path: FieldPath): Record<string | number, unknown> | undefined {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined;
    inner = (inner as Record<string | number, unknown>)[step];
  }
  return typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>) : undefined;
}

function overlap(one: FieldPath, other: FieldPath): boolean {
  return one.slice(0, other.length).every((step, index) => step === other[index]);
}

function nameOf(path: FieldPath): string {
  return path.join('.');
}
