/** Limits connections per address: a flood from one address does not use up the others' capacity. */

/** Numbers of connections. */
export interface SourceLimits {
  /** In total. */
  readonly connections: number;
  /** From one address. */
  readonly perSource: number;
}

export class SourceBudget {
  readonly #limits: SourceLimits;
  readonly #bySource = new Map<string, number>();
  #all = 0;

  constructor(limits: SourceLimits) {
    this.#limits = limits;
  }

  get connections(): number {
    return this.#all;
  }

  /** Admits a connection. @returns the reason of a rejection, or a function that releases its slot */
  enter(source: string): 'connections' | 'source' | (() => void) {
    const own = this.#bySource.get(source) ?? 0;
    if (own >= this.#limits.perSource) return 'source';
    if (this.#all >= this.#limits.connections) return 'connections';
    this.#all += 1;
    this.#bySource.set(source, own + 1);
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#all -= 1;
      const left = (this.#bySource.get(source) ?? 1) - 1;
      if (left === 0) this.#bySource.delete(source);
      else this.#bySource.set(source, left);
    };
  }
}
