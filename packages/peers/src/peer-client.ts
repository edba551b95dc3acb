/** Calls another replica of this program. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { type After, afterReally, RelayError } from '@meshrelay/relay-protocol';
import type { Peer } from './find-peers.ts';
import type { PeerKeys } from './peer-keys.ts';
import { repliesOf } from './peer-lines.ts';

export interface PeerQuestion {
  readonly method: string;
  /** Parameters of the method, as JSON. */
  readonly given: unknown;
  readonly signal: AbortSignal;
  /** Shared connections, made by {@link peerConnections}; by default the call uses its own. */
  readonly connections?: Agent;
  /** Replaces this process's timers. */
  readonly after?: After;
}

/**
 * Connections to replicas that are reused between calls. A connection is never reused with other keys. Call `destroy`
 * at the end.
 */
export function peerConnections(): Agent {
  return new Agent({ keepAlive: true, maxFreeSockets: 8, scheduling: 'fifo' });
}

/** Header with the name of the intended replica: its address may belong to another one by now. */
export const REPLICA_HEADER = 'x-meshrelay-replica';

/**
 * Milliseconds without data, while a reader waits, after which a replica counts as gone. It sends a heartbeat every
 * five seconds.
 */
const IDLE_TIMEOUT_MS = 15_000;

/**
 * Yields the replies as they arrive; a reader that stops ends the call.
 * @param keys the present keys, which may be replaced later
 * @throws PeerFailure if the other replica reports a failure, RelayError if it is unreachable, rejects the caller or
 * disconnects, the signal's reason when it aborts
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
  const stop = after(IDLE_TIMEOUT_MS, () => requested.destroy(idleTimeoutError()));
  requested.end(JSON.stringify(given));
  let answered = false;
  try {
    const [response] = (await once(requested, 'response')) as [IncomingMessage];
    answered = true;
    stop();
    // Later failures reach the reader of the response.
    requested.on('error', () => undefined);
    response.setEncoding('utf8');
    const heard = listened(response as AsyncIterable<string>, after);
    if (response.statusCode !== 200) throw await rejectionOf(response.statusCode, heard);
    yield* repliesOf(heard);
  } catch (error) {
    signal.throwIfAborted();
    // A reused connection may have ended while idle. Calls change nothing, so this one is sent again on another
    // connection.
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

/** Yields data as it arrives. A slow reader does not count as silence of the other side. */
async function* listened(received: AsyncIterable<string>, after: After): AsyncGenerator<string> {
  const each = received[Symbol.asyncIterator]();
  for (;;) {
    const silent = Promise.withResolvers<never>();
    const stop = after(IDLE_TIMEOUT_MS, () => silent.reject(idleTimeoutError()));
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

function idleTimeoutError(): RelayError {
  return new RelayError('RELAY_E_UNAVAILABLE', `no message arrived for ${IDLE_TIMEOUT_MS / 1000} s`);
}

async function rejectionOf(status: number | undefined, heard: AsyncIterable<string>): Promise<RelayError> {
  let text = '';
  for await (const part of heard) if (text.length < 512) text += part;
  return new RelayError('RELAY_E_UNAVAILABLE', `it answered ${status}: ${text.trim().slice(0, 512)}`);
}
