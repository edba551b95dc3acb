/** The connections without an authenticated caller, and which of them is closed when there are too many. */
import { addressBlock } from './address-block.ts';

/** Facts about each connection. */
export interface UnprovedConnection {
  /** Address and port. */
  readonly peer: string;
  /** Start time, in monotonic milliseconds. */
  readonly since: number;
}

/** An older connection may be closed for a new one from any address; a younger one stays. */
const CHANCE = 2_000;

/**
 * Capacity is shared between addresses on demand. One address may use all of it while no other needs it, and yields to
 * any address with fewer. A fixed share would reject agents behind one load balancer.
 */
export class UnprovedConnections<C extends UnprovedConnection> {
  readonly #max: number;
  readonly #byPeer = new Map<string, C>();
  /** Per address, in order of arrival. */
  readonly #byBlock = new Map<string, Set<C>>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#byPeer.size;
  }

  get isFull(): boolean {
    return this.#byPeer.size >= this.#max;
  }

  get(peer: string): C | undefined {
    return this.#byPeer.get(peer);
  }

  has(peer: string): boolean {
    return this.#byPeer.has(peer);
  }

  add(connection: C): void {
    const block = addressBlock(connection.peer);
    const own = this.#byBlock.get(block) ?? new Set();
    this.#byBlock.set(block, own.add(connection));
    this.#byPeer.set(connection.peer, connection);
  }

  /** Another connection may have the same address and port by now, and stays. */
  delete(connection: C): void {
    const { peer } = connection;
    if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    const block = addressBlock(peer);
    const own = this.#byBlock.get(block);
    own?.delete(connection);
    if (own?.size === 0) this.#byBlock.delete(block);
  }

  /**
   * The oldest connection of the address with the most. Undefined when it stays and the new one of `peer` must be
   * closed.
   */
  makingWayFor(peer: string, now: number): C | undefined {
    const own = this.#byBlock.get(addressBlock(peer))?.size ?? 0;
    let max: ReadonlySet<C> = new Set<C>();
    for (const each of this.#byBlock.values()) if (each.size > max.size) max = each;
    const [oldest] = max;
    if (oldest === undefined) return undefined;
    // The new address would have as many as that address has left.
    const isFair = own + 1 < max.size;
    return isFair || now - oldest.since >= CHANCE ? oldest : undefined;
  }
}
