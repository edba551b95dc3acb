/** Reports about outputs dropped because another claimant has their key. */

import { type Key, key as keyOf } from '@meshrelay/plugin';
import { GraphError } from '../errors.ts';
import type { NodeFaults } from './quarantine.ts';

/** Updates the reports as the losers of each output key change. */
export class DuplicateReports {
  readonly #node: string;
  readonly #faults: NodeFaults;
  readonly #lost = new Map<Key, { readonly winner: Key; readonly items: ReadonlySet<Key> }>();

  constructor(node: string, faults: NodeFaults) {
    this.#node = node;
    this.#faults = faults;
  }

  /** Sets the current claimants of an output key: the winning item and the losers. */
  report(output: Key, winner: Key | undefined, losers: readonly Key[]): void {
    const before = this.#lost.get(output);
    if (before === undefined && losers.length === 0) return;
    const items = new Set(losers);
    if (before !== undefined) {
      for (const item of before.items) if (!items.has(item)) this.#faults.clear(keyOf(item, output));
    }
    if (winner === undefined || items.size === 0) {
      this.#lost.delete(output);
      return;
    }
    for (const item of items) {
      if (before?.winner === winner && before.items.has(item)) continue;
      this.#faults.set(keyOf(item, output), duplicateOutput(this.#node, output, winner, item), item);
    }
    this.#lost.set(output, { winner, items });
  }

  /** The number of contested output keys. */
  get size(): number {
    return this.#lost.size;
  }
}

export function duplicateOutput(node: string, output: Key, winner: Key, loser: Key): GraphError {
  const who = winner === loser ? `item ${winner} gives` : `items ${winner} and ${loser} both give`;
  const message = `${node}: ${who} the output key ${output}: give each output key once, or use a group`;
  return new GraphError('GRAPH_E_DUPLICATE', message);
}
