/** Finds cycles in a directed graph. */

/**
 * The cycles found on a walk through all nodes, each as a path that ends where it begins; empty exactly if there is
 * none.
 */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  for (const start of [...edges.keys()].sort()) {
    if (!done.has(start)) visit(start, []);
  }
  return cycles;

  function visit(node: string, path: readonly string[]): void {
    const seen = path.indexOf(node);
    if (seen >= 0) {
      cycles.push([...path.slice(seen), node]);
      return;
    }
    if (done.has(node)) return;
    for (const next of edges.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  }
}
