/**
 * Benchmarks access log decoders: this package's and generated code, in entries per second of CPU, alternating in one
 * process.
 * The generated candidates are outside the repository; buf with protoc-gen-es creates `gen-es` there from the same
 * protos:
 * npm install --prefix DIR @grpc/grpc-js-xds protobufjs protobufjs-cli @bufbuild/protobuf @bufbuild/protoc-gen-es
 * @bufbuild/buf
 *   node bench/codec/run.ts DIR [ENTRIES] [MILLISECONDS]        (and the same with `deno run -A`)
 */
import { resolve } from 'node:path';
import process from 'node:process';
import { alsMessage } from '../../test/support/als-message.ts';
import { type Candidate, generated, MANAGED } from './candidates.ts';
import { entryAt } from './entry.ts';

const ROUNDS = 5;
/** Different messages, so no decoder profits from the message just before. */
const MESSAGES = 200;

const [folder, entries = '100', milliseconds = '300'] = process.argv.slice(2);
if (folder === undefined) throw new Error('say where the candidates are installed: run.ts DIR');
const each = Number(entries);
const messages = Array.from({ length: MESSAGES }, (_, m) =>
  alsMessage(Array.from({ length: each }, (_, e) => entryAt(m * each + e))),
);
const runs = [...MANAGED, ...(await generated(resolve(folder)))].map((candidate) => ({
  candidate,
  rates: [] as number[],
}));
console.log(
  `${each} entries a message of ${messages[0]?.length} bytes; entries per second of CPU, median of ${ROUNDS}`,
);
for (let round = 0; round <= ROUNDS; round++) {
  for (const { candidate, rates } of runs) {
    const measured = rate(candidate);
    // The first round warms up the compiler.
    if (round > 0) rates.push(measured);
  }
}
for (const { candidate, rates } of runs) {
  const median = rates.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
  console.log(`${candidate.name.padEnd(24)} ${Math.round(median).toLocaleString('en').padStart(12)}`);
}

function rate({ take }: Candidate): number {
  const before = process.cpuUsage();
  const end = performance.now() + Number(milliseconds);
  let taken = 0;
  let sum = 0;
  while (performance.now() < end) sum += take(messages[taken++ % MESSAGES] as (typeof messages)[number]);
  if (sum === 0) throw new Error('nothing was read');
  const { user, system } = process.cpuUsage(before);
  return (taken * each) / ((user + system) / 1e6);
}
