/** Meshrelay's programs as child processes that log to a file. They end with this process, even if it is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { builtProgram } from '@meshrelay/programs';

export interface ProgramPlan {
  /** For messages and the name of the log. */
  readonly name: string;
  readonly program: 'mgmt-server' | 'agent';
  readonly config: string;
  /** The program appends to it, so a restarted program continues the same log. */
  readonly logFile: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: Node, as this process. Deno has to be on PATH. */
  readonly runtime?: Runtime;
}

/** What runs a program. */
export type Runtime = 'node' | 'deno';

const COMMANDS: Readonly<Record<Runtime, readonly [string, ...string[]]>> = {
  node: [process.execPath],
  // All permissions: the programs read files, listen and dial wherever their configuration says.
  deno: ['deno', 'run', '--allow-all', '--no-config'],
};

/** A line of a JSON log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Milliseconds a program has to exit after SIGTERM. */
const END_MS = 8000;

const ROOT = join(import.meta.dirname, '../../..');
/**
 * Runs a program, and ends it when the pipe named by its environment closes. The pipe closes when this process ends.
 */
const LAUNCHER = join(ROOT, 'scripts/bootstrap/program.mjs');
const PIPE = 3;

export class Program implements AsyncDisposable {
  readonly name: string;
  readonly logFile: string;
  /** Offset of its own lines in the log. */
  readonly #from: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor({ name, program, config, logFile, env = {}, runtime = 'node' }: ProgramPlan) {
    this.name = name;
    this.logFile = logFile;
    const log = openSync(logFile, 'a', 0o600);
    try {
      this.#from = fstatSync(log).size;
      const [command, ...options] = COMMANDS[runtime];
      this.#child = spawn(command, [...options, LAUNCHER, builtProgram(program), '--config', config], {
        env: { ...process.env, ...env, MESHRELAY_PARENT_PIPE: String(PIPE) },
        stdio: ['ignore', log, log, 'pipe'],
        // A Ctrl-C in the terminal goes to the parent process, which then ends its programs in order.
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

  /** Its log so far. */
  lines(): readonly LogLine[] {
    return parseLog(readFileSync(this.logFile).subarray(this.#from).toString());
  }

  /** Sends a signal, such as SIGKILL or SIGSTOP; does nothing if the program has ended. */
  signal(signal: NodeJS.Signals): void {
    if (this.running) this.#child.kill(signal);
  }

  /** Resolves when it has ended. */
  async ended(): Promise<void> {
    if (this.running) await this.#ended;
  }

  /** The first line of its log with this message. @throws Error with the end of the log if the program ended first */
  logged(message: string): LogLine | undefined {
    const ended = !this.running;
    const found = this.lines().find((line) => line['msg'] === message);
    if (found === undefined && ended)
      throw new Error(`${this.name} ended (${this.#child.exitCode ?? this.#child.signalCode}):\n${tail(this.logFile)}`);
    return found;
  }

  /** Ends it with SIGTERM, as Kubernetes does, and with SIGKILL if it does not exit in time. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.running) return;
    this.#child.kill('SIGTERM');
    // A stopped process receives the signal only when it continues.
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
      // The last line may be incomplete.
      return [];
    }
  });
}

function tail(file: string): string {
  return readFileSync(file, 'utf8').trim().split('\n').slice(-15).join('\n');
}
