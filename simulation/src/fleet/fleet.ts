/** A simulated fleet: a management cluster, workload clusters, and the programs that run in them. */
import type { KubeObject } from '@meshrelay/api';
import type { Logger } from '@meshrelay/telemetry';
import { ApiServer } from '../kube/api-server.ts';
import { resourceOf } from '../kube/resource.ts';
import { type ApiHost, connectInternet, type Internet } from '../network/internet.ts';
import { Network } from '../network/network.ts';
import { SimRedis } from '../redis/sim-redis.ts';
import { Scheduler } from '../runtime/scheduler.ts';
import type { SimProcess } from '../runtime/sim-process.ts';
import { startAgentOf, startServer } from './programs.ts';

export const MANAGEMENT = 'management';

/** Size of the fleet. */
export interface FleetShape {
  readonly servers: number;
  readonly clusters: number;
  /** Number of agent replicas per cluster. */
  readonly agents: number;
  /** Whether servers share state through a Redis that outlives them. */
  readonly shared: boolean;
}

/** A program's place in the fleet, where processes succeed each other. */
export interface HostLocation {
  readonly name: string;
  /** Host name of the API server it uses. */
  readonly api: string;
  process: SimProcess | undefined;
  program: AsyncDisposable | undefined;
  incarnation: number;
  /** Speed of its clock. */
  rate: number;
  /** Whether its process was asked to end; `awaited`: the successor's start waits for that end. */
  ending: 'no' | 'ending' | 'awaited';
}

/** Delay after which the kubelet restarts a program that exited by itself. */
const RESTART = 2_000;

export class SimFleet {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly internet: Internet;
  readonly apis: ReadonlyMap<string, ApiHost>;
  readonly places: ReadonlyMap<string, HostLocation>;
  readonly clusters: readonly string[];
  /** State shared by the servers; undefined: each has only its own memory. */
  readonly redis: SimRedis | undefined;
  /** Offset of every clock from the real time of day, in milliseconds. */
  timeOfDay = 0;
  /** Receives the log lines of programs. */
  logger: ((process: string) => Logger) | undefined;
  /** A program exited by itself. */
  onExit: (place: HostLocation, error: unknown) => void = () => {};

  readonly #processes: SimProcess[] = [];

  constructor(seed: string, shape: FleetShape) {
    this.redis = shape.shared ? new SimRedis() : undefined;
    this.scheduler = new Scheduler(seed);
    this.network = new Network(this.scheduler);
    this.clusters = Array.from({ length: shape.clusters }, (_, at) => `c${at + 1}`);
    this.apis = new Map([MANAGEMENT, ...this.clusters].map((host) => [host, this.#api(host)]));
    this.internet = { network: this.network, apis: this.apis, relays: new Set(), ports: 40_000 };
    const names = [
      ...Array.from({ length: shape.servers }, (_, at) => [`server-${at}`, MANAGEMENT] as const),
      ...this.clusters.flatMap((cluster) =>
        Array.from({ length: shape.agents }, (_, at) => [`${cluster}-agent-${at}`, cluster] as const),
      ),
    ];
    this.places = new Map(
      names.map(([name, api]) => [
        name,
        { name, api, process: undefined, program: undefined, incarnation: 0, rate: 1, ending: 'no' },
      ]),
    );
    connectInternet(this.internet);
  }

  api(host: string): ApiServer {
    return (this.apis.get(host) as ApiHost).server;
  }

  /** Writes an object as a user. */
  put(host: string, object: KubeObject): void {
    this.api(host).put(resourceOf(object.apiVersion, object.kind), object);
  }

  /** Deletes an object as a user. */
  drop(host: string, { apiVersion, kind, metadata: { namespace = '', name } }: KubeObject): void {
    this.api(host).drop(resourceOf(apiVersion, kind), namespace, name);
  }

  /** Starts the program of a place, if it does not run. If the previous one is ending, starts it after that end. */
  start(name: string): void {
    const place = this.#place(name);
    if (place.process?.alive === true) {
      if (place.ending === 'ending') place.ending = 'awaited';
      return;
    }
    place.ending = 'no';
    const process = this.scheduler.spawn(name, place.incarnation++, place.rate);
    place.process = process;
    this.#processes.push(process);
    process.stepWall(this.timeOfDay);
    const { scheduler } = this;
    // Its first step is a regular step of the scheduler.
    scheduler.after(0, process, () => {
      this.#program(place).then(
        (program) => {
          if (process.alive) place.program = program;
        },
        (error: unknown) => this.#ended(place, process, error),
      );
    });
  }

  /** Kills it without warning. */
  crash(name: string): void {
    const place = this.#place(name);
    if (place.process !== undefined) this.scheduler.kill(place.process);
    place.program = undefined;
  }

  /**
   * Its node counts as lost, so it is started elsewhere under the same name, although it lives. The old one is frozen
   * meanwhile; then both run for some time, until the old one is ended.
   */
  double(name: string, frozen: number, both: number): void {
    const place = this.#place(name);
    const { process } = place;
    if (process?.alive !== true || process.frozen !== 'no') return;
    const { scheduler } = this;
    process.freeze('stopped', scheduler.now);
    place.process = undefined;
    place.program = undefined;
    place.ending = 'no';
    this.start(name);
    scheduler.after(frozen, undefined, () => {
      if (process.alive) scheduler.thaw(process);
      scheduler.after(both, undefined, () => scheduler.kill(process));
    });
  }

  /** Asks it to end, as SIGTERM does, with a grace period in milliseconds. */
  stop(name: string, grace = 10_000): void {
    const place = this.#place(name);
    const { process, program } = place;
    if (process?.alive !== true || program === undefined) {
      this.crash(name);
      return;
    }
    place.program = undefined;
    place.ending = 'ending';
    const gone = (): void => {
      this.scheduler.kill(process);
      if (place.process === process && place.ending === 'awaited') this.start(name);
    };
    this.scheduler.after(0, process, () => {
      program[Symbol.asyncDispose]().then(gone, gone);
    });
    this.scheduler.after(grace, undefined, gone);
  }

  /** Ends the fleet with all its programs. */
  end(): void {
    for (const process of this.#processes) this.scheduler.kill(process);
    connectInternet(undefined);
  }

  #program(place: HostLocation): Promise<AsyncDisposable> {
    const { name, api } = place;
    const logger = this.logger?.(name);
    return api === MANAGEMENT ? startServer(name, { logger, redis: this.redis }) : startAgentOf(api, name, logger);
  }

  #ended(place: HostLocation, process: SimProcess, error: unknown): void {
    if (!process.alive) return;
    this.onExit(place, error);
    this.scheduler.kill(process);
    this.scheduler.after(RESTART, undefined, () => {
      if (place.process === process) this.start(place.name);
    });
  }

  #place(name: string): HostLocation {
    const place = this.places.get(name);
    if (place === undefined) throw new Error(`the fleet has no ${name}`);
    return place;
  }

  #api(host: string): ApiHost {
    return {
      host,
      server: new ApiServer(host, () => this.scheduler.now),
      faults: { down: false, errors: 0, failingLists: undefined, silent: false },
      errorRandom: this.scheduler.random(`api/${host}`),
      connections: new Set(),
    };
  }
}
