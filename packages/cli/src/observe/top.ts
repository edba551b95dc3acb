/** Implements `meshctl top`. */
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { serverChoice } from '../commands/options.ts';
import { streamed } from '../output/format.ts';
import { callServer, rejectionOf, type ServerChoice } from '../server/call-server.ts';
import { ClusterStates, problemsOf, say } from './cluster-states.ts';
import type { TopOptions } from './top-options.ts';
import { type Traffic, topText } from './top-text.ts';

const EVERY = 5_000;
/** Moves the cursor to the top left, and clears the screen below. */
const CLEAR = Buffer.from('\u001b[H\u001b[J');

/** @throws InputError */
export async function top(options: TopOptions): Promise<void> {
  const choice = serverChoice(options);
  const { watch, output } = options;
  const parameters = new URLSearchParams({ limit: String(options.limit) });
  for (const name of ['cluster', 'namespace', 'workload'] as const) {
    const value = options[name];
    if (value !== undefined) parameters.set(name, value);
  }
  const show = (traffic: Traffic): string => (output === 'table' ? topText(traffic) : streamed(traffic, output));
  const first = await read(choice, parameters);
  if (watch !== true) {
    process.stdout.write(show(first));
    const problems = problemsOf(first.clusters);
    for (const problem of problems) say(problem);
    if (problems.length > 0) process.exitCode = 2;
    return;
  }
  const clusterStates = new ClusterStates();
  const clears = output === 'table' && process.stdout.isTTY === true;
  for (let traffic = first; ; traffic = await read(choice, parameters)) {
    if (clears) process.stdout.write(CLEAR);
    process.stdout.write(show(traffic));
    for (const cluster of traffic.clusters) clusterStates.reported(cluster);
    await pause(EVERY);
  }
}

async function read(choice: ServerChoice, parameters: URLSearchParams): Promise<Traffic> {
  const answer = await callServer(choice, `/api/v1/traffic?${parameters}`);
  if (!answer.ok) throw rejectionOf(choice, answer);
  return answer.body as unknown as Traffic;
}
