/** The test runner's command line: finds the files, runs them, prints the results, and sets the exit code. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { affectedFiles } from './affected-files.ts';
import { findTestFiles, SUITES, select } from './discover.ts';
import { Durations } from './durations.ts';
import { lanes } from './lane.ts';
import { PackageProgress, type Progress, TerminalProgress } from './progress.ts';
import { type FileRun, runFiles } from './run-files.ts';
import { describeTotal } from './summary.ts';
import { DEFAULT_LIMITS, type Limits } from './worker-process.ts';

const USAGE =
  'usage: npm test -- [--changed [REF]] [--lane=node|deno] [--suite=slow|kube|redis|envoy|traffic|properties] [--jobs=N] [--deadline=SECONDS] [PATTERN...]';

/** Destination of the report. */
export interface Report {
  /** Receives each line. */
  readonly print: (line: string) => void;
  /** Receives text that replaces the previous text, on a terminal; undefined for other outputs. */
  readonly redraw?: ((text: string) => void) | undefined;
}

/**
 * Runs the tests that the arguments select.
 * @returns the exit code: 0 if at least one test ran and nothing failed
 */
export async function main(args: readonly string[], { print, redraw }: Report): Promise<number> {
  const refuse = (code: number, ...lines: string[]): number => {
    for (const line of [...lines, '0 passed, 1 failed']) print(line);
    return code;
  };
  let options: Options;
  try {
    options = parse(args);
  } catch (error) {
    return refuse(2, (error as Error).message, USAGE);
  }
  const { root } = options;
  const { selected, unmatched } = select(findTestFiles(root, options), options.patterns);
  if (unmatched.length > 0) {
    return refuse(1, ...unmatched.map((pattern) => `no test file has ${JSON.stringify(pattern)} in its path`));
  }
  if (selected.length === 0) return refuse(1, `no test files in ${root}`);
  let files = selected;
  try {
    if (options.changedSince !== undefined) files = selectAffected(selected, root, options.changedSince, print);
  } catch (error) {
    return refuse(2, (error as Error).message);
  }
  if (files.length === 0) {
    print('0 passed, 0 failed');
    return 0;
  }
  const runs = lanes
    .filter((lane) => (options.lane ?? lane.name) === lane.name)
    .flatMap((lane) => files.filter((file) => lane.accepts(file)).map((file): FileRun => ({ lane, file })));
  if (runs.length === 0) return refuse(1, `none of the files runs in the ${options.lane} lane`);
  const durations = new Durations(root);
  const ordered = durations.longestFirst(runs);
  const progress: Progress = redraw ? new TerminalProgress(runs, { print, redraw }) : new PackageProgress(runs, print);
  const started = performance.now();
  const results = await runFiles(ordered, {
    ...options,
    began: (run) => progress.began(run),
    ended: (result) => progress.ended(result),
  });
  progress.finish();
  durations.keep(results);
  print(describeTotal(results, performance.now() - started));
  return results.every((result) => result.failed === 0) ? 0 : 1;
}

function selectAffected(
  files: readonly string[],
  root: string,
  commit: string,
  print: (line: string) => void,
): readonly string[] {
  const { changed, affected } = affectedFiles(root, files, commit);
  const differing = `${changed.length} ${changed.length === 1 ? 'file' : 'files'} changed since ${commit}`;
  print(`${differing}: ${affected.length} of ${files.length} test files can be affected`);
  return affected;
}

interface Options {
  readonly root: string;
  readonly lane: string | undefined;
  readonly suite: string | undefined;
  /** The commit to compare the working tree with; undefined to run all files. */
  readonly changedSince: string | undefined;
  readonly jobs: number;
  readonly limits: Limits;
  readonly patterns: readonly string[];
}

function parse(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: withReference(args),
    allowPositionals: true,
    options: {
      lane: { type: 'string' },
      suite: { type: 'string' },
      changed: { type: 'string' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      deadline: { type: 'string' },
      root: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    },
  });
  const { root, lane, suite } = values;
  if (lane !== undefined && !lanes.some((each) => each.name === lane)) {
    throw new Error(`no lane named ${JSON.stringify(lane)}; there are ${lanes.map((each) => each.name).join(', ')}`);
  }
  if (suite !== undefined && !SUITES.some((each) => each === suite)) {
    throw new Error(`no suite named ${JSON.stringify(suite)}; there are ${SUITES.join(', ')}`);
  }
  const deadline = 1000 * positive('--deadline', values.deadline ?? (suite === undefined ? '300' : '1800'));
  return {
    root,
    lane,
    suite,
    changedSince: values.changed,
    jobs: positive('--jobs', values.jobs),
    limits: { ...DEFAULT_LIMITS, deadline },
    patterns: positionals,
  };
}

/** `--changed` without a commit means the last one; `parseArgs` has no option type for it. */
function withReference(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    if (arg !== '--changed') return arg;
    const next = args[index + 1];
    return next === undefined || next.startsWith('-') ? '--changed=HEAD' : arg;
  });
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value)))
    throw new Error(`${name} must be a number above 0, not ${JSON.stringify(text)}`);
  return value;
}
