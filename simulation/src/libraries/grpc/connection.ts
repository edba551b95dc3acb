/** A connection from a client to one of the listeners, with its calls. */

import { type Internet, type Listener, reach } from '../../network/internet.ts';
import type { Channel, Network } from '../../network/network.ts';
import { randomOf } from '../../runtime/random.ts';
import type { SimProcess } from '../../runtime/sim-process.ts';

/** The calling process. */
export interface PeerCertificate {
  readonly raw: Uint8Array;
}

/** A listener that may be closed already. */
export interface ServingListener extends Listener {
  readonly listening: boolean;
}

export class Connection<L extends ServingListener = ServingListener> {
  readonly client: SimProcess;
  readonly server: SimProcess;
  readonly listener: L;
  readonly certificate: PeerCertificate | undefined;
  readonly up: Channel;
  readonly down: Channel;
  readonly network: Network;
  readonly address: string;
  /** Called at the client's, or the server's, end when the connection is closed. */
  readonly atClient = new Set<(why: string) => void>();
  readonly atServer = new Set<() => void>();
  #gone = false;

  constructor(internet: Internet, client: SimProcess, listener: L, certificate: PeerCertificate | undefined) {
    const { network } = internet;
    this.network = network;
    this.client = client;
    this.server = listener.process;
    this.listener = listener;
    this.certificate = certificate;
    this.up = network.channel(client.name, listener.process.name, listener.process);
    this.down = network.channel(listener.process.name, client.name, client);
    this.address = `${client.name}:${internet.ports++}`;
    this.up.onCut = this.#serverDied;
    this.down.onCut = this.#serverDied;
    client.atDeath.add(this.#clientDied);
    listener.process.atDeath.add(this.#serverDied);
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** One end closes, or the network between them breaks. The other end learns of it once a message gets through. */
  break(by: 'client' | 'server' | 'network', why: string): void {
    if (this.#gone) return;
    this.#gone = true;
    this.up.cut();
    this.down.cut();
    this.client.atDeath.delete(this.#clientDied);
    this.server.atDeath.delete(this.#serverDied);
    const { network, client, server } = this;
    const notifyClient = (): void => {
      for (const notify of [...this.atClient]) notify(why);
    };
    const notifyServer = (): void => {
      for (const notify of [...this.atServer]) notify();
    };
    if (by === 'client') notifyClient();
    else network.transmit(server.name, client.name, client, notifyClient);
    if (by !== 'server') network.transmit(client.name, server.name, server, notifyServer);
  }

  readonly #clientDied = (): void => this.break('network', 'connection reset');
  readonly #serverDied = (): void => this.break('network', 'connection reset');
}

/** Picks a listener, as a Service does: any that the Service considers ready. */
export function dial<L extends ServingListener>(certificate: PeerCertificate | undefined): Promise<Connection<L>> {
  const { internet, process } = reach();
  const listener = choose(internet, process) as L | undefined;
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('connect ECONNREFUSED'));
    if (listener === undefined) {
      internet.network.scheduler.after(1, process, fail);
      return;
    }
    const { network } = internet;
    network.transmit(process.name, listener.process.name, listener.process, () => {
      const refused = !listener.listening;
      network.transmit(listener.process.name, process.name, process, () => {
        if (refused || !listener.process.alive) return fail();
        resolve(new Connection(internet, process, listener, certificate));
      });
    });
  });
}

function choose({ relays, network }: Internet, process: SimProcess): ServingListener | undefined {
  const listeners = ([...relays] as ServingListener[]).filter((one) => one.listening);
  const random = randomOf(`${network.scheduler.seed}/dial/${process.name}/${Math.floor(network.scheduler.now)}`);
  return listeners[Math.floor(random() * listeners.length)];
}
