/** Asks another replica of this agent. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { RelayError } from '@meshrelay/relay-protocol';
import type { Answer, ObservedMethod, Observer, Question } from '../observe/observer.ts';
import type { Peer } from './find-peers.ts';
import { repliesOf } from './peer-lines.ts';
import { PEER_NAME, type PeerKeys } from './peer-secret.ts';

/** Milliseconds without a sign of life after which a replica counts as gone; it gives one every five seconds. */
const SILENCE = 15_000;

/** @param keys those of now: they may be exchanged */
export function peerObserver({ address, port }: Peer, keys: PeerKeys): Observer {
  return { ask };

  async function* ask<M extends ObservedMethod>(
    method: M,
    given: Question<M>,
    signal: AbortSignal,
  ): AsyncGenerator<Answer<M>> {
    signal.throwIfAborted();
    // A connection for each question: they are few, and none is ever another's.
    const agent = new Agent({ keepAlive: false });
    const body = JSON.stringify(given);
    const asked = request({
      host: address,
      port,
      path: `/v1/${method}`,
      method: 'POST',
      headers: { authorization: `Bearer ${keys.token}`, 'content-type': 'application/json' },
      servername: PEER_NAME,
      ca: keys.root,
      minVersion: 'TLSv1.3',
      agent,
      timeout: SILENCE,
      signal,
    });
    asked.on('timeout', () => asked.destroy(new Error(`nothing was heard for ${SILENCE / 1000} s`)));
    asked.end(body);
    try {
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      // What breaks off later is told to who reads the response.
      asked.on('error', () => undefined);
      response.setEncoding('utf8');
      if (response.statusCode !== 200) throw await refusalOf(response);
      for await (const reply of repliesOf(response as AsyncIterable<string>)) yield reply as Answer<M>;
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof RelayError
        ? error
        : new RelayError('RELAY_E_UNAVAILABLE', error instanceof Error ? error.message : String(error), {
            cause: error,
          });
    } finally {
      asked.on('error', () => undefined);
      asked.destroy();
      agent.destroy();
    }
  }
}

async function refusalOf(response: IncomingMessage): Promise<RelayError> {
  let text = '';
  for await (const part of response as AsyncIterable<string>) if (text.length < 512) text += part;
  return new RelayError('RELAY_E_UNAVAILABLE', `it answered ${response.statusCode}: ${text.trim().slice(0, 512)}`);
}
