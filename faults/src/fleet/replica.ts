/** One replica of a program with its connections: to its API server, and, for an agent, to the management servers. */
import type { FaultProxy } from '@meshrelay/fault-proxy';
import type { Program } from '@meshrelay/local-fleet';

export interface ReplicaOptions {
  /** Also the name of its user in its cluster. */
  readonly name: string;
  readonly cluster: string;
  /** The connection to its API server. */
  readonly api: FaultProxy;
  /** The connection to the management servers. */
  readonly relay?: FaultProxy;
  /** The connection of a server to Redis, if there is one. */
  readonly store?: FaultProxy;
  /** Starts the program. */
  readonly start: () => Program;
  /** Creates a second process of the same replica. */
  readonly twin?: () => Promise<Replica>;
}

export class Replica implements AsyncDisposable {
  readonly name: string;
  readonly cluster: string;
  readonly api: FaultProxy;
  readonly #relay: FaultProxy | undefined;
  readonly #store: FaultProxy | undefined;
  readonly #start: () => Program;
  readonly #twin: (() => Promise<Replica>) | undefined;
  #program: Program | undefined;

  constructor({ name, cluster, api, relay, store, start, twin }: ReplicaOptions) {
    this.name = name;
    this.cluster = cluster;
    this.api = api;
    this.#relay = relay;
    this.#store = store;
    this.#start = start;
    this.#twin = twin;
  }

  /** The connection to the management servers. @throws Error for a server */
  get relay(): FaultProxy {
    if (this.#relay === undefined)
      throw new Error(`${this.name} is not an agent: it has no connection to management servers`);
    return this.#relay;
  }

  /** The connection to Redis. @throws Error for an agent, or without Redis */
  get store(): FaultProxy {
    if (this.#store === undefined) throw new Error(`${this.name} has no line to a Redis`);
    return this.#store;
  }

  /** The program that runs, or ran last. @throws Error before its first start */
  get program(): Program {
    if (this.#program === undefined) throw new Error(`${this.name} was not started`);
    return this.#program;
  }

  get running(): boolean {
    return this.#program?.running ?? false;
  }

  /** Starts it, unless it runs. */
  start(): Program {
    if (!this.running) this.#program = this.#start();
    return this.program;
  }

  /**
   * A second process with this replica's name and user, over its own connections, not started yet. That happens when a
   * node is cut off and its pod is started on another node. The caller disposes it. @throws Error for a server
   */
  async twin(): Promise<Replica> {
    if (this.#twin === undefined) throw new Error(`${this.name} is not an agent: it has no twin`);
    return await this.#twin();
  }

  /** Kills it, as a crash would. */
  async kill(): Promise<void> {
    this.program.signal('SIGKILL');
    await this.program.ended();
  }

  /** Ends it as Kubernetes does, within the grace period. */
  async terminate(): Promise<void> {
    this.program.signal('SIGTERM');
    await this.program.ended();
  }

  /** Ends the faults of its connections. */
  heal(): void {
    if (this.running) this.program.signal('SIGCONT');
    this.api.setFaults({});
    this.#relay?.setFaults({});
    this.#store?.setFaults({});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program?.[Symbol.asyncDispose]();
    await this.#relay?.[Symbol.asyncDispose]();
    await this.#store?.[Symbol.asyncDispose]();
    await this.api[Symbol.asyncDispose]();
  }
}
