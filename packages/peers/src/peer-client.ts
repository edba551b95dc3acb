/** Asks another replica of this program. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { type After, afterReally, RelayError } from '@meshrelay/relay-protocol';
import type { Peer } from './find-peers.ts';
import type { PeerKeys } from './peer-keys.ts';
import { repliesOf } from './peer-lines.ts';

export interface PeerQuestion {
  readonly method: string;
  /** What the method takes, as JSON has it. */
  readonly given: unknown;
  readonly signal: AbortSignal;
  /** Connections that others have asked on, and will; one for this question alone unless given. Made by {@link peerConnections}. */
  readonly connections?: Agent;
  /** Instead of this process's timers. */
  readonly after?: After;
}

/** Connections to replicas that are kept between questions: for whoever asks often. None is used with other keys. To be destroyed in the end. */
export function peerConnections(): Agent {
  return new Agent({ keepAlive: true, maxFreeSockets: 8, scheduling: 'fifo' });
}

/** The header with the name of the replica that is meant: an address may be another's by now. */
export const REPLICA_HEADER = 'x-meshrelay-replica';

/** Milliseconds without a sign of life, while somebody waits for one, after which a replica counts as gone; it gives one every five seconds. */
const SILENCE_TIMEOUT_MS = 15_000;

/**
 * Its replies as they come; whoever stops reading ends the question there.
 * @param keys those of now: they may be exchanged
 * @throws PeerFailure where the other says that it failed, RelayError where it is not reached, does not let us in or breaks off, the
 * signal's reason when it aborts
 */
export async function* callPeer(peer: Peer, keys: PeerKeys, question: PeerQuestion): AsyncGenerator<unknown> {
  const { replica, address, port } = peer;
  const { method, given, signal, connections, after = afterReally } = question;
  signal.throwIfAborted();
  const agent = connections ?? new Agent({ keepAlive: false });
  const requested = request({
    host: address,
    port,
    path: `/v1/${method}`,
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.token}`,
      'content-type': 'application/json',
      [REPLICA_HEADER]: replica,
    },
    servername: keys.name,
    ca: keys.root,
    minVersion: 'TLSv1.3',
    agent,
    signal,
  });
  const stop = after(SILENCE_TIMEOUT_MS, () => requested.destroy(idleTimeoutMs()));
  requested.end(JSON.stringify(given));
  let answered = false;
  try {
    const [response] = (await once(requested, 'response')) as [IncomingMessage];
    answered = true;
    stop();
    // What breaks off later is told to who reads the response.
    requested.on('error', () => undefined);
    response.setEncoding('utf8');
    const heard = listened(response as AsyncIterable<string>, after);
    if (response.statusCode !== 200) throw await rejectionOf(response.statusCode, heard);
    yield* repliesOf(heard);
  } catch (error) {
    signal.throwIfAborted();
    // A kept connection may have ended while nobody used it; questions change nothing, so this one is asked anew on another.
    if (requested.reusedSocket && !answered && !(error instanceof RelayError))
      return yield* callPeer(peer, keys, question);
    throw error instanceof RelayError
      ? error
      : new RelayError('RELAY_E_UNAVAILABLE', error instanceof Error ? error.message : String(error), {
          cause: error,
        });
  } finally {
    stop();
    requested.on('error', () => undefined);
    requested.destroy();
    if (connections === undefined) agent.destroy();
  }
}

/** As it comes. A reader that takes its time is not the other's silence. */
async function* listened(received: AsyncIterable<string>, after: After): AsyncGenerator<string> {
  const each = received[Symbol.asyncIterator]();
  for (;;) {
    const silent = Promise.withResolvers<never>();
    const stop = after(SILENCE_TIMEOUT_MS, () => silent.reject(idleTimeoutMs()));
    let came: IteratorResult<string>;
    try {
      came = await Promise.race([each.next(), silent.promise]);
    } finally {
      stop();
    }
    if (came.done === true) return;
    yield came.value;
  }
}

function idleTimeoutMs(): RelayError {
  return new RelayError('RELAY_E_UNAVAILABLE', `nothing was heard for ${SILENCE_TIMEOUT_MS / 1000} s`);
}

async function rejectionOf(status: number | undefined, heard: AsyncIterable<string>): Promise<RelayError> {
  let text = '';
  for await (const part of heard) if (text.length < 512) text += part;
  return new RelayError('RELAY_E_UNAVAILABLE', `it answered ${status}: ${text.trim().slice(0, 512)}`);
}
