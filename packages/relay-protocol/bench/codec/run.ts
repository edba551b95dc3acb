/**
 * Which codec carries the relay's messages? Generates the three candidates from our proto and measures encoding and
 * decoding of the messages that matter, in CPU time, all in one process and taking turns. The candidates live outside
 * the repository:
 *
 *   npm install --prefix DIR @bufbuild/buf @bufbuild/protobuf @bufbuild/protoc-gen-es ts-proto protobufjs protobufjs-cli
 *   node bench/codec/run.ts DIR [MILLISECONDS]        (and the same with `deno run -A`)
 */
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { type Candidate, protobufEs, protobufjs, tsProto } from './candidates.ts';
import { FIXTURES } from './fixtures.ts';

const ROUNDS = 5;

const [folder, milliseconds = '300'] = process.argv.slice(2);
if (folder === undefined) throw new Error('say where the candidates are installed: run.ts DIR');
const home = resolve(folder);
generate(home);
const load = (file: string): Promise<unknown> => import(pathToFileURL(join(home, file)).href);
const candidates: readonly Candidate[] = [
  protobufEs(
    await load('gen-es/meshrelay/relay/v1/relay_pb.ts'),
    await load('node_modules/@bufbuild/protobuf/dist/esm/index.js'),
  ),
  tsProto(await load('gen-ts/meshrelay/relay/v1/relay.ts')),
  protobufjs(await load('gen-pb.js')),
];
for (const fixture of FIXTURES) measure(fixture.name, fixture.message);

function measure(name: string, message: (typeof FIXTURES)[number]['message']): void {
  const runs = candidates.flatMap((candidate) => {
    const native = candidate.native(message);
    const bytes = candidate.encode(native);
    return [
      {
        label: `${candidate.name} encode`,
        work: () => candidate.encode(native),
        rates: [] as number[],
        size: bytes.length,
      },
      {
        label: `${candidate.name} decode`,
        work: () => candidate.decode(bytes),
        rates: [] as number[],
        size: bytes.length,
      },
    ];
  });
  for (let round = 0; round < ROUNDS; round++) for (const run of runs) run.rates.push(rate(run.work));
  for (const { label, rates, size } of runs) {
    const median = rates.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
    console.log(
      `${name.padEnd(28)} ${label.padEnd(20)} ${Math.round(median).toLocaleString('en')}/cpu-s  ${size} bytes`,
    );
  }
}

/** Calls per second of CPU time. */
function rate(work: () => unknown): number {
  const until = performance.now() + Number(milliseconds);
  const before = process.cpuUsage();
  let calls = 0;
  while (performance.now() < until) {
    for (let at = 0; at < 20; at++) work();
    calls += 20;
  }
  const { user, system } = process.cpuUsage(before);
  return calls / ((user + system) / 1e6);
}

function generate(root: string): void {
  const proto = resolve(import.meta.dirname, '../../proto');
  const bin = (name: string): string => join(root, 'node_modules/.bin', name);
  if (existsSync(join(root, 'gen-pb.js'))) return;
  const template = {
    version: 'v2',
    plugins: [
      { local: bin('protoc-gen-es'), out: 'gen-es', opt: ['target=ts', 'import_extension=ts', 'erasable_syntax=true'] },
      {
        local: bin('protoc-gen-ts_proto'),
        out: 'gen-ts',
        opt: [
          'outputServices=none',
          'oneof=unions-value',
          'env=node',
          'importSuffix=.ts',
          'enumsAsLiterals=true',
          'forceLong=number',
        ],
      },
    ],
  };
  writeFileSync(join(root, 'buf.gen.json'), JSON.stringify(template));
  execFileSync(bin('buf'), ['generate', '--template', 'buf.gen.json', proto], { cwd: root, stdio: 'inherit' });
  const flags = [
    '-t',
    'static-module',
    '-w',
    'es6',
    '--no-create',
    '--no-verify',
    '--no-convert',
    '--no-delimited',
    '--no-service',
  ];
  execFileSync(bin('pbjs'), [...flags, '-o', 'gen-pb.js', join(proto, 'meshrelay/relay/v1/relay.proto')], {
    cwd: root,
  });
}
