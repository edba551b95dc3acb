/** What of our kinds no golden case shows: fields, values of enums, and lists of no, one and several items. */
import { crds } from '@meshrelay/api/crds';
import { canonicalJson } from '@meshrelay/relay-core';
import type { Check } from '../check.ts';
import type { FleetSpec } from '../fleet/fleet-spec.ts';
import type { PolicySpec } from '../fleet/policy-object.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { GoldenFolder } from './golden-folder.ts';

/** Which cases there must be. */
export interface GoldenCoverage {
  /** The folder of the cases, as {@link GoldenFolder} takes it. */
  readonly folder: string | URL;
  /** Kinds of ours, such as `TrafficPolicy`. */
  readonly kinds: readonly string[];
  /** Why no case shows what begins so: reasons by beginnings of the lines of {@link unshownBy}. */
  readonly excused?: Readonly<Record<string, string>>;
}

/** One check for each kind: some case shows every field of it, every value of an enum, and lists of no, one and several items. */
export function goldenCoverageChecks({ folder, kinds, excused = {} }: GoldenCoverage): readonly Check[] {
  const cases = new GoldenFolder(folder);
  const inputs = cases.cases().map((name) => cases.input(name));
  const missing = unshownBy(inputs, kinds);
  const isExcused = (line: string) => Object.keys(excused).some((beginning) => line.startsWith(beginning));
  return [
    ...kinds.map((kind) => ({
      name: `golden cases show all of ${kind}`,
      run: () => {
        const lines = missing.filter((line) => line.startsWith(`${kind} `) && !isExcused(line));
        if (lines.length > 0) throw new Error(`no golden case shows, and no reason is given:\n  ${lines.join('\n  ')}`);
      },
    })),
    {
      name: 'golden cases lack only what there is a reason for',
      run: () => {
        const idle = Object.keys(excused).filter((beginning) => !missing.some((line) => line.startsWith(beginning)));
        if (idle.length > 0) throw new Error(`shown by golden cases, so needs no reason any more: ${idle.join(', ')}`);
      },
    },
  ];
}

/**
 * What there is to show of the specs of these kinds and no input does, one line each, such as `TrafficPolicy spec.policy.mtls`,
 * `AccessPolicy spec.action = AUDIT` and `AccessPolicy spec.allowedPorts of 0`. Selectors and the like, which stand in several places, are to be shown in one of
 * them, and are named by the first.
 */
export function unshownBy(inputs: readonly FleetSpec[], kinds: readonly string[]): readonly string[] {
  const shown = new Set<string>();
  const toShow = new Map<string, string>();
  const policies = inputs.flatMap(({ clusters, management = [] }) => [
    ...management,
    ...Object.values(clusters).flatMap((cluster) => cluster.policies ?? []),
  ]);
  for (const kind of kinds) {
    const schema = specSchema(kind);
    for (const [id, name] of pointsOf(schema, `${kind} spec`)) if (!toShow.has(id)) toShow.set(id, name);
    for (const policy of policies.filter((one) => Object.keys(one)[0] === kind || one['kind'] === kind))
      show(schema, specOf(policy), shown);
  }
  return [...toShow].filter(([id]) => !shown.has(id)).map(([, name]) => name);
}

function specOf(policy: PolicySpec): unknown {
  return policy['spec'];
}

function specSchema(kind: string): StructuralSchema {
  const crd = (crds as unknown as readonly Crd[]).find(({ spec }) => spec.names.kind === kind);
  const schema = crd?.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'];
  if (schema === undefined) throw new RangeError(`${kind} is no kind of Meshrelay with a spec`);
  return schema;
}

interface Crd {
  readonly spec: {
    readonly names: { readonly kind: string };
    readonly versions: ReadonlyArray<{ readonly schema: { readonly openAPIV3Schema: StructuralSchema } }>;
  };
}

type Size = 0 | 1 | 'several';

/** A point by what it is of, wherever that stands, with its name where it was found first. */
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

/** Notes every point that a value shows. */
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

/** Equal for equal fields: schemas are written out wherever they stand. */
function idOf(schema: StructuralSchema): string {
  const known = IDS.get(schema) ?? canonicalJson(schema.properties ?? {});
  IDS.set(schema, known);
  return known;
}
