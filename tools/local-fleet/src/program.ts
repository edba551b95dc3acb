/** Programs of Meshrelay as child processes, with their log in a file. They end with this process, even where it is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

export interface ProgramPlan {
  /** For messages and the log's name. */
  readonly name: string;
  /** The package whose program it is. */
  readonly package: 'mgmt-server' | 'agent';
  readonly config: string;
  /** Appended to, so that a program started again goes on where it ended. */
  readonly logFile: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A line of a JSON log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Milliseconds a program has to end after SIGTERM. */
const END_MS = 8000;

const ROOT = join(import.meta.dirname, '../../..');
/** Runs a program, and ends it when the pipe that its environment names ends, which is when this process does. */
const LAUNCHER = join(ROOT, 'scripts/bootstrap/program.mjs');
const PIPE = 3;

export class Program implements AsyncDisposable {
  readonly name: string;
  readonly logFile: string;
  /** Where its own lines begin in the log. */
  readonly #from: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor({ name, package: folder, config, logFile, env = {} }: ProgramPlan) {
    this.name = name;
    this.logFile = logFile;
    const main = join(ROOT, 'packages', folder, 'src/main.ts');
    const log = openSync(logFile, 'a', 0o600);
    try {
      this.#from = fstatSync(log).size;
      this.#child = spawn(process.execPath, [LAUNCHER, main, '--config', config], {
        env: { ...process.env, ...env, MESHRELAY_PARENT_PIPE: String(PIPE) },
        stdio: ['ignore', log, log, 'pipe'],
        // A Ctrl-C in the terminal is for whoever started it, who then ends its programs in order.
        detached: true,
      });
    } finally {
      closeSync(log);
    }
    this.#ended = once(this.#child, 'exit');
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it has logged so far. */
  lines(): readonly LogLine[] {
    return parseLog(readFileSync(this.logFile).subarray(this.#from).toString());
  }

  /** Sends a signal, such as SIGKILL or SIGSTOP; nothing where it has ended. */
  signal(signal: NodeJS.Signals): void {
    if (this.running) this.#child.kill(signal);
  }

  /** Resolves when it has ended. */
  async ended(): Promise<void> {
    if (this.running) await this.#ended;
  }

  /** The first line of its log with this message. @throws Error with the end of the log where the program ended instead */
  logged(message: string): LogLine | undefined {
    const ended = !this.running;
    const found = this.lines().find((line) => line['msg'] === message);
    if (found === undefined && ended)
      throw new Error(`${this.name} ended (${this.#child.exitCode ?? this.#child.signalCode}):\n${tail(this.logFile)}`);
    return found;
  }

  /** Ends it with SIGTERM, as Kubernetes does, and with SIGKILL where it does not end in time. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.running) return;
    this.#child.kill('SIGTERM');
    // One that was stopped hears of it only when it goes on.
    this.#child.kill('SIGCONT');
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), END_MS);
    await this.#ended;
    clearTimeout(killer);
  }
}

function parseLog(text: string): LogLine[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      return [JSON.parse(line) as LogLine];
    } catch {
      // The last line may be half written.
      return [];
    }
  });
}

function tail(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-15).join('\n');
}
