/** Values that belong together stay together: a share with its target, a value with its header. */
import type { HeaderManipulationView, NamedValueMatch, RouteMatchView, RouteTarget, Sourced } from '@meshrelay/plugin';
import { loaded, type TestedPlugin } from '../../tested-plugin.ts';
import type { TestFleet } from '../property.ts';
import { endsWith, objectsIn, type Path, replaced, valueAt } from './paths.ts';
import { receivedViews } from './received-views.ts';
import { translated } from './translated.ts';

/** A rule with two pairs of values. */
interface Pairs {
  readonly rule: unknown;
  readonly pairs: readonly [Pair, Pair];
}

/** The texts of two values that belong together. */
type Pair = readonly [string, string];

interface Couple {
  readonly name: string;
  /** The end of the path of an object in the view. */
  readonly at: Path;
  /** The rule instead of that of the view; undefined if it cannot have two pairs. */
  pairsOf(value: never): Pairs | undefined;
}

const ONE: Pair = ['x-onezqx', 'firstzqx'];
const TWO: Pair = ['x-twozqx', 'secondzqx'];

function named([name, value]: Pair): NamedValueMatch {
  return { name, value, regex: false, invert: false };
}

/** Shares by their hosts. */
function shares({ from, value }: Sourced<readonly RouteTarget[]>): Pairs | undefined {
  const [one, other] = value;
  if (one === undefined || other === undefined) return undefined;
  const target = (from: RouteTarget, first: string, weight: number): RouteTarget => {
    const [, ...domain] = from.hostname.split('.');
    const { subset: _subset, headers: _headers, ...plain } = from;
    return { ...plain, hostname: [first, ...domain].join('.'), weight };
  };
  return {
    rule: { from, value: [target(one, 'onezqx', 37), target(other, 'twozqx', 63)] },
    pairs: [
      ['onezqx', '37'],
      ['twozqx', '63'],
    ],
  };
}

const COUPLES: readonly Couple[] = [
  { name: 'shares of targets', at: ['actions', 'shift'], pairsOf: shares },
  {
    name: 'added headers',
    at: ['actions', 'headers', 'value'],
    pairsOf: (value: HeaderManipulationView) => ({
      rule: { ...value, requestAdd: Object.fromEntries([ONE, TWO]) },
      pairs: [ONE, TWO],
    }),
  },
  {
    name: 'matched headers',
    at: ['match'],
    pairsOf: (value: RouteMatchView) =>
      value.headers.length === 0
        ? undefined
        : { rule: { ...value, headers: [named(ONE), named(TWO)] }, pairs: [ONE, TWO] },
  },
  {
    name: 'matched query parameters',
    at: ['match'],
    pairsOf: (value: RouteMatchView) =>
      value.queryParameters.length === 0
        ? undefined
        : { rule: { ...value, queryParameters: [named(ONE), named(TWO)] }, pairs: [ONE, TWO] },
  },
];

/**
 * Puts rules with two pairs of values in place of one. In the output, a value must not be nearer to the other pair's
 * value than to its own.
 */
export function keepsValuesTogether(tested: TestedPlugin, fleets: readonly TestFleet[]): void {
  const [plugin] = loaded(tested);
  if (plugin === undefined) return;
  const tried = new Set<string>();
  for (const { call, view } of fleets.flatMap(({ fleet }) => receivedViews(tested, fleet)))
    for (const path of objectsIn(view))
      for (const { name, at, pairsOf } of COUPLES) {
        if (tried.has(`${call} ${name}`) || !endsWith(path, at)) continue;
        const made = pairsOf(valueAt(view, path) as never);
        if (made === undefined) continue;
        const { outputs } = translated(plugin, { call, view: replaced(view, path, made.rule) as object });
        const problem = problemOf(outputs, made.pairs);
        if (problem !== undefined) throw new Error(`${call}: ${name}: ${problem}`);
        tried.add(`${call} ${name}`);
      }
}

function problemOf(outputs: unknown, [one, two]: readonly [Pair, Pair]): string | undefined {
  const places = [...placesIn(outputs)];
  for (const [own, other] of [
    [one, two],
    [two, one],
  ] as const) {
    const [name, value] = own;
    if (nearness(places, name, value) < nearness(places, name, other[1]))
      return `"${other[1]}" is written for "${name}", which has "${value}"`;
  }
  return undefined;
}

/** A text or a name of a field in the output. */
interface Place {
  readonly path: Path;
  readonly text: string;
}

function* placesIn(value: unknown, path: Path = []): Generator<Place> {
  if (typeof value !== 'object' || value === null) yield { path, text: String(value).toLowerCase() };
  else
    for (const [name, member] of Object.entries(value)) {
      const inside = [...path, name];
      if (!Array.isArray(value)) yield { path: inside, text: name.toLowerCase() };
      yield* placesIn(member, inside);
    }
}

/** The depth of the innermost object that contains both texts. */
function nearness(places: readonly Place[], one: string, other: string): number {
  const withText = (text: string) => places.filter((place) => place.text.split(/[^a-z0-9-]+/).includes(text));
  const others = withText(other);
  return Math.max(-1, ...withText(one).flatMap((place) => others.map(({ path }) => common(place.path, path))));
}

function common(one: Path, other: Path): number {
  const at = one.findIndex((name, index) => other[index] !== name);
  return at < 0 ? one.length : at;
}
