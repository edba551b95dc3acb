/**
 * The points of Meshrelay kinds that inputs cover, and those that they do not: fields, values of enums, and lists of
 * no, one and several items.
 */
import { crds } from '@meshrelay/api/crds';
import { canonicalJson } from '@meshrelay/relay-core';
import type { FleetSpec } from '../fleet/fleet-spec.ts';
import type { PolicySpec } from '../fleet/policy-object.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';

/**
 * The points of these kinds' specs that no input covers, one line each, such as `TrafficPolicy spec.policy.mtls`,
 * `AccessPolicy spec.action = AUDIT` and `AccessPolicy spec.allowedPorts of 0`. Selectors and other schemas that occur
 * in several places must be covered in one of them, and are named by the first.
 */
export function unshownBy(inputs: readonly FleetSpec[], kinds: readonly string[]): readonly string[] {
  const policies = inputs.flatMap(({ clusters, management = [] }) => [
    ...management,
    ...Object.values(clusters).flatMap((cluster) => cluster.policies ?? []),
  ]);
  const shown = new Set(shownBy(policies, kinds));
  return pointsToShow(kinds).filter((name) => !shown.has(name));
}

/** The points of the kinds that these policies cover, named as in {@link unshownBy}. */
export function shownBy(policies: readonly PolicySpec[], kinds: readonly string[]): readonly string[] {
  const names = namesOfPoints(kinds);
  const shown = new Set<string>();
  for (const kind of kinds)
    for (const policy of policies.filter((one) => Object.keys(one)[0] === kind || one['kind'] === kind))
      show(specSchema(kind), specOf(policy), shown);
  return [...names].filter(([id]) => shown.has(id)).map(([, name]) => name);
}

function pointsToShow(kinds: readonly string[]): readonly string[] {
  return [...namesOfPoints(kinds).values()];
}

const NAMES = new Map<string, ReadonlyMap<string, string>>();

/**
 * Maps points to names by their schema: equal schemas have the name of the first. Schemas are constant, and each of
 * many probes needs the points.
 */
function namesOfPoints(kinds: readonly string[]): ReadonlyMap<string, string> {
  const known = NAMES.get(kinds.join());
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const kind of kinds)
    for (const [id, name] of pointsOf(specSchema(kind), `${kind} spec`)) if (!names.has(id)) names.set(id, name);
  NAMES.set(kinds.join(), names);
  return names;
}

function specOf(policy: PolicySpec): unknown {
  return policy['spec'];
}

/**
 * The schema of a kind's spec.
 * @throws RangeError if the kind does not exist
 */
export function specSchema(kind: string): StructuralSchema {
  const crd = (crds as unknown as readonly Crd[]).find(({ spec }) => spec.names.kind === kind);
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'];
  if (schema === undefined) throw new RangeError(`${kind} is not a Meshrelay kind with a spec`);
  return schema;
}

interface Crd {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: ReadonlyArray<{ readonly schema: { readonly openAPIV3Schema: StructuralSchema } }>;
  };
}

type Size = 0 | 1 | 'several';

/** Points by schema, independent of their place, with the name of their first place. */
function* pointsOf(schema: StructuralSchema, path: string): Iterable<readonly [id: string, name: string]> {
  const owner = idOf(schema);
  for (const [field, member] of Object.entries(schema.properties ?? {})) {
    const here = `${path}.${field}`;
    yield [`${owner} ${field}`, here];
    yield* valuePoints(member, `${owner} ${field}`, here);
  }
}

function* valuePoints(
  schema: StructuralSchema,
  id: string,
  path: string,
): Iterable<readonly [id: string, name: string]> {
  for (const value of schema.enum ?? []) yield [`${id} = ${value}`, `${path} = ${value}`];
  if (schema.type === 'array' && schema.items !== undefined) {
    for (const size of sizesOf(schema)) yield [`${id} of ${size}`, `${path} of ${size}`];
    yield* valuePoints(schema.items, `${id}[]`, `${path}[]`);
  }
  yield* pointsOf(schema, path);
}

function sizesOf({ minItems = 0, maxItems = Number.POSITIVE_INFINITY }: StructuralSchema): readonly Size[] {
  const sizes: readonly Size[] = [0, 1, 'several'];
  return sizes.filter((size) => (size === 'several' ? maxItems > 1 : size >= minItems && size <= maxItems));
}

/** Adds every point that a value covers. */
function show(schema: StructuralSchema, value: unknown, shown: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const owner = idOf(schema);
  for (const [field, member] of Object.entries(schema.properties ?? {})) {
    const own = (value as Readonly<Record<string, unknown>>)[field];
    if (own === undefined) continue;
    shown.add(`${owner} ${field}`);
    showValue(member, own, `${owner} ${field}`, shown);
  }
}

function showValue(schema: StructuralSchema, value: unknown, id: string, shown: Set<string>): void {
  if (schema.enum !== undefined) shown.add(`${id} = ${String(value)}`);
  if (Array.isArray(value) && schema.items !== undefined) {
    shown.add(`${id} of ${value.length > 1 ? 'several' : value.length}`);
    for (const item of value) showValue(schema.items, item, `${id}[]`, shown);
  }
  show(schema, value, shown);
}

const IDS = new WeakMap<StructuralSchema, string>();
/** Short names: a schema as text has thousands of characters, and each point of it begins with its name. */
const SHORT = new Map<string, string>();

/** Equal for equal fields: schemas are repeated in every place. */
function idOf(schema: StructuralSchema): string {
  const known = IDS.get(schema);
  if (known !== undefined) return known;
  const text = canonicalJson(schema.properties ?? {});
  const short = SHORT.get(text) ?? String(SHORT.size);
  SHORT.set(text, short);
  IDS.set(schema, short);
  return short;
}
