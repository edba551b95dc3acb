/**
 * Memory of a fleet by node of the graph. The fleet has some thousand services, because V8's snapshots are texts of
 * bounded length.
 */

import type { FleetShape } from '../fleet/shape.ts';
import { contentByNode, type Holding } from '../profiles/heap-by-node.ts';
import { HeapGraph } from '../profiles/heap-graph.ts';
import { endOfTurn, filled } from './memory.ts';

export interface MemoryByNode {
  readonly objectCounts: readonly Holding[];
}

export async function memoryByNode({ shape }: { readonly shape: FleetShape }): Promise<MemoryByNode> {
  const { plane } = filled(shape);
  await endOfTurn();
  return { objectCounts: contentByNode(await HeapGraph.taken(), plane.graph.counters().keys()) };
}
