/** Which libraries are in the programs, and why. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../src/bundle.ts';
import { entries, type ProgramName } from '../src/programs.ts';

/** The most libraries that a program may contain. */
export const LIMITS = { meshctl: 40, 'mgmt-server': 100, agent: 100 } as const satisfies Partial<
  Record<ProgramName, number>
>;

/** Why packages of Meshrelay use a library. All others are needed by one of these. */
const REASONS: Readonly<Record<string, string>> = {
  '@bufbuild/protobuf': "Envoy's messages, generated from its own .proto files",
  '@clack/prompts': 'the questions of meshctl create, with lists to pick from',
  '@grpc/grpc-js': 'gRPC of the relay, of xDS and of access logs',
  '@hono/node-server': 'the HTTP API, on the server of Node',
  '@kubernetes/client-node': 'kubeconfigs with all their ways to authenticate, and watches',
  '@opentelemetry/api': 'spans',
  '@opentelemetry/sdk-node': 'traces, loaded only if they are requested, by the standard variables of the environment',
  commander: 'commands and options of meshctl',
  hono: 'routes of the HTTP API',
  ioredis: 'the store that replicas share',
  jose: 'tokens of OpenID Connect and of ServiceAccounts',
  'node-forge': 'certificates and requests with extensions that Node cannot write',
  pino: 'log lines as JSON',
  'prom-client': 'metrics',
  protobufjs: 'messages of the relay: it decodes deltas faster than others',
  undici: 'connections to API servers that stay open',
  yaml: 'YAML with the positions of problems',
  zod: 'schemas of kinds and of configuration',
};

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Library {
  readonly name: string;
  readonly licence: string;
  /** The programs that contain it. */
  readonly programs: readonly string[];
  /** The reason, or the libraries that need it; empty: neither is known. */
  readonly reason: string;
}

/** The libraries of a program that is bundled by itself. @param folder new, for the bundle */
export function librariesOf(root: string, program: ProgramName, folder: string): readonly Manifest[] {
  mkdirSync(folder, { recursive: true });
  const { packages } = bundle({ root, entries: { [program]: entries[program] ?? '' }, folder });
  const folders = packages[program] ?? [];
  return folders.map((path) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest);
}

/** Each library once, by name. */
export function libraries(byProgram: ReadonlyMap<string, readonly Manifest[]>): readonly Library[] {
  // Of some libraries there are two versions, with other needs.
  const manifests = [...byProgram.values()].flat();
  const all = new Map(manifests.map((manifest) => [manifest.name, manifest]));
  const names = [...all.keys()].sort((a, b) => (a < b ? -1 : 1));
  return names.map((name) => ({
    name,
    licence: all.get(name)?.license ?? '',
    programs: [...byProgram].filter(([, some]) => some.some((one) => one.name === name)).map(([program]) => program),
    reason: REASONS[name] ?? neededBy(name, manifests),
  }));
}

function neededBy(name: string, all: readonly Manifest[]): string {
  const users = all.filter(({ dependencies, optionalDependencies, peerDependencies }) =>
    Object.hasOwn({ ...dependencies, ...optionalDependencies, ...peerDependencies }, name),
  );
  const named = [...new Set(users.map((user) => `\`${user.name}\``))].sort();
  return named.length === 0 ? '' : `needed by ${named.join(', ')}`;
}

/** docs/reference/libraries.md. */
export function librariesPage(all: readonly Library[], counts: ReadonlyMap<string, number>): string {
  const programs = [...counts.keys()];
  const row = ({ name, licence, programs: having, reason }: Library): string =>
    `| \`${name}\` | ${licence} | ${programs.map((program) => (having.includes(program) ? 'x' : '')).join(' | ')} | ${reason} |`;
  return [
    '<!-- Generated from the bundles; run `MESHRELAY_GOLDEN=update npm test -- --suite=slow programs/test/libraries`. -->',
    '# Libraries in the programs',
    '',
    'The programs are bundles: they contain these libraries, and an install fetches nothing more and runs no script. With',
    'each library is the reason why Meshrelay uses it, or which library needs it.',
    '',
    `| library | licence | ${programs.join(' | ')} | why |`,
    `|---|---|${programs.map(() => '---|').join('')}---|`,
    ...all.map(row),
    `| **sum** | | ${programs.map((program) => counts.get(program)).join(' | ')} | |`,
    '',
  ].join('\n');
}
