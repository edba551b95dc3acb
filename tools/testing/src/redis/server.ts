/** A redis-server of a test: on loopback, without persistence by default, and with injected faults. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { type Child, startChild } from '../processes/child.ts';
import { freePort } from '../processes/free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type RedisReply, redisCommand } from './command.ts';
import type { RedisProgram } from './program.ts';

/** Number of ports to try: another process may take a port between its choice and its use. */
const ATTEMPTS = 5;
/** Milliseconds from its start until the server must respond. */
const READY_WITHIN = 30_000;

/** Options for starting a server. */
export interface RedisOptions {
  /** Further arguments, such as `--maxmemory 1mb` as two words. */
  readonly args?: readonly string[];
  /** Runs as a sentinel with this configuration instead of as a server. */
  readonly sentinel?: string;
  /** The port; a free one when omitted. */
  readonly port?: number;
  /** Readiness check: a command that does not throw. `PING` when omitted; null for no wait. */
  readonly ready?: readonly string[] | null;
}

/** A redis-server that a test may stop, restart, pause and send commands to. */
export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  /** Its working folder: dump and configuration files. It outlives restarts and is removed with the server. */
  readonly folder: string;
  readonly pid: number | undefined;
  /** Sends a command as an administrator would. @throws Error with Redis's message */
  command(...words: readonly (string | Uint8Array)[]): Promise<RedisReply>;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  /** Restarts it on the same port, with the persisted data; without persistence, by default, it is empty. */
  restart(args?: readonly string[]): Promise<void>;
  /** Pauses it: connections stay open and get no replies. */
  pause(): void;
  resume(): void;
}

/** Starts one. @throws Error with its last output if it does not start */
export async function startRedis(program: RedisProgram, options: RedisOptions = {}): Promise<RedisServer> {
  const folder = temporaryFolder();
  try {
    for (let attempt = 1; ; attempt += 1) {
      const port = options.port ?? (await freePort());
      try {
        const child = await started(program, folder.path, port, options);
        return new RunningRedis(program, folder.path, port, options, child);
      } catch (error) {
        if (attempt === ATTEMPTS || options.port !== undefined) throw error;
      }
    }
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

class RunningRedis implements RedisServer {
  readonly port: number;
  readonly folder: string;
  readonly #program: RedisProgram;
  readonly #options: RedisOptions;
  #child: Child;

  constructor(program: RedisProgram, folder: string, port: number, options: RedisOptions, child: Child) {
    this.#program = program;
    this.folder = folder;
    this.port = port;
    this.#options = options;
    this.#child = child;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  command(...words: readonly (string | Uint8Array)[]): Promise<RedisReply> {
    return redisCommand(this.port, ...words);
  }

  async kill(): Promise<void> {
    await this.#child.kill();
  }

  async restart(args: readonly string[] = this.#options.args ?? []): Promise<void> {
    await this.#child.kill();
    // Another process that took the port meanwhile holds it only briefly, so a retry is useful.
    await eventually(
      `redis-server comes up again on port ${this.port}`,
      async () => {
        this.#child = await started(this.#program, this.folder, this.port, { ...this.#options, args });
        return true;
      },
      { deadline: READY_WITHIN },
    );
  }

  pause(): void {
    this.#child.signal('SIGSTOP');
  }

  resume(): void {
    this.#child.signal('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function started(
  { path, env }: RedisProgram,
  folder: string,
  port: number,
  { args = [], sentinel, ready = ['PING'] }: RedisOptions,
): Promise<Child> {
  const loopback = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const words = sentinel === undefined ? ['--save', '', '--appendonly', 'no'] : ['--sentinel'];
  // A sentinel writes its state to its configuration file.
  if (sentinel !== undefined) writeFileSync(join(folder, 'sentinel.conf'), sentinel);
  const file = sentinel === undefined ? [] : [join(folder, 'sentinel.conf')];
  const child = startChild(path, [...file, ...loopback, ...words, ...args], { cwd: folder, env });
  let ended = false;
  const answers = async (): Promise<boolean> => {
    if (ready !== null && !ended) await redisCommand(port, ...ready);
    return true;
  };
  try {
    const waiting = { deadline: READY_WITHIN, seen: child.lastWords };
    await Promise.race([eventually(`redis-server answers on port ${port}`, answers, waiting), child.untilItEnds]);
    return child;
  } catch (error) {
    ended = true;
    await child.kill();
    throw error;
  }
}
