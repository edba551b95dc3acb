/** The process of a container, which starts again whenever it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { endWithUs, onPath } from '@meshrelay/testing/processes';
import type { Container } from './pod.ts';
import type { ContainerState } from './pod-status.ts';
import { type Probed, Probes } from './probes.ts';

export interface ContainerProcess {
  readonly container: Container;
  readonly address: string;
  /** The process that has the pod's network. */
  readonly network: number;
  /** The file for its script. */
  readonly script: string;
  readonly text: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: string;
}

/** Milliseconds before it starts again, and the maximum after further ends. */
const RESTART_MS = 500;
const MAX_RESTART_MS = 10_000;

/** Runs an init container to its end. @throws Error that names it and its log, if it fails */
export async function runInitContainer(parts: ContainerProcess): Promise<void> {
  const child = startProcess(parts);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (code !== 0)
    throw new Error(`init container ${parts.container.name} ended with ${signal ?? code}; its log is ${parts.log}`);
}

function startProcess({ network, script, text, environment, log }: ContainerProcess): ChildProcess {
  writeFileSync(script, text);
  const output = openSync(log, 'a');
  const [nsenter = 'nsenter', unshare = 'unshare', bash = 'bash'] = ['nsenter', 'unshare', 'bash'].map(onPath);
  const inNetwork = ['-t', String(network), '-n', unshare, '--mount', '--uts', bash, script];
  const child = spawn(nsenter, inNetwork, { env: environment, stdio: ['ignore', output, output] });
  closeSync(output);
  endWithUs(child);
  return child;
}

export class RunningContainer {
  readonly #parts: ContainerProcess;
  readonly #changed: () => void;
  #child: ChildProcess | undefined;
  #probes: Probes | undefined;
  #probed: Probed = { started: false, ready: false };
  #startedAt = '';
  #restarts = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopping = false;

  /** @param changed called when its state has changed */
  constructor(parts: ContainerProcess, changed: () => void) {
    this.#parts = parts;
    this.#changed = changed;
    this.#start();
  }

  get state(): ContainerState {
    const { name, image } = this.#parts.container;
    return { name, image, ...this.#probed, restarts: this.#restarts, startedAt: this.#startedAt };
  }

  /** Sends SIGTERM, and SIGKILL after some milliseconds; resolves when it has ended. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    this.#probes?.[Symbol.dispose]();
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(graceMs > 0 ? 'SIGTERM' : 'SIGKILL');
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await ended;
    clearTimeout(timer);
  }

  #start(): void {
    const { container, address } = this.#parts;
    this.#restarts += 1;
    this.#startedAt = new Date().toISOString();
    const child = startProcess(this.#parts);
    this.#child = child;
    child.once('error', (error) => this.#log(`it cannot start: ${error.message}`));
    child.once('exit', (code, signal) => this.#ended(`it ended with ${signal ?? code}`));
    this.#probes = new Probes(
      container,
      address,
      (probed) => {
        this.#probed = probed;
        this.#changed();
      },
      (reason) => {
        this.#log(`${reason}: it is killed`);
        child.kill('SIGKILL');
      },
    );
  }

  #ended(reason: string): void {
    this.#probes?.[Symbol.dispose]();
    if (this.#stopping) return;
    this.#log(reason);
    this.#probed = { started: false, ready: false };
    this.#changed();
    this.#timer = setTimeout(() => this.#start(), Math.min(RESTART_MS * 2 ** this.#restarts, MAX_RESTART_MS));
  }

  /** Next to what the program has written. */
  #log(line: string): void {
    const output = openSync(this.#parts.log, 'a');
    writeSync(output, `[processes] ${line}\n`);
    closeSync(output);
  }
}
