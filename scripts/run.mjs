// `npm run NAME -- ARGS`: prepares the checkout, then runs the task of that name from the table below.
import { join } from 'node:path';
import process from 'node:process';
import { launch, launchProgram } from './bootstrap/launch.mjs';
import { bootstrap, reportFailure, root } from './bootstrap.mjs';
import { DENO_CHECK } from './deno-packages.mjs';

/**
 * @typedef {object} Task
 * @property {readonly (readonly string[])[]} commands run in order, all of them; the task fails as the first that
 *   fails. The user's arguments go to the last. A command that names a `.ts` file runs under the right Node; any other
 *   is found on PATH, the tools and node_modules/.bin first.
 * @property {boolean} [deno] whether it needs Deno
 * @property {boolean} [dependencies] false if the task itself changes them
 * @property {NodeJS.ProcessEnv} [env] added to the environment, unless already set
 */

/** Rare runs try as many values as possible: tools/testing/src/scale.ts. */
const ALL = { MESHRELAY_TEST_SCALE: '1' };

/** Builds the programs that tests start, so that no test spends its time on that. */
const PROGRAMS = ['tools/programs/src/prepare.ts'];

/** @type {Readonly<Record<string, Task>>} */
const tasks = {
  test: { deno: true, commands: [['scripts/test.ts']] },
  'test:slow': { deno: true, env: ALL, commands: [PROGRAMS, ['scripts/test.ts', '--suite=slow']] },
  'test:properties': { env: ALL, commands: [['scripts/test.ts', '--suite=properties', '--lane=node']] },
  'test:plugins': { env: ALL, commands: [['scripts/test.ts', '--suite=mutants', '--lane=node']] },
  'test:redis': { env: ALL, commands: [PROGRAMS, ['scripts/test.ts', '--suite=redis', '--lane=node']] },
  'test:envoy': { env: ALL, commands: [['scripts/test.ts', '--suite=envoy', '--lane=node']] },
  'test:traffic': { env: ALL, commands: [['scripts/test.ts', '--suite=traffic', '--lane=node']] },
  'test:mutants': { commands: [['simulation/src/run/main.ts', '--mutants']] },
  'test:simulation': { commands: [['simulation/src/run/main.ts']] },
  'test:kube': { env: ALL, commands: [PROGRAMS, ['e2e/kube.ts']] },
  e2e: { commands: [PROGRAMS, ['e2e/clusters/main.ts']] },
  'test:faults': { commands: [PROGRAMS, ['faults/main.ts']] },
  ci: { deno: true, commands: [['scripts/ci.ts']] },
  soak: { deno: true, env: { MESHRELAY_TEST_SCALE: '10' }, commands: [['scripts/soak.ts']] },
  lint: { commands: [['biome', 'check', '.']] },
  check: {
    deno: true,
    commands: [
      ['tsc', '-b'],
      ['tsc', '-p', 'tsconfig.tests.json'],
      DENO_CHECK,
      ['scripts/check-imports.ts'],
      ['scripts/check-packages.ts'],
      ['scripts/check-api.ts'],
      ['scripts/check-docs.ts'],
    ],
  },
  build: { commands: [['tools/programs/src/build-all.ts']] },
  images: { commands: [['tools/images/src/main.ts']] },
  release: { commands: [['scripts/release/main.ts']] },
  krew: { commands: [['tools/images/src/krew-main.ts']] },
  generate: { commands: [['scripts/generate.ts']] },
  'fetch:envoy': { commands: [['scripts/fetch-envoy.ts']] },
  // Deno is for `--runtime deno`.
  demo: { deno: process.argv.includes('deno'), commands: [PROGRAMS, ['demo/main.ts']] },
  site: { commands: [['site/main.ts']] },
  bench: { commands: [['bench/main.ts']] },
  'golden:update': { env: { MESHRELAY_GOLDEN: 'update' }, commands: [['scripts/test.ts', '--lane=node']] },
  changeset: { commands: [['changeset']] },
  pnpm: { dependencies: false, commands: [['pnpm']] },
  exec: { deno: true, commands: [[]] },
};

const [name = '', ...args] = process.argv.slice(2);
const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
if (!task) {
  process.stderr.write(`run.mjs: no task named ${JSON.stringify(name)}; there are ${Object.keys(tasks).join(', ')}\n`);
  process.exitCode = 2;
} else if (name === 'exec' && args.length === 0) {
  process.stderr.write('run.mjs: exec needs a command, such as: npm run exec -- tsc -b\n');
  process.exitCode = 2;
} else {
  const { deno = false, dependencies = true } = task;
  const ready = await bootstrap({ deno, dependencies }).catch(reportFailure);
  if (ready) await runTask(task, ready, args).catch(reportFailure);
}

/**
 * @param {Task} task
 * @param {import('./bootstrap.mjs').Ready} ready
 * @param {readonly string[]} userArgs
 */
async function runTask({ commands, env }, ready, userArgs) {
  process.chdir(root);
  const readyWithEnv = { ...ready, env: { ...env, ...ready.env } };
  let failure;
  for (const [index, command] of commands.entries()) {
    const [program = '', ...rest] = index === commands.length - 1 ? [...command, ...userArgs] : command;
    if (program.endsWith('.ts')) await launchProgram(readyWithEnv, join(root, program), rest);
    else await launch(program, rest, readyWithEnv.env);
    failure ||= process.exitCode;
  }
  process.exitCode = failure;
}
