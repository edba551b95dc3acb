/**
 * Addresses that simulated processes reach: API servers and relay listeners. One instance, because one simulation runs
 * at a time.
 */

import type { ApiServer } from '../kube/api-server.ts';
import type { Random } from '../runtime/random.ts';
import { simulatedNow } from '../runtime/scheduler.ts';
import type { SimProcess } from '../runtime/sim-process.ts';
import type { Network } from './network.ts';

/** Current faults of an API server. */
export interface ApiFaults {
  /** The server does not listen. */
  down: boolean;
  /** Share of requests answered with 429 or 500. */
  errors: number;
  /** Plural of a kind of which only single objects are listed. */
  failingLists: string | undefined;
  /** Watches stay open without events. */
  silent: boolean;
}

/** An API server on the network. */
export interface ApiHost {
  readonly host: string;
  readonly server: ApiServer;
  readonly faults: ApiFaults;
  readonly errorRandom: Random;
  /** Ends every watch, as a restart of the API server does. */
  readonly connections: Set<() => void>;
}

/** A listener for connections. */
export interface Listener {
  readonly process: SimProcess;
  connect(peer: unknown): void;
}

export interface Internet {
  readonly network: Network;
  /** By host name. */
  readonly apis: ReadonlyMap<string, ApiHost>;
  /** Listeners of the relay, in the order of their start. */
  readonly relays: Set<Listener>;
  /** The source port of the next connection. */
  ports: number;
}

let internet: Internet | undefined;

export function connectInternet(to: Internet | undefined): void {
  internet = to;
}

/** The internet as the current process sees it. @throws Error outside a simulated process */
export function reach(): { readonly internet: Internet; readonly process: SimProcess } {
  const at = simulatedNow();
  if (at === undefined || internet === undefined)
    throw new Error('the network was used outside of a simulated process; run the work in Scheduler.enter');
  return { internet, process: at.process };
}
