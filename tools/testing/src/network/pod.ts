/** A pod of a test: a network of its own with an application in it, which serves and asks on command. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { ip, ipIn, RANGE } from './own-network.ts';

export interface PodOptions {
  /** Of the file of its application, which tells its parent `ready`, and then answers messages `{id, do, ...}` with `{id, value}` or `{id, error}`. */
  readonly application: string;
  /** IPv4, of the range that all pods share, or beyond it. */
  readonly addresses: readonly string[];
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

let plugged = 0;

/** The same for a pod that takes the place of one with its address: whoever knew that one finds this one at once. */
function macOf([address = '']: readonly string[]): string {
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  return ['02', '00', ...bytes].join(':');
}

/** Ends with the process that made it. */
export class Pod implements AsyncDisposable {
  /** By which programs are started beside the application: `[...within, PROGRAM, ...ARGUMENTS]`. */
  readonly within: readonly string[];
  readonly addresses: readonly string[];
  readonly #child: ChildProcess;
  /** Its end at the bridge. */
  readonly #plug: string;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #requested = 0;

  private constructor(child: ChildProcess, addresses: readonly string[]) {
    this.#child = child;
    plugged += 1;
    this.#plug = `pod${plugged}`;
    this.addresses = addresses;
    this.within = ['nsenter', '-t', String(child.pid), '-n'];
    child.on('message', (message) => this.#replied(message as Reply));
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the pod has ended'));
    });
  }

  static async start({ application, addresses }: PodOptions): Promise<Pod> {
    const child = spawn('unshare', ['--net', process.execPath, application], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    const pod = new Pod(child, addresses);
    const plug = pod.#plug;
    await ipIn(
      undefined,
      [
        'link',
        'add',
        plug,
        'type',
        'veth',
        'peer',
        'name',
        'eth0',
        'address',
        macOf(addresses),
        'netns',
        String(child.pid),
      ],
      ['link', 'set', plug, 'master', 'br0', 'up'],
    );
    await ipIn(
      child.pid,
      ['link', 'set', 'lo', 'up'],
      ...addresses.map((address) => ['addr', 'add', `${address}/${RANGE}`, 'dev', 'eth0']),
      ['link', 'set', 'eth0', 'up'],
      // Whatever else there is, such as addresses of load balancers, is a neighbour too.
      ['route', 'add', 'default', 'dev', 'eth0'],
    );
    return pod;
  }

  get address(): string {
    return this.addresses[0] ?? '';
  }

  /** Has the application do something. @throws Error with what it says, or that it has ended */
  do<T>(what: string, options: object = {}): Promise<T> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || !this.#child.connected)
      return Promise.reject(new Error('the pod has ended'));
    this.#requested += 1;
    const reply = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#requested, reply);
    this.#child.send({ id: this.#requested, do: what, ...options });
    return reply.promise as Promise<T>;
  }

  /** Cuts it off from all others, as the loss of its node would: nothing answers at its addresses, not even with a refusal. */
  unplug(): void {
    ip(['link', 'delete', this.#plug]);
  }

  /** Ends the application as a crash would; its network stays while something else runs in it. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #replied({ id, value, error }: Reply): void {
    const reply = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) reply?.resolve(value);
    else reply?.reject(new Error(error));
  }
}
