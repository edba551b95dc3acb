/**
 * The demo's fleet for a test file, without its screen. One for all tests of a file, since each start takes seconds.
 */
import { RunFolder } from '@meshrelay/local-fleet';
import type { Screen } from '../../story/screen.ts';
import { announce, type Reported } from '../../story/story.ts';
import type { EnvoySetup } from '../../traffic/envoy-setup.ts';

export interface Fleet extends AsyncDisposable {
  readonly reported: Reported;
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

/**
 * Starts it and waits until it has converged. @param setup requirements of real requests; without them none are sent
 */
export async function startFleet(setup?: EnvoySetup): Promise<Fleet> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(new RunFolder('demo'));
  const reported = await announce({ screen: silent, folder, cleanup, signal: new AbortController().signal }, setup);
  const running = cleanup.move();
  return { reported, folder, cleanup: running, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
