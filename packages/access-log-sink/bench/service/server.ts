/** The sink in a process of its own. Prints its port; `full` decodes every field of every entry for a reader, `asked` only what is counted. */
import process from 'node:process';
import type { AccessLogFields } from '../../src/entry/access-log-fields.ts';
import { startSinkServer } from '../../src/program/sink-server.ts';
import { AccessLogSink } from '../../src/sink/access-log-sink.ts';

const mode = process.argv[2];
let errors = 0;
const counting = {
  needs: ['status'] as const,
  observe({ status = 0 }: AccessLogFields) {
    if (status >= 500) errors++;
  },
};
const sink = new AccessLogSink({
  attribution: { cluster: 'bench', workloadAt: () => ({ name: 'w', namespace: 'n', cluster: 'bench' }) },
  observers: [counting],
  // The peer keeps 200,000 entries, and limits nobody.
  ring: { entries: 200_000, bytes: 256 * 2 ** 20 },
  allowance: { perSecond: 1e9, burst: 1e9 },
  streamsPerSource: 1_000,
});
const server = await startSinkServer({ sink, host: '127.0.0.1', port: 0 });
process.stdout.write(`${server.port}\n`);
process.once('SIGTERM', () => {
  process.stdout.write(`${sink.counts.received}\n`);
  process.exit(errors === 0 ? 1 : 0);
});
if (mode === 'full') {
  for await (const { entries } of sink.tail({ intermediate: true }, { capacity: 100_000 }))
    if (entries.length === 0) throw new Error('an empty batch');
}
