/** A graph whose nodes have random names. */
import { createGraph, type Graph, type GraphOptions } from '@meshrelay/relay-core';

/** Graphs that give each node a name with a random prefix; `dice` returns whole numbers below its argument. */
export function renamedGraphs(dice: (below: number) => number): (options: GraphOptions) => Graph {
  const nameAtRandom = () => Array.from({ length: 6 }, () => String.fromCharCode(97 + dice(26))).join('');
  return (options) => {
    let made = 0;
    return new Proxy(createGraph(options), {
      get: (graph, member) => {
        const value: unknown = Reflect.get(graph, member, graph);
        if (typeof value !== 'function') return value;
        // The name is the only string among the arguments of every function that creates a node.
        return (...given: readonly unknown[]): unknown =>
          value.apply(
            graph,
            given.map((one) =>
              typeof one === 'string' && MAKES_NODES.has(member) ? `${nameAtRandom()}/${++made}` : one,
            ),
          );
      },
    });
  };
}

const MAKES_NODES: ReadonlySet<string | symbol> = new Set<keyof Graph>([
  ...(['source', 'derive', 'inline', 'deriveMany', 'match'] as const),
  ...(['relate', 'group', 'gather', 'join', 'index'] as const),
]);
