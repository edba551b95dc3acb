/**
 * The demo: the main workflow on an embedded fleet, with the real server and agents as processes over mTLS.
 * `--once` ends when it has converged, `--json` prints a machine-readable summary as the last line.
 */
import { relative } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { RunFolder, type Runtime } from '@meshrelay/local-fleet';
import { createScreen, type Screen } from './story/screen.ts';
import { announce } from './story/story.ts';
import { failed, type Summary, show, showCommands, showNoTraffic, summarise } from './story/summary.ts';
import { findEnvoySetup } from './traffic/envoy-setup.ts';

const USAGE = `usage: npm run demo [-- [--once] [--json] [--runtime deno]]

  --once          end when the fleet has converged (exit 0), or say why it did not (exit 1)
  --json          steps go to stderr, and the last line of stdout is a summary in JSON
  --runtime NAME  run the server and the agents in node (default) or deno
  --help          show this
`;
const RUNTIMES: readonly Runtime[] = ['node', 'deno'];

interface Flags {
  readonly once: boolean;
  readonly json: boolean;
  readonly runtime: Runtime;
  readonly help: boolean;
}

async function main(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv);
  if (typeof flags === 'string') {
    process.stderr.write(`demo: ${flags}\n${USAGE}`);
    return 1;
  }
  if (flags.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  return await run(flags);
}

/** The flags, or an error message. */
function readFlags(argv: readonly string[]): Flags | string {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        once: { type: 'boolean' },
        json: { type: 'boolean' },
        runtime: { type: 'string', default: 'node' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const { once = false, json = false, help = false } = values;
    const runtime = RUNTIMES.find((name) => name === values.runtime);
    if (runtime === undefined) return `--runtime ${values.runtime} is unknown; use ${RUNTIMES.join(' or ')}`;
    return { once, json, help, runtime };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function run({ once, json, runtime }: Flags): Promise<number> {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  const stream = json ? process.stderr : process.stdout;
  const screen = createScreen(stream, seconds);
  const say = (summary: Summary): void => {
    if (json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  };
  const stop = stopOnSignal();
  using folder = new RunFolder('demo');
  await using cleanup = new AsyncDisposableStack();
  try {
    const setup = await findEnvoySetup();
    const there = 'reason' in setup ? undefined : cleanup.use(setup);
    const reported = await announce({ screen, folder, runtime, cleanup, signal: stop }, there);
    const summary = summarise(reported, seconds());
    show(screen, reported, summary);
    if ('reason' in setup) showNoTraffic(screen, setup);
    if (!once) showCommands(screen, reported);
    say(summary);
    if (!once) await interrupted(screen, stop);
    return 0;
  } catch (error) {
    if (stop.aborted) return 130;
    const reason = error instanceof Error ? error.message : String(error);
    stream.write(`\nnot converged: ${reason}\nThe logs are in ${relative('', folder.keepLogs())}.\n`);
    say(failed(reason, seconds()));
    return 1;
  }
}

/** Aborted by the first signal that requests the end; the second ends the process at once. */
function stopOnSignal(): AbortSignal {
  const stop = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
    stop.abort(new Error('interrupted'));
  };
  for (const signal of signals) process.on(signal, onSignal);
  return stop.signal;
}

/** Leaves the fleet running until Ctrl-C. */
async function interrupted(screen: Screen, signal: AbortSignal): Promise<void> {
  screen.title('The fleet runs until Ctrl-C');
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  screen.title('Ending');
}

process.exitCode = await main(process.argv.slice(2));
