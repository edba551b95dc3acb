/** Calls the functions of a mesh plugin through a host, which may notice a call that does not return. */
import type {
  Collection,
  DeriveOptions,
  DiscoveryGraph,
  Group,
  Index,
  Key,
  ManyTransform,
  Matching,
  MeshPlugin,
  NodeOptions,
  Pair,
  Search,
  Transform,
} from '@meshrelay/plugin';
import { PLUGIN_MEMBERS } from './unknown-names.ts';

/** Runs one call. Returns its result, and throws what it throws. */
export type RunCall = <T>(call: () => T) => T;

/** The runner for a function of a plugin. @param name such as `translateMesh`, or `discover members` of a collection */
export type RunCallsOf = (name: string) => RunCall;

// biome-ignore lint/suspicious/noExplicitAny: functions of every signature
type AnyFunction = (...args: any[]) => unknown;

/** The plugin with each of its functions, and each transform that its `discover` defines, called through a host. */
export function interceptCalls(plugin: MeshPlugin<unknown>, runnerOf: RunCallsOf): MeshPlugin<unknown> {
  const members = Object.fromEntries(
    PLUGIN_MEMBERS.filter((name) => plugin[name] !== undefined).map((name) => [
      name,
      intercepted(plugin, name, { prefix: '', runnerOf }),
    ]),
  ) as unknown as MeshPlugin<unknown>;
  if (plugin.discover === undefined) return members;
  const run = runnerOf('discover');
  return {
    ...members,
    discover: (define, settings) =>
      run(() => plugin.discover?.({ ...define, graph: new InterceptedGraph(define.graph, runnerOf) }, settings)),
  };
}

/** A member: a function, an object of functions such as `inboundRules`, or data. */
function intercepted(
  owner: object,
  name: string,
  { prefix, runnerOf }: { readonly prefix: string; readonly runnerOf: RunCallsOf },
): unknown {
  const value = (owner as Record<string, unknown>)[name];
  if (typeof value === 'function') {
    const run = runnerOf(`${prefix}${name}`);
    return (...args: unknown[]) => run(() => (value as AnyFunction).apply(owner, args));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (!names.some((each) => typeof (value as Record<string, unknown>)[each] === 'function')) return value;
  return Object.fromEntries(
    names.map((each) => [each, intercepted(value, each, { prefix: `${prefix}${name}.`, runnerOf })]),
  );
}

/** The graph for a plugin's discovery. Iterables of a plugin are read to their end within its call. */
class InterceptedGraph implements DiscoveryGraph {
  readonly #graph: DiscoveryGraph;
  readonly #runnerOf: RunCallsOf;

  constructor(graph: DiscoveryGraph, runnerOf: RunCallsOf) {
    this.#graph = graph;
    this.#runnerOf = runnerOf;
  }

  derive<In, Out>(name: string, input: Collection<In>, transform: Transform<In, Out>, options?: DeriveOptions<Out>) {
    const run = this.#of(name);
    return this.#graph.derive<In, Out>(
      name,
      input,
      (value, read, key) => run(() => transform(value, read, key)),
      interceptedOptions(options, run),
    );
  }

  deriveMany<In, Out>(
    name: string,
    input: Collection<In>,
    transform: ManyTransform<In, Out>,
    options?: NodeOptions<Out>,
  ) {
    const run = this.#of(name);
    return this.#graph.deriveMany<In, Out>(
      name,
      input,
      (value, read, key) => run(() => [...transform(value, read, key)]),
      interceptedOptions(options, run),
    );
  }

  match<Left, Right>(
    name: string,
    left: Collection<Left>,
    right: Collection<Right> | Index<Right>,
    search: Search<Left, Right> | Matching<Left, Right>,
  ): Collection<Pair> {
    const run = this.#of(name);
    const found: Search<Left, Right> = {
      candidateBuckets: (value, key) => run(() => [...search.candidateBuckets(value, key)]),
      matches: (one, other) => run(() => search.matches(one, other)),
    };
    if (!('bucketsOf' in search)) return this.#graph.match(name, left, right as Index<Right>, found);
    return this.#graph.match(name, left, right as Collection<Right>, {
      ...found,
      bucketsOf: (value, key) => run(() => [...search.bucketsOf(value, key)]),
    });
  }

  group<In, Part>(
    name: string,
    input: Collection<In>,
    into: (value: In, key: Key) => Iterable<readonly [Key, Part]>,
    compare?: (a: Part, b: Part) => number,
  ): Collection<Group<Part>> {
    const run = this.#of(name);
    return this.#graph.group<In, Part>(
      name,
      input,
      (value, key) => run(() => [...into(value, key)]),
      compare && ((a, b) => run(() => compare(a, b))),
    );
  }

  join<V>(name: string, inputs: ReadonlyArray<Collection<V>>): Collection<V> {
    return this.#graph.join(name, inputs);
  }

  index<V>(collection: Collection<V>, name: string, extract: (value: V, key: Key) => Iterable<Key>): Index<V> {
    const run = this.#of(name);
    return this.#graph.index(collection, name, (value, key) => run(() => [...extract(value, key)]));
  }

  #of(name: string): RunCall {
    return this.#runnerOf(`discover ${name}`);
  }
}

function interceptedOptions<V>(options: DeriveOptions<V> | undefined, run: RunCall): DeriveOptions<V> | undefined {
  if (options === undefined) return undefined;
  const { equals, reuse } = options;
  return {
    ...(equals && { equals: (a, b) => run(() => equals(a, b)) }),
    ...(reuse && { reuse: (before, after) => run(() => reuse(before, after)) }),
  };
}
