/** Wire format between replicas: lines of JSON; the last one is marked as the last. */
import { RelayError } from '@meshrelay/relay-protocol';
import { PeerFailure } from './peer-failure.ts';

export type PeerLine =
  | { readonly reply: unknown }
  | { readonly end: true }
  | { readonly failure: { readonly code: string; readonly reason: string } };

/** An empty line as a heartbeat. */
export const HEARTBEAT = '\n';

/** Longer than any reply. */
const MAX_LINE_BYTES = 1024 * 1024;

export function lineOf(line: PeerLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * The replies in the received data, in order. @throws PeerFailure if the other replica reports a failure, RelayError if
 * it disconnects
 */
export async function* repliesOf(received: AsyncIterable<string>): AsyncGenerator<unknown> {
  let rest = '';
  let ended = false;
  for await (const text of received) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_BYTES)
      throw new RelayError('RELAY_E_RESOURCE_EXHAUSTED', `a reply has more than ${MAX_LINE_BYTES} characters`);
    for (const line of lines) {
      if (line === '') continue;
      const message = JSON.parse(line) as PeerLine;
      // The data is read to its end, so that the connection can be reused.
      if ('end' in message) ended = true;
      if ('failure' in message) throw new PeerFailure(message.failure.code, message.failure.reason);
      if ('reply' in message) yield message.reply;
    }
  }
  if (!ended) throw new RelayError('RELAY_E_UNAVAILABLE', 'the answer broke off');
}
