/** The network between hosts: latency, partitions in either direction, ordered connections. */
import type { Random } from '../runtime/random.ts';
import type { Scheduler } from '../runtime/scheduler.ts';
import type { SimProcess } from '../runtime/sim-process.ts';

/** Milliseconds in one direction; usually short, sometimes long. */
const QUICK = 2;
const SLOW = 40;
const SLOW_SHARE = 0.05;

export class Network {
  readonly scheduler: Scheduler;
  readonly #random: Random;
  readonly #blocked = new Set<string>();
  readonly #delays = new Map<string, number>();
  /** Number of messages that still arrive before a connection breaks, by its hosts. */
  readonly #cuts = new Map<string, number>();
  /** Messages stopped by a partition until it ends. */
  readonly #stalled = new Map<string, Array<() => void>>();

  constructor(scheduler: Scheduler) {
    this.scheduler = scheduler;
    this.#random = scheduler.random('network');
  }

  /** Blocks messages from one host to the other; sent data waits, as TCP retransmits it. */
  block(from: string, to: string): void {
    this.#blocked.add(link(from, to));
  }

  /** Adds this delay to messages. */
  delay(from: string, to: string, milliseconds: number): void {
    this.#delays.set(link(from, to), milliseconds);
  }

  /** Breaks a connection between them after this many more messages have arrived. */
  cut(from: string, to: string, after: number): void {
    this.#cuts.set(link(from, to), after);
  }

  /** A message has arrived. @returns whether the connection breaks after it */
  isLast(from: string, to: string): boolean {
    const id = link(from, to);
    const left = this.#cuts.get(id);
    if (left === undefined) return false;
    if (left > 1) this.#cuts.set(id, left - 1);
    else this.#cuts.delete(id);
    return left <= 1;
  }

  /** Whether messages between them take longer than usual. */
  isSlow(from: string, to: string): boolean {
    return (this.#delays.get(link(from, to)) ?? 0) > 0;
  }

  heal(from: string, to: string): void {
    const id = link(from, to);
    this.#delays.delete(id);
    if (!this.#blocked.delete(id)) return;
    const waiting = this.#stalled.get(id) ?? [];
    this.#stalled.delete(id);
    for (const go of waiting) go();
  }

  healAll(): void {
    this.#cuts.clear();
    for (const id of new Set([...this.#blocked, ...this.#delays.keys()])) {
      const [from = '', to = ''] = id.split('>');
      this.heal(from, to);
    }
  }

  isBlocked(from: string, to: string): boolean {
    return this.#blocked.has(link(from, to));
  }

  latency(from: string, to: string): number {
    const usual = this.#random() < SLOW_SHARE ? SLOW * this.#random() : QUICK * this.#random();
    return usual + (this.#delays.get(link(from, to)) ?? 0);
  }

  /** A message outside any connection; it arrives as the owner's work. */
  transmit(from: string, to: string, owner: SimProcess | undefined, arrive: () => void): void {
    this.scheduler.after(this.latency(from, to), undefined, () => this.#pass(from, to, owner, arrive));
  }

  #pass(from: string, to: string, owner: SimProcess | undefined, arrive: () => void): void {
    if (!this.isBlocked(from, to)) {
      this.scheduler.hand(owner, arrive);
      return;
    }
    const waiting = this.#stalled.get(link(from, to)) ?? [];
    this.#stalled.set(link(from, to), waiting);
    waiting.push(() => this.transmit(from, to, owner, arrive));
  }

  /** One direction of a connection: data arrives in order, or not at all once it is cut. */
  channel(from: string, to: string, owner: SimProcess | undefined): Channel {
    return new Channel(this, from, to, owner);
  }
}

/** One direction of a connection. */
export class Channel {
  readonly #network: Network;
  readonly #from: string;
  readonly #to: string;
  readonly #owner: SimProcess | undefined;
  readonly #waiting: Array<() => void> = [];
  /** Called when the connection breaks under a message. */
  onCut: () => void = () => {};
  #moving = false;
  #cut = false;

  constructor(network: Network, from: string, to: string, owner: SimProcess | undefined) {
    this.#network = network;
    this.#from = from;
    this.#to = to;
    this.#owner = owner;
  }

  /** Data in flight. */
  get depth(): number {
    return this.#waiting.length;
  }

  send(arrive: () => void): void {
    if (this.#cut) return;
    this.#waiting.push(arrive);
    this.#move();
  }

  /** Drops the data in flight. */
  cut(): void {
    this.#cut = true;
    this.#waiting.length = 0;
  }

  #move(): void {
    if (this.#moving || this.#waiting.length === 0) return;
    this.#moving = true;
    this.#network.transmit(this.#from, this.#to, this.#owner, () => {
      this.#moving = false;
      // Messages sent close together arrive together.
      const arrived = this.#waiting.splice(0);
      for (const arrive of arrived) {
        if (this.#cut) return;
        arrive();
        if (this.#network.isLast(this.#from, this.#to)) this.onCut();
      }
      this.#move();
    });
  }
}

function link(from: string, to: string): string {
  return `${from}>${to}`;
}
