/** Parses server-sent events from a stream. */

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Maximum characters of one event: the server sends far less. */
const MAX_EVENT_BYTES = 4 * 2 ** 20;

/** Until the stream ends; throws if it breaks. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${text}`.split('\n\n');
    rest = blocks.pop() ?? '';
    if (rest.length > MAX_EVENT_BYTES) throw new Error(`an event has more than ${MAX_EVENT_BYTES} characters`);
    for (const block of blocks) {
      const [, event] = /^event: (.+)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data };
    }
  }
}
