/** Receives the access logs of Envoys, and prints a line for each failed request. `PORT` is where Envoys send them. */
import process from 'node:process';
import { AccessLogSink, entryLine, startSinkServer } from '@meshrelay/access-log-sink';

const cluster = process.env['CLUSTER'] ?? 'cluster-1';
const port = Number(process.env['PORT'] ?? 9977);

// Which workload has an address: from your inventory. Without one, entries have only addresses.
using sink = new AccessLogSink({ attribution: { cluster, workloadAt: () => undefined } });
await using server = await startSinkServer({ sink, host: '0.0.0.0', port });
console.error(`Envoys can connect to port ${server.port}`);

using failures = sink.tail({ status: [[500, 599]] });
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => failures[Symbol.dispose]());
for await (const { entries, lost } of failures) {
  for (const entry of entries) console.log(entryLine(entry));
  if (lost > 0) console.error(`${lost} entries came faster than they were printed`);
}
const { received, dropped } = sink.counts;
console.error(`${received} entries received, ${dropped.rate + dropped.malformed + dropped.oversized} dropped`);
