/** Packs the values of collections while the process is idle. */

import type { Collection } from '@meshrelay/plugin';
import type { AnyPacked } from '../packed/packed.ts';
import { Packer } from '../packed/packer.ts';
import type { PageCodec } from '../packed/page-codec.ts';
import type { Graph } from './collection.ts';

/**
 * Collections whose values contain packed ones. Other code must not hold these for longer than a commit, or it costs
 * memory.
 */
export class Archive {
  readonly #graph: Graph;
  readonly #codec: PageCodec;
  readonly #retained: Packed[] = [];

  constructor(graph: Graph, codec: PageCodec) {
    this.#graph = graph;
    this.#codec = codec;
  }

  /** Registers a collection whose values should be packed. */
  keep<V>(collection: Collection<V>, packedIn: (value: V) => AnyPacked): void {
    const packer = new Packer(this.#codec);
    const living = function* () {
      for (const [, value] of collection.entries()) yield packedIn(value);
    };
    this.#retained.push({ packer, living });
    this.#graph.subscribe((changes) => {
      for (const { before, after } of changes.of(collection)) {
        const gone = before === undefined ? undefined : packedIn(before);
        const come = after === undefined ? undefined : packedIn(after);
        if (gone === come) continue;
        if (gone !== undefined) packer.drop(gone);
        if (come !== undefined) packer.add(come);
      }
    });
  }

  /**
   * Packs values that are new since the last call, one by one, until all are done or `enough` returns true.
   * @returns whether all are done
   */
  rest(enough?: () => boolean): boolean {
    for (const { packer, living } of this.#retained) {
      if (packer.isSparse) packer.repack(living());
      while (packer.step()) if (enough?.()) return false;
    }
    return true;
  }

  get sizes(): ReadonlyArray<Readonly<Record<string, number>>> {
    return this.#retained.map(({ packer }) => packer.sizes);
  }
}

interface Packed {
  readonly packer: Packer;
  readonly living: () => Iterable<AnyPacked>;
}
