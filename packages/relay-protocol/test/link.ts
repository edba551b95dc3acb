/**
 * Two state machines joined without a network: messages pass as bytes, one at a time, in an order that a test chooses.
 */
import { Buffer } from 'node:buffer';
import {
  type Codec,
  pullRequestCodec,
  pullResponseCodec,
  pushRequestCodec,
  pushResponseCodec,
} from '../src/codec/codec.ts';
import { RelayError } from '../src/errors.ts';
import type { RelayMessage } from '../src/message.ts';
import type { ObjectEnvelope, ObjectKey, ObjectKind } from '../src/object/envelope.ts';
import { hashOf } from '../src/object/hash.ts';
import type { StreamMachine } from '../src/stream/machine.ts';

type Machine = StreamMachine<never, RelayMessage>;

/** Traffic of a link in one direction. */
export interface Lane {
  readonly from: Machine;
  readonly to: Machine;
  readonly codec: Codec<RelayMessage>;
  readonly queue: RelayMessage[];
  readonly log: RelayMessage[];
  /** Bytes of the messages. */
  bytes: number;
}

export interface Link {
  /** From the agent to the server. */
  readonly up: Lane;
  readonly down: Lane;
  failure: RelayError | undefined;
}

/** Joins an agent's machine and a server's. */
export function join(stream: 'push' | 'pull', agent: unknown, server: unknown): Link {
  const codecs = stream === 'push' ? [pushRequestCodec, pushResponseCodec] : [pullRequestCodec, pullResponseCodec];
  const [up, down] = codecs as unknown as readonly [Codec<RelayMessage>, Codec<RelayMessage>];
  const link: Link = {
    up: lane(agent as Machine, server as Machine, up),
    down: lane(server as Machine, agent as Machine, down),
    failure: undefined,
  };
  const driver = {
    ready: () => undefined,
    fail: (error: RelayError) => {
      link.failure ??= error;
    },
  };
  link.up.from.drive(driver);
  link.down.from.drive(driver);
  return link;
}

function lane(from: Machine, to: Machine, codec: Codec<RelayMessage>): Lane {
  return { from, to, codec, queue: [], log: [], bytes: 0 };
}

/** Takes one message out of its machine. @returns false if nothing is pending */
export function send(lane: Lane): boolean {
  const message = lane.from.next();
  if (message === undefined) return false;
  const bytes = lane.codec.encode(message);
  lane.bytes += bytes.byteLength;
  const arrived = lane.codec.decode(bytes);
  lane.queue.push(arrived);
  lane.log.push(arrived);
  return true;
}

/** Delivers one message. @returns false if nothing is in transit */
export function deliver(link: Link, lane: Lane): boolean {
  const message = lane.queue.shift();
  if (message === undefined) return false;
  try {
    lane.to.receive(message as never);
  } catch (thrown) {
    if (!(thrown instanceof RelayError)) throw thrown;
    link.failure ??= thrown;
  }
  return true;
}

/** Runs until nothing moves. @throws RelayError that ended the stream */
export function settle(link: Link): void {
  for (let step = 0; step < 100_000; step++) {
    const moved = [send(link.up), deliver(link, link.up), send(link.down), deliver(link, link.down)];
    if (link.failure !== undefined) throw link.failure;
    if (!moved.includes(true)) return;
  }
  throw new Error('the link did not come to rest within 100000 steps');
}

/** Ends both machines, as a broken connection does: messages in transit are lost. */
export function cut(link: Link): void {
  link.up.from.end();
  link.down.from.end();
}

export const KINDS: readonly ObjectKind[] = [
  { group: '', version: 'v1', kind: 'Service' },
  { group: 'networking.istio.io', version: 'v1', kind: 'VirtualService' },
];

/** An object with this content, with a body of about `bytes` bytes. */
export function envelope(key: ObjectKey, content: string, bytes = 0): ObjectEnvelope {
  const body = Buffer.from(JSON.stringify({ name: key.name, content, padding: 'x'.repeat(bytes) }));
  return { ...key, hash: hashOf(body), body };
}

export function keyOf(kind: number, name: string, namespace = 'default'): ObjectKey {
  const chosen = KINDS[kind % KINDS.length];
  if (chosen === undefined) throw new Error('no kinds');
  return { ...chosen, namespace, name };
}
