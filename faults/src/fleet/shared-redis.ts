/** The Redis that a fleet's servers share: a real one, with a separate connection for each server. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FaultProxy } from '@meshrelay/fault-proxy';
import { fetchedRedis, type RedisServer, startRedis } from '@meshrelay/testing/redis';

const USER = 'meshrelay';
/** The file that SAVE writes, in its folder. */
const DUMP = 'saved.rdb';

export class SharedRedis implements AsyncDisposable {
  readonly server: RedisServer;
  /** The servers' password. */
  readonly password: string;
  readonly #args: readonly string[];

  private constructor(server: RedisServer, password: string, args: readonly string[]) {
    this.server = server;
    this.password = password;
    this.#args = args;
  }

  static async start(): Promise<SharedRedis> {
    const password = `redis-${randomBytes(18).toString('hex')}`;
    const args = [
      '--dbfilename',
      DUMP,
      '--user',
      USER,
      'on',
      `>${password}`,
      '~{meshrelay}:*',
      'resetchannels',
      '+@all',
    ];
    return new SharedRedis(await startRedis(await fetchedRedis(), { args }), password, args);
  }

  /** A connection to it. */
  line(): Promise<FaultProxy> {
    const { port } = this.server;
    return FaultProxy.start(() => ({ port }));
  }

  /** Redis configuration of a server. */
  config(port: number, passwordFile: string): object {
    const redis = { addresses: [`127.0.0.1:${port}`], username: USER, passwordFile };
    return { store: { type: 'redis', redis } };
  }

  /** All of its data, as Redis would write it to a disk. */
  async dump(): Promise<string> {
    await this.server.command('SAVE');
    return readFileSync(join(this.server.folder, DUMP), 'latin1');
  }

  /** Number of keys. */
  async size(): Promise<number> {
    return Number(await this.server.command('DBSIZE'));
  }

  /** Restarts it, whether it runs or not, empty or with saved data. */
  async restart({ saved = false }: { readonly saved?: boolean } = {}): Promise<void> {
    if (!saved) rmSync(join(this.server.folder, DUMP), { force: true });
    await this.server.restart(this.#args);
  }

  /** Restores the initial state, except for its data. */
  async heal(): Promise<void> {
    try {
      await this.server.command('PING');
    } catch {
      await this.restart();
    }
    await this.server.command('REPLICAOF', 'NO', 'ONE');
    await this.server.command('CONFIG', 'SET', 'maxmemory', '0');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}
