/** Runs a program: its output on failures, and its end by signals. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { assert, test } from '@meshrelay/testing';

const MOD = new URL('../src/mod.ts', import.meta.url).href;

/** Runs a program with this body; `onOutput` is called at its output, so that a test can send signals. */
async function run(body: string, onOutput: (kill: (signal: 'SIGTERM' | 'SIGINT') => void) => void = () => undefined) {
  const text = `import { ConfigError, HelpRequested, runProgram } from ${JSON.stringify(MOD)};
    await runProgram('prog', async (signal) => { ${body} });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text]);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdout.on('data', () => onOutput((signal) => child.kill(signal)));
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, stderr };
}

test('a program that ends by itself exits with 0', async () => {
  assert.equal(await run(''), { code: 0, stderr: '' });
});

test('a request for help is not an error', async () => {
  assert.equal(await run("throw new HelpRequested('[--config FILE]')"), { code: 0, stderr: '' });
});

test('bad configuration and expected failures are one line, others have their stack', async () => {
  assert.equal(await run("throw new ConfigError('relay.listen: no')"), { code: 1, stderr: 'prog: relay.listen: no\n' });
  const expected = await run(
    "throw Object.assign(new Error('list secrets: no answer'), { code: 'RELAY_E_KUBE_UNAVAILABLE' })",
  );
  assert.equal(expected, { code: 1, stderr: 'prog: list secrets: no answer\n' });
  const refused = await run(
    "throw Object.assign(new Error('no CA'), { code: 'RELAY_E_PKI_AUTHORITY', next: 'Give a CA.' })",
  );
  assert.equal(refused, { code: 1, stderr: 'prog: no CA. Give a CA.\n' });
  const bug = await run("throw new TypeError('bug')");
  assert.is(bug.code, 1);
  assert.match(bug.stderr, /^prog: TypeError: bug\n {4}at /);
});

test('a signal requests the end, a second one forces it', async () => {
  const waits =
    "console.log('ready'); const keep = setInterval(() => {}, 1000); await new Promise((resolve) => signal.addEventListener('abort', resolve));";
  assert.equal(await run(`${waits} clearInterval(keep);`, (kill) => kill('SIGTERM')), { code: 0, stderr: '' });
  const hangs = `${waits} console.log('hangs'); await new Promise(() => {});`;
  assert.is((await run(hangs, (kill) => kill('SIGINT'))).code, 130);
});

test.run();
