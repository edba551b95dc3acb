/**
 * The demo: the main job on an embedded fleet, with the real server and agents as processes over mTLS.
 * `--once` ends when it has converged, `--json` prints a machine summary as the last line.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { DemoFolder } from './fleet/folder.ts';
import { createScreen } from './story/screen.ts';
import { tell } from './story/story.ts';
import { failed, type Summary, show, summarise } from './story/summary.ts';

const USAGE = `usage: npm run demo [-- --once] [-- --json]

  --once   end when the fleet has converged (0), or say why it did not (1)
  --json   steps go to stderr, and the last line of stdout is a summary in JSON
`;

async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: { once: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  const stream = values.json === true ? process.stderr : process.stdout;
  const screen = createScreen((text) => stream.write(text), started);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort(new Error('interrupted'));
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  const say = (summary: Summary): void => {
    if (values.json === true) process.stdout.write(`${JSON.stringify(summary)}\n`);
  };
  using folder = new DemoFolder();
  await using cleanup = new AsyncDisposableStack();
  try {
    const told = await tell(screen, folder, cleanup, stop.signal);
    show(screen, told);
    say(summarise(told, seconds()));
    if (values.once !== true) await interrupted(screen, stop.signal);
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 130;
    const reason = error instanceof Error ? error.message : String(error);
    stream.write(`\nnot converged: ${reason}\n`);
    say(failed(reason, seconds()));
    return 1;
  }
}

/** Leaves the fleet running until Ctrl-C. */
async function interrupted(screen: ReturnType<typeof createScreen>, signal: AbortSignal): Promise<void> {
  screen.title('The fleet runs until Ctrl-C');
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  screen.title('Ending');
}

process.exitCode = await main(process.argv.slice(2));
