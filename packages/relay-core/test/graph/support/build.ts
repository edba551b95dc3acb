/** Builds the real graph of a definition. */

import type { Collection, Index } from '@meshrelay/plugin';
import { IncrementalGraph } from '../../../src/graph/graph.ts';
import type { Graph, Lazy, Source } from '../../../src/mod.ts';
import * as plan from './definition.ts';

export interface Built {
  readonly graph: Graph & { sizes(): ReadonlyMap<string, Readonly<Record<string, number>>> };
  readonly sources: readonly Source<unknown>[];
  readonly collections: ReadonlyMap<string, Collection<unknown>>;
  /** By the name of the indexed collection. */
  readonly indexes: ReadonlyMap<string, Index<unknown>>;
  /** Inline collections, by the name of the stored collection with the same values. */
  readonly inline: ReadonlyMap<string, Collection<unknown>>;
  /** The lazy nodes. */
  readonly lazy: Lazy<void>;
}

/**
 * @param inlines whether the outputs of `derive` nodes that never fail are read, and used as input, inline
 * @param sleepsFrom the first lazy node
 */
export function build(definition: plan.Definition, inlines = false, sleepsFrom = Number.POSITIVE_INFINITY): Built {
  const graph = new IncrementalGraph({ freeze: true });
  const collections = new Map<string, Collection<unknown>>();
  const indexes = new Map<string, Index<unknown>>();
  const inline = new Map<string, Collection<unknown>>();
  const add = (name: string, collection: Collection<unknown>, poison: number): void => {
    collections.set(name, collection);
    const index = graph.index(collection, plan.indexName(name), (value) => plan.indexedUnder(poison, value));
    indexes.set(name, index);
  };
  const sources = Array.from({ length: definition.sources }, (_, number) => {
    const source = graph.source<unknown>(plan.sourceName(number), { keysInBytes: number % 2 === 1 });
    add(plan.sourceName(number), source, 0);
    return source;
  });
  const addNode = (node: plan.NodePlan, number: number): void => {
    const name = plan.nodeName(number);
    if (inlines && node.kind === 'derive' && node.poison === 0) {
      const input = plan.pick(plan.earlier(definition, number), node.input);
      const lookable = new Map([...collections, ...inline]);
      const made = graph.inline(`${name} inline`, lookable.get(input) as Collection<unknown>, (value, read) =>
        plan.deriveOutput(definition, number, value, plan.namedRead(read, lookable, indexes)),
      );
      inline.set(name, made);
      add(
        name,
        graph.derive(name, made, (value) => value),
        node.poison,
      );
    } else add(name, buildNode(graph, definition, number, node, { collections, inline, indexes }), node.poison);
  };
  for (const [number, node] of definition.nodes.entries()) if (number < sleepsFrom) addNode(node, number);
  const lazy = graph.lazy(() => {
    for (const [number, node] of definition.nodes.entries()) if (number >= sleepsFrom) addNode(node, number);
  });
  return { graph, sources, collections, indexes, inline, lazy };
}

function buildNode(
  graph: Graph,
  definition: plan.Definition,
  number: number,
  node: plan.NodePlan,
  { collections, inline, indexes }: Pick<Built, 'collections' | 'indexes' | 'inline'>,
): Collection<unknown> {
  const name = plan.nodeName(number);
  const names = plan.earlier(definition, number);
  const named = (required: string) => collections.get(required) as Collection<unknown>;
  const retained = named(plan.pick(names, node.input));
  const lookable = new Map([...collections, ...inline]);
  const runnable = (required: string) => lookable.get(required) as Collection<unknown>;
  const input = runnable(plan.pick(names, node.input));
  switch (node.kind) {
    case 'derive':
      return graph.derive(name, input, (value, read) =>
        plan.deriveOutput(definition, number, value, plan.namedRead(read, lookable, indexes)),
      );
    case 'deriveMany':
      return graph.deriveMany(name, input, (value, read) =>
        plan.manyOutputs(definition, number, value, plan.namedRead(read, lookable, indexes)),
      );
    case 'match':
      return graph.match(name, retained, named(plan.pick(names, node.other)), {
        candidateBuckets: (value) => plan.bucketsOf(node, value, 1),
        bucketsOf: (value) => plan.bucketsOf(node, value, 2),
        matches: (left, right) => plan.pairMatches(node, left, right),
      });
    case 'group':
      return graph.group(
        name,
        retained,
        (value) => plan.contributionsOf(node, value),
        (a, b) => plan.compareParts(node, a, b),
      );
    case 'gather':
      return graph.gather(
        name,
        plan.resolveContext(definition, number, node).map(runnable),
        (value, read) => plan.givenParts(definition, number, value, plan.namedRead(read, lookable, indexes)),
        (parts, read) => plan.madeOf(definition, number, parts, plan.namedRead(read, lookable, indexes)),
      ).made;
    case 'join':
      return graph.join(name, plan.resolveContext(definition, number, node).map(named));
  }
}
