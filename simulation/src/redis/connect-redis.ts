/** The transport of a server's snapshot store to the simulated Redis. */
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { ConnectRedis, RedisAnnouncement, RedisConnection } from '@meshrelay/store';
import { reach } from '../network/internet.ts';
import type { Network } from '../network/network.ts';
import type { SimProcess } from '../runtime/sim-process.ts';
import type { SimRedis } from './sim-redis.ts';

/** The host on which it runs. */
export const REDIS = 'redis';

/** Milliseconds that a command waits for its reply. */
const TIMEOUT_MS = 2_000;

/** Connections from the current process. */
export function connectTo(redis: SimRedis): ConnectRedis {
  return async () => {
    const { internet, process } = reach();
    const connection = new SimConnection(redis, internet.network, process);
    await connection.call('PING', []);
    return connection;
  };
}

class SimConnection implements RedisConnection {
  readonly #redis: SimRedis;
  readonly #network: Network;
  readonly #process: SimProcess;
  readonly #life: number;
  #closed = false;

  constructor(redis: SimRedis, network: Network, process: SimProcess) {
    this.#redis = redis;
    this.#network = network;
    this.#process = process;
    this.#life = redis.life;
  }

  call(command: string, words: readonly RedisAnnouncement[], timeoutMs: number = TIMEOUT_MS): Promise<unknown> {
    const process = this.#process;
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(why));
      const late = setTimeout(() => fail(`Redis did not answer ${command} within ${timeoutMs} ms`), timeoutMs);
      const back = (settle: () => void): void =>
        this.#network.transmit(REDIS, process.name, process, () => {
          clearTimeout(late);
          settle();
        });
      if (this.#closed) return fail('Connection is closed.');
      this.#network.transmit(process.name, REDIS, undefined, () => {
        if (this.#lost) return back(() => fail('Connection is closed.'));
        if (command === 'XREAD')
          this.#read(words, (found) => back(() => (found instanceof Error ? reject(found) : resolve(found))));
        else {
          const answer = this.#answer(command, words);
          back(() => (answer instanceof Error ? reject(answer) : resolve(answer)));
        }
      });
    });
  }

  close(): void {
    this.#closed = true;
  }

  get #lost(): boolean {
    return this.#redis.down || this.#redis.life !== this.#life;
  }

  #answer(command: string, words: readonly RedisAnnouncement[]): unknown {
    if (command === 'PING') return Buffer.from('PONG');
    const bytes = words.map(asBytes);
    const [script = '', count = '0'] = bytes.slice(0, 2).map(String);
    const sha = command === 'EVAL' ? hash('sha1', script, 'hex') : script;
    const keys = bytes.slice(2, 2 + Number(count)).map(String);
    return this.#redis.run(sha, keys, bytes.slice(2 + keys.length));
  }

  /** Blocks until an entry exists, or until the requested timeout. */
  #read(words: readonly RedisAnnouncement[], notify: (found: unknown) => void): void {
    const [, , , block, , key = '', after = ''] = words.map(String);
    const found = this.#redis.read(key, after);
    if (found !== null) {
      notify(found);
      return;
    }
    const { scheduler } = this.#network;
    const unwait = this.#redis.wait(() => end());
    const limit = scheduler.after(Number(block), undefined, () => end());
    const end = (): void => {
      unwait();
      limit.cancelled = true;
      notify(this.#lost ? new Error('Connection is closed.') : this.#redis.read(key, after));
    };
  }
}

function asBytes(word: RedisAnnouncement): Buffer {
  return typeof word === 'object' ? Buffer.from(word) : Buffer.from(String(word));
}
