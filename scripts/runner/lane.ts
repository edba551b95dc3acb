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

/**
 * Packages that must run in any runtime, and a file or two of each other package that Deno runs: Node has tested the
 * same code.
 * A package that only needs the language has all its tests here; one that uses Node's modules has the tests that do.
 */
const RUNS_IN_DENO: readonly RegExp[] = [
  /^packages\/(api|pki|plugin)\//,
  /^packages\/relay-core\/test\/(graph|plugin|input|discover|status)\//,
  /^packages\/relay-core\/test\/(random-fleets|configured-fleets)\.test\.ts$/,
  /^packages\/plugin-(istio|osm|envoy)\/test\/golden\.test\.ts$/,
  /^packages\/plugin-kit\/test\/(?!.*\.slow\.)/,
  /^packages\/relay-protocol\/test\//,
  /^packages\/(access-log-sink\/test\/(codec|query|service|wire)|agent\/test\/(observe|peers)|envoy-api\/test\/(server|services)|peers)\//,
];
/** Files about Node alone, such as one that bundles for browsers, are named `*.node.test.ts`. */
const NODE_ONLY = /\.node\.(\w+\.)?test\.ts$/;

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
    accepts: (file) => RUNS_IN_DENO.some((pattern) => pattern.test(file)) && !NODE_ONLY.test(file),
  },
];
