/**
 * The sink in a separate process: prints its port, and, when asked to end, its counts as JSON.
 *
 * - `keep`: counts by class of status, filters by status, retains the last entries
 * - `project`: and also passes five fields of each entry to a reader
 * - `full`: and every field of each entry
 * - `tail`: and all of it to a live tail, with caller and called service
 * - `agent`: as an agent runs it, with its limits, edges counted, and a slowly read tail
 */
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type AccessLogFields,
  AccessLogSink,
  compileRules,
  EdgeMetrics,
  FIELD_NAMES,
  type LogObserver,
  startSinkServer,
} from '@meshrelay/access-log-sink';

const mode = process.argv[2] ?? 'keep';
const classes = [0, 0, 0, 0, 0, 0];
let read = 0;
const workload = { name: 'reviews', namespace: 'bookinfo', cluster: 'bench' };
const attribution = { cluster: 'bench', workloadAt: () => workload };
const rules = compileRules([
  {
    name: 'answered',
    filters: [{ statusCodeMatcher: { value: 200, comparator: 'GE' } }],
    includedRequestHeaders: [],
    includedResponseHeaders: [],
    includedResponseTrailers: [],
    includedFilterStateObjects: [],
  },
]);
const counting: LogObserver = {
  needs: ['status'],
  observe({ status = 0 }) {
    const of = Math.min(Math.floor(status / 100), 5);
    classes[of] = (classes[of] ?? 0) + 1;
  },
};
const LINES = 500;

/** Passes entries to a reader in batches. */
function lines<Line>(needs: LogObserver['needs'], lineOf: (fields: AccessLogFields) => Line): LogObserver {
  let waiting: Line[] = [];
  const deliver = (): void => {
    read += waiting.length;
    waiting = [];
  };
  return {
    needs,
    observe(fields) {
      if (waiting.length === 0) setImmediate(deliver);
      waiting.push(lineOf(fields));
      if (waiting.length === LINES) deliver();
    },
  };
}

const five = lines(
  ['startTime', 'status', 'path', 'duration', 'upstreamCluster'],
  ({ startTime, status, path, duration, upstreamCluster }) => ({ startTime, status, path, duration, upstreamCluster }),
);
const all = lines(FIELD_NAMES, (fields) => fields);
const endpointMultiplicity: Readonly<Record<string, readonly LogObserver[]>> = { project: [five], full: [all] };

const sink = new AccessLogSink(
  mode === 'agent'
    ? { attribution, observers: [new EdgeMetrics({ attribution })] }
    : {
        attribution,
        observers: [counting, ...(endpointMultiplicity[mode] ?? [])],
        rulesFor: () => rules,
        // As many as the compared server retains, and without a limit per source.
        ring: { entries: 50_000, bytes: 64 * 2 ** 20 },
        allowance: { perSecond: 1e9, burst: 1e9 },
        streamsPerSource: 1_000,
      },
);
const server = await startSinkServer({ sink, host: '127.0.0.1', port: 0 });
const capacity = { agent: 1_000, tail: 100_000 }[mode];
const tail = capacity === undefined ? undefined : sink.tail({ intermediate: true }, { capacity });
process.stdout.write(`${server.port}\n`);
process.stdin.once('end', () => process.exit(1)).resume();
process.once('SIGTERM', () => {
  const counts = { ...sink.counts, classes, read, tail: tail?.counts };
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0));
});
if (tail !== undefined) {
  for await (const { entries } of tail) {
    read += entries.length;
    if (mode === 'agent') await pause(100);
  }
}
