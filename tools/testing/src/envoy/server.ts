/** An Envoy of a test: on loopback, on ports it chooses, with its admin interface. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { type Child, startChild } from '../processes/child.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { EnvoyAdmin } from './admin.ts';
import type { EnvoyProgram } from './program.ts';

/** Milliseconds from its start until the admin interface must respond, on a busy machine. */
const READY_WITHIN = 180_000;

/** Options for starting an Envoy. */
export interface EnvoyOptions {
  /** Further arguments. */
  readonly args?: readonly string[];
  /**
   * Condition before it is returned: `live`, its main thread runs (for a configuration that arrives later); `ready`
   * when omitted.
   */
  readonly until?: 'live' | 'ready';
  /** Address of its admin interface; loopback when omitted. */
  readonly host?: string;
  /** Seconds that connections of removed listeners have to drain; 1 when omitted, 0 closes them at once. */
  readonly drain?: number;
  /** Command that starts it: words before its own, such as those that enter another network namespace. */
  readonly within?: readonly string[];
}

/** A running Envoy. */
export interface Envoy extends AsyncDisposable {
  readonly pid: number | undefined;
  readonly admin: EnvoyAdmin;
  /** The last lines of its log. */
  lastWords(): string;
  /** Sends a signal, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
}

/**
 * Starts an Envoy with one worker from a bootstrap: plain data with Envoy's field names. Adds `admin`. Addresses of
 * listeners may have `port_value: 0`; {@link EnvoyAdmin.port} returns the bound ports.
 * @throws Error with its last log lines if it rejects the bootstrap or does not start
 */
export async function startEnvoy(
  program: EnvoyProgram,
  bootstrap: Readonly<Record<string, unknown>>,
  { args = [], until = 'ready', host = '127.0.0.1', drain = 1, within = [] }: EnvoyOptions = {},
): Promise<Envoy> {
  const folder = temporaryFolder();
  const config = join(folder.path, 'bootstrap.json');
  const addressFile = join(folder.path, 'admin-address');
  const admin = { address: { socket_address: { address: host, port_value: 0 } } };
  writeFileSync(config, JSON.stringify({ ...bootstrap, admin }));
  const words = ['-c', config, '--admin-address-path', addressFile, '--disable-hot-restart', '--concurrency', '1'];
  const line = [...within, program.path, ...words, '--drain-time-s', String(drain), '--log-level', 'warning', ...args];
  const [command = '', ...rest] = line;
  const child = startChild(command, rest, { cwd: folder.path });
  try {
    const address = await whenUp(child, addressFile, until);
    return running(child, new EnvoyAdmin(address), folder);
  } catch (error) {
    await child.kill();
    folder[Symbol.dispose]();
    throw error;
  }
}

async function whenUp(child: Child, addressFile: string, until: 'live' | 'ready'): Promise<string> {
  const waiting = { deadline: READY_WITHIN, seen: child.lastWords };
  let ended = false;
  const up = async (): Promise<string | undefined> => {
    if (ended) return 'the wait has ended';
    const address = readFileSync(addressFile, 'utf8').trim();
    const { state } = await new EnvoyAdmin(address).json<{ readonly state: string }>('/server_info');
    return until === 'live' || state === 'LIVE' ? address : undefined;
  };
  try {
    return await Promise.race([eventually(`Envoy is ${until}`, up, waiting), child.untilItEnds]);
  } finally {
    ended = true;
  }
}

function running(child: Child, admin: EnvoyAdmin, folder: Disposable): Envoy {
  return {
    pid: child.pid,
    admin,
    lastWords: child.lastWords,
    signal: child.signal,
    kill: child.kill,
    async [Symbol.asyncDispose]() {
      await child.kill();
      folder[Symbol.dispose]();
    },
  };
}
