/** A graph whose nodes have names at random. */
import { createGraph, type Graph, type GraphOptions } from '@meshrelay/relay-core';

/** Graphs that give each node a name that begins with anything; `dice` is asked for whole numbers below its argument. */
export function renamedGraphs(dice: (below: number) => number): (options: GraphOptions) => Graph {
  const nameAtRandom = () => Array.from({ length: 6 }, () => String.fromCharCode(97 + dice(26))).join('');
  return (options) => {
    let made = 0;
    return new Proxy(createGraph(options), {
      get: (graph, member) => {
        const value: unknown = Reflect.get(graph, member, graph);
        if (typeof value !== 'function') return value;
        // Whatever makes a node takes its name as the only text among its arguments.
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
