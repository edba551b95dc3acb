/** The connections on which nobody has proved who they are, and which of them makes way where there are too many. */
import { addressBlock } from './address-block.ts';

/** What is known of each. */
export interface UnprovedConnection {
  /** Address and port. */
  readonly peer: string;
  /** When it came, in monotonic milliseconds. */
  readonly since: number;
}

/** One that is older makes way for a new one of any address; a younger one is given its chance. */
const CHANCE = 2_000;

/**
 * Places are shared by address as they are asked for: one address may have all of them while nobody else wants one, and gives way to any that has
 * fewer. A fixed share would turn agents away that come through one load balancer.
 */
export class UnprovedConnections<C extends UnprovedConnection> {
  readonly #max: number;
  readonly #byPeer = new Map<string, C>();
  /** Of each address in the order in which they came. */
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

  /** Another connection may have come from the same address and port meanwhile, and stays. */
  delete(connection: C): void {
    const { peer } = connection;
    if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    const block = addressBlock(peer);
    const own = this.#byBlock.get(block);
    own?.delete(connection);
    if (own?.size === 0) this.#byBlock.delete(block);
  }

  /** The oldest connection of the address that has the most; undefined where it stays, and the new one of `peer` must go. */
  makingWayFor(peer: string, now: number): C | undefined {
    const own = this.#byBlock.get(addressBlock(peer))?.size ?? 0;
    let max: ReadonlySet<C> = new Set<C>();
    for (const each of this.#byBlock.values()) if (each.size > max.size) max = each;
    const [oldest] = max;
    if (oldest === undefined) return undefined;
    // The new one would have as many as that address has left.
    const isFair = own + 1 < max.size;
    return isFair || now - oldest.since >= CHANCE ? oldest : undefined;
  }
}
