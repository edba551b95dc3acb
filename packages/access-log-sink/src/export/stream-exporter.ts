/** Writes JSON lines to a stream, such as standard output. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { entryLine } from './entry-json.ts';
import type { LogExporter } from './log-exporter.ts';

/** Waits while the stream is full, so waiting entries stay in the bounded queue. Does not end the stream. */
export function streamExporter(name: string, stream: Writable): LogExporter {
  return {
    name,
    async write(entries) {
      if (stream.errored) throw stream.errored;
      const lines = `${entries.map(entryLine).join('\n')}\n`;
      if (!stream.write(lines)) await once(stream, 'drain');
      return 0;
    },
    async [Symbol.asyncDispose]() {},
  };
}
