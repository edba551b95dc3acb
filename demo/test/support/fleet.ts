/** The demo's fleet for a test file, without its screen. One for all tests of a file, since each start takes seconds. */
import { RunFolder } from '@meshrelay/local-fleet';
import type { Screen } from '../../story/screen.ts';
import { type Told, tell } from '../../story/story.ts';

export interface Fleet extends AsyncDisposable {
  readonly told: Told;
  readonly folder: RunFolder;
  /** Ends with the fleet. */
  readonly cleanup: AsyncDisposableStack;
}

const silent: Screen = {
  title: () => undefined,
  step: () => undefined,
  detail: () => undefined,
  command: () => undefined,
  table: () => undefined,
};

/** Starts it and waits until it has converged. */
export async function startFleet(): Promise<Fleet> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(new RunFolder('demo'));
  const told = await tell(silent, folder, cleanup, new AbortController().signal);
  const running = cleanup.move();
  return { told, folder, cleanup: running, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
