/**
 * The agents' ends of a fleet, in a separate process, so that the server's process has only the server's memory. Ends
 * when its parent does.
 */
import { Buffer } from 'node:buffer';
import process from 'node:process';
import type { BareClient } from '../bare-grpc.ts';
import type { Credential } from './authority.ts';
import { echoed, echoTo } from './echo.ts';
import { BenchAgent } from './ends.ts';
import { objectOf } from './objects.ts';

/** Orders of the parent; the reply to each is the CPU that it took here, in milliseconds. */
export type Order =
  /** Opens a bare stream for each, and receives one echo on it. */
  | { readonly order: 'echo'; readonly address: string }
  /** Opens both streams of each agent; the second time each has its previous state. */
  | { readonly order: 'agents'; readonly address: string }
  /** Ends all connections. */
  | { readonly order: 'leave' }
  | { readonly order: 'wait'; readonly milliseconds: number };

/** The first message. */
export interface Fleet {
  readonly roots: string;
  readonly credentials: readonly Credential[];
  /** Number of the first agent; default 0. */
  readonly from?: number;
  /** Objects per agent. */
  readonly objects: number;
}

const PING = Buffer.from('hello');
const clients: BareClient[] = [];
let agents: readonly BenchAgent[] = [];
let fleet: Fleet;

function begin(reported: Fleet): void {
  fleet = reported;
  agents = fleet.credentials.map((credential, at) => new BenchAgent(`c${at + (fleet.from ?? 0)}`, credential));
  for (const [at, agent] of agents.entries())
    for (let object = 0; object < fleet.objects; object++) agent.table.upsert(objectOf(object, at, 300));
}

/** More concurrent handshakes would exceed the server's handshake timeout on a busy machine. */
const AT_ONCE = 20;

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map(work));
}

async function follow(order: Order): Promise<void> {
  const { roots, credentials } = fleet;
  switch (order.order) {
    case 'echo':
      await inTurns(credentials, async (credential) => {
        const client = echoTo(order.address, roots, credential);
        clients.push(client);
        await echoed(client, PING, 1);
      });
      break;
    case 'agents':
      await inTurns(agents, (agent) => agent.connect(order.address, roots));
      break;
    case 'leave':
      for (const client of clients.splice(0)) client.end();
      for (const agent of agents) agent.disconnect();
      break;
    case 'wait':
      await new Promise((resume) => setTimeout(resume, order.milliseconds));
      break;
    default:
      order satisfies never;
  }
}

process.once('disconnect', () => process.exit(0));
process.once('message', (reported: Fleet) => {
  begin(reported);
  process.on('message', async (order: Order) => {
    const before = process.cpuUsage();
    await follow(order);
    const { user, system } = process.cpuUsage(before);
    process.send?.((user + system) / 1000);
  });
});
