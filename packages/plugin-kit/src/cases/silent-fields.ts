/**
 * Finds fields of Meshrelay kinds that golden cases set without any effect on outputs and statuses, and that no report
 * names.
 */
import type { KubeObject } from '@meshrelay/api';
import { type ControlPlane, canonicalJson, type LoadedPlugin } from '@meshrelay/relay-core';
import type { Fleet } from '../fleet/expand-fleet.ts';
import { LiveFleet } from '../fleet/live-fleet.ts';
import { outputLines } from '../properties/outcome.ts';
import { everyObject } from '../properties/repeatable.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { specSchema } from './shown-points.ts';

/** Such fields, for example `TrafficPolicy spec.policy.requestTimeout`, for which no given fleet shows an effect. */
export function silentFields(
  fleets: Iterable<Fleet>,
  kinds: readonly string[],
  plugins: readonly LoadedPlugin[],
): readonly string[] {
  const set = new Set<string>();
  const heard = new Set<string>();
  for (const fleet of fleets) hearFields(fleet, { kinds, plugins, set, heard });
  const isHeardIn = (field: string) => heard.has(field) || [...heard].some((one) => isWithin(one, field));
  return [...set].filter((field) => !isHeardIn(field)).sort();
}

interface Hearing {
  readonly kinds: readonly string[];
  readonly plugins: readonly LoadedPlugin[];
  /** The fields that some object sets. */
  readonly set: Set<string>;
  /** Those of them with an effect, or named in a report. */
  readonly heard: Set<string>;
}

/** Tries each field without a known effect: without it, and with other values. */
function hearFields(fleet: Fleet, { kinds, plugins, set, heard }: Hearing): void {
  const places = everyObject(fleet).flatMap(([cluster, object]) =>
    kinds.includes(object.kind)
      ? placesIn(specSchema(object.kind), object['spec' as keyof KubeObject], ['spec']).map((place) => ({
          cluster,
          object,
          place,
        }))
      : [],
  );
  const unheard = places.filter(({ object, place }) => {
    const name = nameOf(object, place.path);
    set.add(name);
    return !heard.has(name);
  });
  if (unheard.length === 0) return;
  const live = new LiveFleet(plugins);
  for (const [cluster, object] of everyObject(fleet)) live.report(cluster, object, 'there');
  live.settle();
  const before = resultOf(live.plane);
  for (const { cluster, object, place } of unheard) {
    const name = nameOf(object, place.path);
    if (heard.has(name)) continue;
    if (isNamed(before, object, place.path) || isHeard(live, before, { cluster, object, place })) heard.add(name);
  }
}

interface FieldLocation {
  /** Names of fields and positions in lists. */
  readonly path: readonly string[];
  readonly schema: StructuralSchema;
}

/** The locations where a value sets fields of its schema. */
function placesIn(schema: StructuralSchema, value: unknown, path: readonly string[]): readonly FieldLocation[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, at) => placesIn(items, item, [...path, String(at)]));
  }
  return Object.entries(schema.properties ?? {}).flatMap(([field, member]) => {
    const own = (value as Readonly<Record<string, unknown>> | undefined)?.[field];
    const here = [...path, field];
    return own === undefined ? [] : [{ path: here, schema: member }, ...placesIn(member, own, here)];
  });
}

function nameOf({ kind }: KubeObject, path: readonly string[]): string {
  return `${kind} ${path.reduce((text, step) => (/^\d+$/.test(step) ? `${text}[]` : `${text}.${step}`))}`;
}

interface Result {
  readonly outputs: readonly string[];
  /** By the object, its kind first. */
  readonly statuses: ReadonlyMap<string, string>;
}

function resultOf(plane: ControlPlane): Result {
  const statuses = [...plane.statuses.entries()].map(
    ([, { ref, status }]) => [refText(ref), canonicalJson(status)] as const,
  );
  return { outputs: outputLines(plane), statuses: new Map(statuses) };
}

