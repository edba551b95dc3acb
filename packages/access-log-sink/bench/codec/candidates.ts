/** The candidates: each decodes a message and reads the requested fields. */
import type { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AlsDecoder } from '../../src/codec/als-decoder.ts';
import { ALL_FIELDS, type Projection, projectionOf } from '../../src/codec/projection.ts';

export interface Candidate {
  readonly name: string;
  /**
   * @returns the sum of the statuses, or the number of entries: a result that the compiler cannot optimize away, equal
   * for all
   */
  take(message: Buffer): number;
}

function byHand(name: string, requested: Projection): Candidate {
  const decoder = new AlsDecoder();
  let sum = 0;
  let bytes: Buffer;
  const visitor = {
    identifier() {},
    entry(kind: 'http' | 'tcp', from: number, to: number) {
      sum += decoder.decode(bytes, kind, from, to, requested).status ?? 0;
    },
  };
  return {
    name,
    take(message) {
      [sum, bytes] = [0, message];
      decoder.scan(message, visitor);
      return sum;
    },
  };
}

const counting = new AlsDecoder();
const nothing = { identifier() {}, entry() {} };

/** The decoders of this package. */
export const MANAGED: readonly Candidate[] = [
  byHand('by hand, all fields', ALL_FIELDS),
  byHand('by hand, 5 fields', projectionOf(['startTime', 'status', 'path', 'duration', 'upstreamCluster'])),
  byHand('by hand, 3 fields', projectionOf(['startTime', 'status', 'path'])),
  { name: 'by hand, counted only', take: (message) => counting.scan(message, nothing) },
];

interface Entry<Code> {
  readonly response: { readonly responseCode: Code };
}

/** The static code of protobufjs and that of protobuf-es, generated in `home` from the protos of @grpc/grpc-js-xds. */
export async function generated(home: string): Promise<readonly Candidate[]> {
  const protos = ['envoy-api', 'xds', 'googleapis', 'protoc-gen-validate'].map((name) =>
    join(home, 'node_modules/@grpc/grpc-js-xds/deps', name),
  );
  const paths = protos.flatMap((path) => ['-p', path]);
  const run = (program: string, args: readonly string[]): unknown =>
    execFileSync(join(home, 'node_modules/.bin', program), args, {
      cwd: home,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  const options = ['--no-comments', '--no-verify', '--no-create', '--no-delimited', '--no-service'];
  run('pbjs', ['-t', 'static-module', '-w', 'commonjs', ...options, ...paths, '-o', 'gen.cjs', ALS]);
  const { envoy } = createRequire(join(home, 'x.js'))('./gen.cjs');
  const Static = envoy.service.accesslog.v3.StreamAccessLogsMessage as {
    decode(bytes: Uint8Array): {
      readonly httpLogs: { readonly logEntry: readonly Entry<{ readonly value: number }>[] };
    };
  };
  const load = (file: string): Promise<Record<string, unknown>> => import(pathToFileURL(join(home, file)).href);
  const { StreamAccessLogsMessageSchema: schema } = await load('gen-es/envoy/service/accesslog/v3/als_pb.js');
  const fromBinary = (await load('node_modules/@bufbuild/protobuf/dist/esm/index.js'))['fromBinary'] as (
    schema: unknown,
    bytes: Uint8Array,
  ) => { readonly logEntries: { readonly value: { readonly logEntry: readonly Entry<number>[] } } };
  const sum = <T>(entries: readonly T[], status: (entry: T) => number): number =>
    entries.reduce((total, entry) => total + status(entry), 0);
  return [
    {
      name: 'protobufjs static',
      take: (message) => sum(Static.decode(message).httpLogs.logEntry, ({ response }) => response.responseCode.value),
    },
    {
      name: 'protobuf-es',
      take: (message) =>
        sum(fromBinary(schema, message).logEntries.value.logEntry, ({ response }) => response.responseCode),
    },
  ];
}

const ALS = 'envoy/service/accesslog/v3/als.proto';
