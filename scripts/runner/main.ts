/** The test runner's command line: finds the files, runs the lanes, prints, and says whether all is well. */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findTestFiles, SUITES, select } from './discover.ts';
import { type Lane, lanes } from './lane.ts';
import { describeFile, describeTotal } from './print.ts';
import { DEFAULT_LIMITS, type FileResult, type Limits } from './run-file.ts';
import { type LaneOptions, runLane } from './run-lane.ts';

const USAGE =
  'usage: npm test -- [--lane=node|deno] [--suite=slow|kube|redis|envoy|properties] [--jobs=N] [--deadline=SECONDS] [--again] [PATTERN...]';

/** More files than these have not failed by chance. */
const MOST_AGAIN = 3;

/**
 * Runs the tests that the arguments ask for.
 * @param print receives the lines of the report
 * @returns the exit code: 0 when at least one test ran and nothing failed
 */
export async function main(args: readonly string[], print: (line: string) => void): Promise<number> {
  let options: Options;
  try {
    options = parse(args);
  } catch (error) {
    print(`${(error as Error).message}\n${USAGE}\n0 passed, 1 failed`);
    return 2;
  }
  const { selected, unmatched } = select(findTestFiles(options.root, options), options.patterns);
  if (selected.length === 0 || unmatched.length > 0) {
    for (const pattern of unmatched) print(`no test file has ${JSON.stringify(pattern)} in its path`);
    if (unmatched.length === 0) print(`no test files in ${options.root}`);
    print('0 passed, 1 failed');
    return 1;
  }
  const results = await runLanes(options, selected, print);
  if (results.length === 0) {
    print(`none of the files runs in the ${options.lane} lane\n0 passed, 1 failed`);
    return 1;
  }
  print(describeTotal(results));
  return results.every((result) => result.failed === 0) ? 0 : 1;
}

interface Options {
  readonly root: string;
  readonly lane: string | undefined;
  readonly suite: string | undefined;
  readonly jobs: number;
  /** Whether files that failed run once more, each alone. */
  readonly again: boolean;
  readonly limits: Limits;
  readonly patterns: readonly string[];
}

function parse(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      lane: { type: 'string' },
      suite: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      deadline: { type: 'string' },
      again: { type: 'boolean', default: process.env['CI'] === 'true' },
      root: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
    },
  });
  if (values.lane !== undefined && !lanes.some((lane) => lane.name === values.lane)) {
    throw new Error(
      `no lane named ${JSON.stringify(values.lane)}; there are ${lanes.map((lane) => lane.name).join(', ')}`,
    );
  }
  const { root, lane, suite, again } = values;
  if (suite !== undefined && !SUITES.some((each) => each === suite)) {
    throw new Error(`no suite named ${JSON.stringify(suite)}; there are ${SUITES.join(', ')}`);
  }
  const deadline = 1000 * positive('--deadline', values.deadline ?? (suite === undefined ? '300' : '1800'));
  const limits = { ...DEFAULT_LIMITS, deadline };
  return { root, lane, suite, again, jobs: positive('--jobs', values.jobs), limits, patterns: positionals };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value)))
    throw new Error(`${name} must be a number above 0, not ${JSON.stringify(text)}`);
  return value;
}

async function runLanes(
  options: Options,
  files: readonly string[],
  print: (line: string) => void,
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  for (const lane of lanes) {
    const own = files.filter((file) => lane.accepts(file));
    if ((options.lane ?? lane.name) !== lane.name || own.length === 0) continue;
    print(`${lane.name} lane: ${own.length} ${own.length === 1 ? 'file' : 'files'}`);
    const ended = (result: FileResult): void => print(describeFile(result));
    const done = await runLane(lane, own, { ...options, ended });
    const settled = options.again ? await runFailedAgain(lane, done, { ...options, jobs: 1, ended }, print) : done;
    results.push(...settled.map((result) => ({ ...result, file: `${result.file} (${lane.name})` })));
  }
  return results;
}

/**
 * Tests of many processes share a machine with others in CI, so a few files that failed may run once more, with nothing beside them. What failed stays
 * printed, and the total names each file that passed only then.
 */
async function runFailedAgain(
  lane: Lane,
  results: readonly FileResult[],
  options: LaneOptions,
  print: (line: string) => void,
): Promise<readonly FileResult[]> {
  const failed = results.filter((result) => result.failed > 0).map(({ file }) => file);
  if (failed.length === 0 || failed.length > MOST_AGAIN) return results;
  print(`once more, each alone: ${failed.join(', ')}`);
  const second = new Map((await runLane(lane, failed, options)).map((result) => [result.file, result]));
  return results.map((first) => {
    const again = second.get(first.file);
    return again === undefined ? first : { ...again, failedFirst: first.failed };
  });
}
