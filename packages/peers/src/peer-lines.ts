/** What one replica tells another: lines of JSON, the last of which says that it is the last. */
import { RelayError } from '@meshrelay/relay-protocol';
import { PeerFailure } from './peer-failure.ts';

export type PeerLine =
  | { readonly reply: unknown }
  | { readonly end: true }
  | { readonly failure: { readonly code: string; readonly reason: string } };

/** A line that says nothing but that somebody is there. */
export const HEARTBEAT = '\n';

/** Longer than any reply. */
const MAX_LINE_BYTES = 1024 * 1024;

export function lineOf(line: PeerLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** The replies in what is received, in their order. @throws PeerFailure where the other says that it failed, RelayError where it breaks off */
export async function* repliesOf(received: AsyncIterable<string>): AsyncGenerator<unknown> {
  let rest = '';
  let ended = false;
  for await (const text of received) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_BYTES)
      throw new RelayError('RELAY_E_LIMIT', `a reply has more than ${MAX_LINE_BYTES} characters`);
    for (const line of lines) {
      if (line === '') continue;
      const said = JSON.parse(line) as PeerLine;
      // Read to the end of what is received, so that its connection can be used again.
      if ('end' in said) ended = true;
      if ('failure' in said) throw new PeerFailure(said.failure.code, said.failure.reason);
      if ('reply' in said) yield said.reply;
    }
  }
  if (!ended) throw new RelayError('RELAY_E_UNAVAILABLE', 'the answer broke off');
}
