/** The parts of a view that come from policies: every value with source policies. */
import type { PolicyRef } from '@meshrelay/api';
import type { PortView, RouteMatchView } from '@meshrelay/plugin';
import { policyFieldOf } from '../fields/traffic/mod.ts';
import type { EffectiveField } from './document.ts';

type Path = ReadonlyArray<string | number>;

/** One part, with the view without it. */
export interface ViewPart<V> extends EffectiveField {
  /** Where in the view, such as `routes[0].actions.retries`. */
  readonly path: string;
  without(): V;
}

/** Facts that no policy sets. */
const FACTS: ReadonlySet<string> = new Set(['destination', 'consumer', 'mesh', 'match', 'port']);

/** Names of policy fields outside TrafficPolicies, if views use other names. */
const FIELDS: Readonly<Record<string, string>> = {
  routes: 'route',
  subsets: 'subset',
  exported: 'federation',
};

/** Every part of a view, in the view's own order; a whole comes before its parts. */
export function viewParts<V>(view: V): ViewPart<V>[] {
  return [...partsIn(view, [], {})].map(({ path, ...given }) => ({
    ...given,
    path: pathText(path),
    without: () => omit(view, path) as V,
  }));
}

type Found = EffectiveField & { readonly path: Path };
/** The route that a part belongs to. */
type Within = Pick<EffectiveField, 'match' | 'port'>;

function* partsIn(value: unknown, path: Path, within: Within): Generator<Found> {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) yield* partsIn(element, [...path, index], within);
    return;
  }
  if (!isRecord(value)) return;
  const from = path.length === 0 ? undefined : policiesOf(value);
  const inside = routeOf(value) ?? within;
  if (from !== undefined && from.length > 0) {
    const isSourced = 'value' in value;
    yield { field: fieldOf(path), value: isSourced ? value['value'] : value, from, ...inside, path };
    if (isSourced) return;
  }
  for (const [name, member] of Object.entries(value))
    if (!FACTS.has(name)) yield* partsIn(member, [...path, name], inside);
}

/** By `from`, as in sourced values, routes and rules, or by the virtual mesh it exists for. */
function policiesOf({ from, virtualMesh }: Readonly<Record<string, unknown>>): readonly PolicyRef[] | undefined {
  if (Array.isArray(from)) return from as readonly PolicyRef[];
  return isRecord(virtualMesh) ? [virtualMesh as unknown as PolicyRef] : undefined;
}

function routeOf({ match, port }: Readonly<Record<string, unknown>>): Within | undefined {
  if (!isRecord(match) || !isRecord(port)) return undefined;
  return { match: match as unknown as RouteMatchView, port: (port as unknown as PortView).number };
}

function fieldOf(path: Path): string {
  const name = String(path.findLast((step) => typeof step === 'string') ?? '');
  return policyFieldOf(name) ?? FIELDS[name] ?? name;
}

function pathText(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');
}

/** A copy in which the member or element at a path is missing; all else is shared. */
function omit(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value))
    return rest.length === 0
      ? value.toSpliced(Number(step), 1)
      : value.with(Number(step), omit(value[Number(step)], rest));
  const { [step]: member, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...(value as object), [step]: omit(member, rest) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
