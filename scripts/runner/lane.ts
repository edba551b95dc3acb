/** A lane: one runtime and the test files that must pass in it. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export interface Lane {
  readonly name: string;
  /** The command that runs a TypeScript module; the module and its arguments are appended. */
  readonly command: readonly [string, ...string[]];
  /** Whether a file, by its path from the root, belongs to the lane. */
  accepts(file: string): boolean;
}

/** Packages whose promise is to run anywhere. */
const RUNS_IN_DENO =
  /^packages\/(access-log-sink\/test\/(codec|query|service|tail|wire)|agent\/test\/(observe|peers)|api|envoy-api\/test\/(server|services)|peers|pki|plugin-[^/]+|relay-core|relay-protocol)\//;
/** Files about Node alone, such as one that bundles for browsers, are named `*.node.test.ts`. */
const NODE_ONLY = /\.node\.(slow\.)?test\.ts$/;

/** The lanes in the order they run. */
export const lanes: readonly Lane[] = [
  { name: 'node', command: [process.execPath, '--disable-warning=ExperimentalWarning'], accepts: () => true },
  {
    name: 'deno',
    command: [
      'deno',
      'run',
      '--allow-all',
      '--quiet',
      '--config',
      fileURLToPath(new URL('../../deno.json', import.meta.url)),
    ],
    accepts: (file) => RUNS_IN_DENO.test(file) && !NODE_ONLY.test(file),
  },
];
