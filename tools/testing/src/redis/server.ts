/** A redis-server of a test: on loopback, without persistence unless asked for, and easy to break. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { type Child, startChild } from '../processes/child.ts';
import { freePort } from '../processes/free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type RedisReply, redisCommand } from './command.ts';
import type { RedisProgram } from './program.ts';

/** Ports are taken by somebody else now and then between asking for one and using it. */
const ATTEMPTS = 5;
/** Milliseconds from its start until the server must answer. */
const READY_WITHIN = 30_000;

/** How a server is started. */
export interface RedisOptions {
  /** Further arguments, such as `--maxmemory 1mb` as two words. */
  readonly args?: readonly string[];
  /** Runs as a sentinel with this configuration instead of as a server. */
  readonly sentinel?: string;
  /** The port; one that is free when omitted. */
  readonly port?: number;
  /** What must have been answered before it counts as ready: a command that does not throw. `PING` when omitted; null for no wait. */
  readonly ready?: readonly string[] | null;
}

/** A redis-server that a test may stop, start again, pause and command. */
export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  /** Its working folder: dump and configuration files. It outlives restarts and goes with the server. */
  readonly folder: string;
  readonly pid: number | undefined;
  /** Sends a command as an administrator would. @throws Error with Redis's words */
  command(...words: readonly (string | Uint8Array)[]): Promise<RedisReply>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port: with what persistence has kept, which by default is nothing. */
  restart(args?: readonly string[]): Promise<void>;
  /** It keeps its connections and answers nobody. */
  pause(): void;
  resume(): void;
}

/** Starts one. @throws Error with its last words when it does not come up */
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
    // Whoever else took the port meanwhile has it for a moment only, so it is worth trying again.
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
  // A sentinel writes down what it learns in its file.
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