interface Ref {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

function refText({ kind, namespace, name }: Ref): string {
  return `${kind} ${namespace}/${name}`;
}

function statusOf({ statuses }: Result, { kind, metadata: { namespace = '', name } }: KubeObject): string {
  return statuses.get(refText({ kind, namespace, name })) ?? '';
}

/** Whether a report on the object names the field, or a field that contains it. */
function isNamed(result: Result, object: KubeObject, path: readonly string[]): boolean {
  const text = path.filter((step) => !/^\d+$/.test(step)).join('.');
  const named = statusOf(result, object).matchAll(/"code":"([^"]+)","field":"([^"]+)"/g);
  return [...named].some(([, code, field = '']) => {
    const about = field.replace(/\[\d+\]/g, '');
    return about === text || (LOST.has(code ?? '') && isWithin(text, about));
  });
}

/** Reports with these codes also apply to the parts of the named field. */
const LOST: ReadonlySet<string> = new Set(['UNSUPPORTED', 'DEGRADED']);

/** Whether a field is the other field, or a part of it. */
function isWithin(field: string, whole: string): boolean {
  return field === whole || field.startsWith(`${whole}.`) || field.startsWith(`${whole}[`);
}

/** Whether the result of the fleet differs without the field, or with another value of it. */
function isHeard(
  live: LiveFleet,
  before: Result,
  {
    cluster,
    object,
    place: { path, schema },
  }: { readonly cluster: string; readonly object: KubeObject; readonly place: FieldLocation },
): boolean {
  const value = path.reduce<unknown>((owner, step) => (owner as Readonly<Record<string, unknown>>)[step], object);
  const others = [undefined, ...othersThan(value, schema)];
  return others.some((other) => {
    const variant = replaced(object, path, other) as KubeObject;
    live.report(cluster, variant, 'there');
    const after = resultOf(live.plane);
    live.report(cluster, object, 'there');
    return !isBare(after, object) && differs(before, after);
  });
}

/**
 * A rejected or empty object says nothing about the field: every object without a required field, or without its only
 * one, is.
 */
function isBare(result: Result, object: KubeObject): boolean {
  return /"code":"(INVALID_VALUE|MALFORMED|EMPTY_POLICY)"/.test(statusOf(result, object));
}

function differs(before: Result, after: Result): boolean {
  return (
    before.outputs.length !== after.outputs.length ||
    before.outputs.some((line, at) => line !== after.outputs[at]) ||
    [...after.statuses].some(([ref, status]) => before.statuses.get(ref) !== status)
  );
}

/** Other values of the same type. */
function othersThan(value: unknown, schema: StructuralSchema): readonly unknown[] {
  const { enum: words = [], items = {} } = schema;
  if (Array.isArray(value)) return othersThan(value[0], items).map((other) => [other, ...value.slice(1)]);
  if (words.length > 0) return words.filter((word) => word !== value);
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1];
  if (typeof value === 'object' && value !== null) return othersThanMap(value, schema);
  // The last one is valid for durations, too.
  return typeof value === 'string' ? [`${value}x`, `1${value}`] : [];
}

/** For an object whose keys are data. */
function othersThanMap(value: object, { additionalProperties }: StructuralSchema): readonly unknown[] {
  const [first] = Object.entries(value);
  if (typeof additionalProperties !== 'object' || first === undefined) return [];
  return othersThan(first[1], additionalProperties).map((other) => ({ ...value, [first[0]]: other }));
}

function replaced(value: unknown, [step, ...rest]: readonly string[], other: unknown): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value))
    return value.map((one: unknown, at) => (String(at) === step ? replaced(one, rest, other) : one));
  const { [step]: inner, ...others } = value as Readonly<Record<string, unknown>>;
  const member = replaced(inner, rest, other);
  return member === undefined ? others : { ...others, [step]: member };
}
