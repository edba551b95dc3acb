/** Programs of Meshrelay as child processes, with their log in a file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

export interface ProgramPlan {
  /** For messages and the log's name. */
  readonly name: string;
  /** The package whose program it is. */
  readonly package: 'mgmt-server' | 'agent';
  readonly config: string;
  readonly logFile: string;
}

/** A line of a JSON log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Milliseconds a program has to end after SIGTERM. */
const END_MS = 8000;

export class Program implements AsyncDisposable {
  readonly name: string;
  readonly logFile: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor({ name, package: folder, config, logFile }: ProgramPlan) {
    this.name = name;
    this.logFile = logFile;
    const main = join(import.meta.dirname, '../../packages', folder, 'src/main.ts');
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, '--config', config], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#ended = once(this.#child, 'close');
    const log = createWriteStream(logFile);
    this.#child.stdout?.pipe(log);
    this.#child.stderr?.pipe(log);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The first line of the log with this message. @throws Error with the end of the log where the program ended instead */
  logged(message: string): LogLine | undefined {
    const lines = readLog(this.logFile);
    const found = lines.find((line) => line['msg'] === message);
    if (found === undefined && !this.running)
      throw new Error(`${this.name} ended (${this.#child.exitCode ?? this.#child.signalCode}):\n${tail(this.logFile)}`);
    return found;
  }

  /** Ends it with SIGTERM, as Kubernetes does, and with SIGKILL where it does not end in time. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.running) return;
    this.#child.kill('SIGTERM');
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), END_MS);
    await this.#ended;
    clearTimeout(killer);
  }
}

function readLog(file: string): LogLine[] {
  return text(file)
    .split('\n')
    .flatMap((line) => {
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
  return text(file).trim().split('\n').slice(-15).join('\n');
}

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return '';
    throw error;
  }
}
