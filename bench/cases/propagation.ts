/**
 * Latency of a change from one cluster to another, through the real server; compared with bare grpc-js with the same
 * hops, and a bare write.
 */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { quantile } from '../measure.ts';
import { ApplyingAgent } from '../propagation/applying-agent.ts';
import { DialledAgent } from '../propagation/dialled-agent.ts';
import { Forwarder } from '../propagation/forwarder.ts';
import { type Registration, startManagement } from '../propagation/management.ts';
import { discovered, envelopeOf, gateway } from '../propagation/two-clusters.ts';
import { createAuthority } from '../relay/authority.ts';

export interface PropagationInput {
  readonly changes: number;
  /** End of the measurement: the other agent's receipt, or the write in its cluster's API server. */
  readonly until: 'delivered' | 'applied';
}

/** Milliseconds, of all changes. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

export interface PropagationResult {
  /** From the message that one agent sends. */
  readonly way: Spread;
  /** A message of the same size that a bare server forwards, and its reply. */
  readonly hops: Spread;
  /**
   * An object of the same size that a bare client applies to the same API server, until a watch reports it; absent
   * without an API server.
   */
  readonly write: Spread;
  /** The sum of the two in the same round. */
  readonly hopsAndWrite: Spread;
}

/** One change after the other, one message after the other, and one write after the other, in turns. */
export async function propagation({ changes, until }: PropagationInput): Promise<PropagationResult> {
  await using cleanup = new AsyncDisposableStack();
  const register = await startManagement(cleanup);
  const near = await dial(cleanup, await register('near'));
  const there = await register('far');
  const far = until === 'delivered' ? await dial(cleanup, there) : await ApplyingAgent.start(cleanup, there);
  const first = gateway('near', 0);
  const begun = far.applies(addressOf(first));
  near.report(first);
  await begun;
  const authority = await createAuthority();
  const ends = [await authority.agent('near'), await authority.agent('far')] as const;
  const raw = cleanup.use(await Forwarder.start(authority, ends));
  const message = Buffer.from(envelopeOf(first).body);
  const [way, hops, write]: [number[], number[], number[]] = [[], [], []];
  const warmUp = Math.ceil(changes / 5);
  for (let change = 1; change <= warmUp + changes; change++) {
    const object = gateway('near', change);
    const arrived = far.applies(addressOf(object));
    const managed = await milliseconds(async () => {
      near.report(object);
      await arrived;
    });
    const unmanaged = await milliseconds(() => raw.send(message));
    const written =
      far instanceof ApplyingAgent
        ? await milliseconds(() => far.applyBare(addressOf(object), `"192.0.2.${1 + (change % 250)}"`))
        : 0;
    if (change <= warmUp) continue;
    way.push(managed);
    hops.push(unmanaged);
    write.push(written);
  }
  const both = hops.map((hop, round) => hop + (write[round] ?? 0));
  return { way: spread(way), hops: spread(hops), write: spread(write), hopsAndWrite: spread(both) };
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function spread(values: readonly number[]): Spread {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99) };
}

async function dial(cleanup: AsyncDisposableStack, registration: Registration): Promise<DialledAgent> {
  const agent = cleanup.use(await DialledAgent.dial(registration));
  agent.report(...discovered(registration.cluster));
  return agent;
}

function addressOf(object: KubeObject): string {
  const spec = object.spec as { kubeService: { externalAddresses: ReadonlyArray<{ ip: string }> } };
  return `"${spec.kubeService.externalAddresses[0]?.ip}"`;
}
