/**
 * A network for one test file. The file runs a second time inside a network namespace, with a bridge to which its pods
 * connect. The network is isolated from everything outside.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { endWithUs } from '../processes/end-with-us.ts';
import { test } from '../test.ts';

/** Marks this process as the inner one. */
const INSIDE = 'MESHRELAY_OWN_NETWORK';
/** As root, else in a user namespace. */
const WAYS: readonly (readonly string[])[] = [[], ['--user', '--map-root-user']];
/** Every process started inside ends with the first process of the namespace. */
const SPACES = ['--net', '--mount', '--mount-proc', '--pid', '--fork', '--kill-child'];

/** The machine's address, as pods see it. Pods have addresses of the same range. */
export const HOST = '10.0.0.1';
export const RANGE = 8;

const IP = ['ip', '-batch', '-'] as const;

/** Lines of the inner output that a failure prints. */
const REPORTED = 60;

/**
 * Runs tests in their own network. The outer run has one test, which runs the file again inside; only the inner run
 * calls `body`. If the machine allows no network namespaces, prints the line by which the runner counts a file as
 * skipped.
 * @param file `import.meta.url`
 */
export async function inOwnNetwork(name: string, file: string, body: () => Promise<void>): Promise<void> {
  if (process.env[INSIDE] === 'true') {
    setUp();
    await body();
    return;
  }
  const bridge = ['ip', 'link', 'add', 'br0', 'type', 'bridge'];
  const way = WAYS.find((options) => spawnSync('unshare', [...options, ...SPACES, ...bridge]).status === 0);
  if (way === undefined) {
    const needs = 'unshare (util-linux) and ip (iproute2), as root or with user namespaces';
    console.log(`SKIPPED needs networks of its own: ${needs}`);
    return;
  }
  test(name, async () => {
    const child = spawn('unshare', [...way, ...SPACES, process.execPath, fileURLToPath(file)], {
      env: { ...process.env, [INSIDE]: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    endWithUs(child);
    let reported = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        reported += text;
        if (process.env['MESHRELAY_SHOW'] !== undefined) process.stdout.write(text);
      });
    }
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0)
      throw new Error(`inside it ended with ${code}:\n${reported.split('\n').slice(-REPORTED).join('\n')}`);
    console.log(reported);
  });
}

function setUp(): void {
  ip(
    ['link', 'set', 'lo', 'up'],
    ['link', 'add', 'br0', 'type', 'bridge'],
    ['addr', 'add', `${HOST}/${RANGE}`, 'dev', 'br0'],
    ['link', 'set', 'br0', 'up'],
  );
}

/** Runs `ip` in the network of this process. @throws Error with its output */
export function ip(...commands: readonly (readonly string[])[]): void {
  const [program, ...args] = IP;
  execFileSync(program, args, { input: batchOf(commands), stdio: ['pipe', 'pipe', 'pipe'] });
}

/**
 * Runs `ip` without blocking while other pods start.
 * @param pid process that determines the network; this process when omitted
 */
export async function ipIn(pid: number | undefined, ...commands: readonly (readonly string[])[]): Promise<void> {
  const [program = '', ...args] = pid === undefined ? IP : ['nsenter', '-t', String(pid), '-n', ...IP];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  child.stdin.end(batchOf(commands));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`ip ended with ${code}: ${printed}`);
}

function batchOf(commands: readonly (readonly string[])[]): string {
  return commands.map((command) => `${command.join(' ')}\n`).join('');
}
