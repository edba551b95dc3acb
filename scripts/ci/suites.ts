/** CI's parallel suites: the programs, then the longest first, so that no core idles at the end. */
import process from 'node:process';
import { DENO_CHECK } from '../deno-packages.mjs';

/** A test command. */
export interface Suite {
  readonly title: string;
  /**
   * Runs in the root of the checkout, with the tools on PATH. Its last line may be `N passed, N failed`; without it, it
   * counts as one check.
   */
  readonly command: readonly [string, ...string[]];
  /** The title of a suite that must have ended before. */
  readonly after?: string;
}

const task = (name: string, ...args: readonly string[]): Suite['command'] => [
  process.execPath,
  'scripts/run.mjs',
  name,
  ...args,
];

/** In starting order; each starts as soon as another ends. */
export const suites: readonly Suite[] = [
  // Seconds; the suites that start programs would otherwise each build them.
  { title: 'programs', command: task('build') },
  { title: 'real API server', command: task('test:kube') },
  { title: 'slow tests', command: task('test:slow', '--jobs=2') },
  { title: 'tests', command: ['npm', 'test', '--', '--jobs=1'] },
  { title: 'faults', command: task('test:faults') },
  { title: 'Envoy', command: task('test:envoy', '--jobs=1') },
  { title: 'traffic', command: task('test:traffic', '--jobs=1'), after: 'real API server' },
  // Those before have built most of Kubernetes and istiod. It waits a third of its time for pods.
  { title: 'clusters', command: task('e2e'), after: 'traffic' },
  { title: 'properties', command: task('test:properties', '--jobs=1') },
  { title: 'wrong plugins', command: task('test:plugins', '--jobs=1') },
  { title: 'Redis', command: task('test:redis', '--jobs=1') },
  { title: 'simulation', command: task('test:simulation', '--schedules', '300', '--seed', 'ci', '--jobs', '1') },
  { title: 'mutants', command: task('test:mutants', '--jobs', '1') },
  { title: 'demo', command: task('demo', '--once', '--json'), after: 'Envoy' },
  { title: 'demo in Deno', command: task('demo', '--once', '--json', '--runtime', 'deno'), after: 'demo' },
  { title: 'types', command: ['tsc', '-b'] },
  { title: 'types of tests', command: ['tsc', '-p', 'tsconfig.tests.json'], after: 'types' },
  // Installs from the registry that npm is configured for, and so waits for the network.
  { title: 'tarballs', command: [process.execPath, 'scripts/check-tarballs.ts'], after: 'types' },
  // It too installs what the packages depend on.
  { title: 'release', command: [process.execPath, 'scripts/check-release.ts'], after: 'types' },
  { title: 'public packages', command: [process.execPath, 'scripts/check-packages.ts'], after: 'types' },
  { title: 'public types', command: [process.execPath, 'scripts/check-api.ts'], after: 'types' },
  { title: 'types in Deno', command: ['deno', ...DENO_CHECK.slice(1)] },
  { title: 'lint and format', command: ['biome', 'ci', '.'] },
  { title: 'unused code', command: ['knip', '--no-progress', '--no-config-hints'] },
  { title: 'generated files', command: task('generate', '--check') },
  { title: 'import rules', command: [process.execPath, 'scripts/check-imports.ts'] },
  { title: 'words', command: [process.execPath, 'scripts/check-words.ts'] },
  { title: 'documents', command: [process.execPath, 'scripts/check-docs.ts'] },
];

/** A command with its own scale of random runs: `.ci/run` tries few in suites that take long. */
const scaled = (scale: number, command: Suite['command']): Suite['command'] => [
  'env',
  `MESHRELAY_TEST_SCALE=${scale}`,
  ...command,
];

/**
 * Suites that take hours, one after the other. Run manually, with MESHRELAY_TEST_SCALE=10; docs/soak.md has the last
 * result.
 */
export const soakSuites: readonly Suite[] = [
  { title: 'faults', command: task('test:faults', '--soak') },
  { title: 'wrong plugins', command: task('test:plugins') },
  { title: 'properties', command: scaled(20, task('test:properties')) },
  { title: 'simulation', command: task('test:simulation', '--schedules', '20000', '--seed', 'soak') },
  { title: 'tests', command: ['npm', 'test'] },
  { title: 'real API server', command: scaled(20, task('test:kube')) },
];
