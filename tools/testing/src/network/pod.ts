/** A pod of a test: its own network with an application that serves and sends requests on command. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { ip, ipIn, RANGE } from './own-network.ts';

export interface PodOptions {
  /**
   * Path of its application. It sends `ready` to its parent, and then replies to messages `{id, do, ...}` with `{id,
   * value}` or `{id, error}`.
   */
  readonly application: string;
  /** IPv4, in the range that all pods share, or outside it. */
  readonly addresses: readonly string[];
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

let plugged = 0;

/** MAC address. A pod that replaces one with the same address keeps it, so that peers reach the new pod at once. */
function macOf([address = '']: readonly string[]): string {
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  return ['02', '00', ...bytes].join(':');
}

/** Ends with the process that created it. */
export class Pod implements AsyncDisposable {
  /** Prefix of commands that start programs next to the application: `[...within, PROGRAM, ...ARGUMENTS]`. */
  readonly within: readonly string[];
  readonly addresses: readonly string[];
  readonly #child: ChildProcess;
  /** Its interface at the bridge. */
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
      // All other addresses, such as those of load balancers, are neighbours too.
      ['route', 'add', 'default', 'dev', 'eth0'],
    );
    return pod;
  }

  get address(): string {
    return this.addresses[0] ?? '';
  }

  /** Sends a command to the application. @throws Error with its message, or if it has ended */
  do<T>(what: string, options: object = {}): Promise<T> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || !this.#child.connected)
      return Promise.reject(new Error('the pod has ended'));
    this.#requested += 1;
    const reply = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#requested, reply);
    this.#child.send({ id: this.#requested, do: what, ...options });
    return reply.promise as Promise<T>;
  }

  /**
   * Disconnects it from all others, as the loss of its node would: its addresses do not respond, not even with a reset.
   */
  unplug(): void {
    ip(['link', 'delete', this.#plug]);
  }

  /** Kills the application as a crash would; its network remains while another process runs in it. */
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
