/** What simulated processes reach by address: API servers and relay listeners. One at a time, as there is one simulation at a time. */

import type { ApiServer } from '../kube/api-server.ts';
import type { Random } from '../runtime/random.ts';
import { simulatedNow } from '../runtime/scheduler.ts';
import type { SimProcess } from '../runtime/sim-process.ts';
import type { Network } from './network.ts';

/** How an API server behaves just now. */
export interface ApiFaults {
  /** Nothing listens. */
  down: boolean;
  /** This share of requests is answered 429 or 500. */
  errors: number;
  /** Watches stay open and say nothing. */
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

/** Something that takes connections. */
export interface Listener {
  readonly process: SimProcess;
  connect(peer: unknown): void;
}

export interface Internet {
  readonly network: Network;
  /** By host name. */
  readonly apis: ReadonlyMap<string, ApiHost>;
  /** What listens for the relay, in the order in which it began to. */
  readonly relays: Set<Listener>;
  /** The port that the next connection comes from. */
  ports: number;
}

let internet: Internet | undefined;

export function connectInternet(to: Internet | undefined): void {
  internet = to;
}

/** The internet as the process that runs now sees it. @throws Error outside of a simulated process */
export function reach(): { readonly internet: Internet; readonly process: SimProcess } {
  const at = simulatedNow();
  if (at === undefined || internet === undefined)
    throw new Error('the network was used outside of a simulated process; run the work in Scheduler.enter');
  return { internet, process: at.process };
}
