/** A child that replaces its parent: the same input and output, signals once, the same end, and no orphans. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';

const LAUNCH = new URL('../../bootstrap/launch.mjs', import.meta.url).href;

/** Announces itself, then prints received signals, and exits with 7 when stdin requests it. */
const PROGRAM = `
import process from 'node:process';
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => { console.log(signal); });
process.stdin.on('data', (text) => { console.log('read ' + String(text).trim()); process.exitCode = 7; process.stdin.destroy(); });
console.log(JSON.stringify({ pid: process.pid, args: process.argv.slice(2) }));
`;

interface Running {
  readonly parent: ChildProcess;
  /** The complete stdout so far. */
  output(): string;
  /** The process that does the work. */
  childPid(): Promise<number>;
}

function launch(folder: string, program: string, ...args: string[]): Running {
  const main = join(folder, 'main.ts');
  const parent = join(folder, 'parent.mjs');
  writeFileSync(main, program);
  writeFileSync(
    parent,
    `import { launchProgram } from ${JSON.stringify(LAUNCH)};
await launchProgram({ node: process.execPath, env: process.env }, ${JSON.stringify(main)}, process.argv.slice(2));`,
  );
  const running = spawn(process.execPath, [parent, ...args], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  let output = '';
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    parent: running,
    output: () => output,
    childPid: () =>
      eventually('the program announces itself', () => {
        const first = output.split('\n')[0] ?? '';
        return first.endsWith('}') && (JSON.parse(first) as { pid: number }).pid;
      }),
  };
}

test('arguments, input, output and the exit code pass through', async () => {
  using folder = temporaryFolder();
  const { parent, output, childPid } = launch(folder.path, PROGRAM, 'a b', '--flag');
  const ended = once(parent, 'close');
  await childPid();
  parent.stdin?.end('hello\n');
  assert.equal(await ended, [7, null]);
  const [first = '', second] = output().split('\n');
  assert.equal((JSON.parse(first) as { args: string[] }).args, ['a b', '--flag']);
  assert.is(second, 'read hello');
});

test('a signal to the whole group, as from Ctrl-C and from npm after it, arrives once', async () => {
  using folder = temporaryFolder();
  const { parent, output, childPid } = launch(folder.path, PROGRAM);
  const ended = once(parent, 'close');
  await childPid();
  process.kill(-(parent.pid as number), 'SIGINT');
  parent.kill('SIGINT');
  await eventually('SIGINT arrives', () => output().includes('SIGINT\n'));
  parent.kill('SIGTERM');
  await eventually('SIGTERM arrives', () => output().includes('SIGTERM\n'));
  parent.stdin?.end('end\n');
  await ended;
  assert.equal(output().match(/SIG\w+/g), ['SIGINT', 'SIGTERM']);
});

test('a program ended by a signal ends its parent by the same', async () => {
  using folder = temporaryFolder();
  const { parent, childPid } = launch(folder.path, PROGRAM);
  const ended = once(parent, 'close');
  process.kill(await childPid(), 'SIGKILL');
  assert.equal(await ended, [null, 'SIGKILL']);
});

test('a killed parent takes its program along, by SIGTERM', async () => {
  using folder = temporaryFolder();
  // With its parent the program also loses its input, so something else must keep it alive until the signal arrives.
  const program = `${PROGRAM.replace('console.log(signal);', 'console.log(signal); process.exit();')}
setInterval(() => {}, 1e6);`;
  const { parent, output, childPid } = launch(folder.path, program);
  const ended = once(parent, 'close'); // fires when the program too has closed stdout
  await childPid();
  parent.kill('SIGKILL');
  await ended;
  assert.match(output(), /\nSIGTERM\n$/);
});

test('an error names a missing command', async () => {
  const { launch: start } = await import(LAUNCH);
  const error = await start('no-such-command', [], process.env).catch((reason: Error) => reason);
  assert.match(error.message, /^cannot start no-such-command: /);
});

test.run();
