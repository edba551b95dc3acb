/**
 * The baseline of propagation: bare grpc-js with client certificates, every message of one stream forwarded on the
 * other, and back.
 */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { type BareCall, type BareClient, openBare, serveBare } from '../bare-grpc.ts';
import type { BenchAuthority, Credential } from '../relay/authority.ts';

const NEAR = '/bench.Forward/Near';
const FAR = '/bench.Forward/Far';

/** Two clients of one server: one receives what the other writes, and its reply returns. */
export class Forwarder implements Disposable {
  readonly #near: BareClient['call'];
  readonly #end: () => void;

  private constructor(near: BareClient['call'], end: () => void) {
    this.#near = near;
    this.#end = end;
  }

  static async start(
    { roots, server: tls }: BenchAuthority,
    ends: readonly [Credential, Credential],
  ): Promise<Forwarder> {
    let [there, back]: Array<BareCall | undefined> = [];
    const server = await serveBare(tls, {
      [NEAR]: (call) => {
        back = call;
        call.on('data', (bytes: Buffer) => there?.write(bytes));
      },
      [FAR]: (call) => {
        there = call;
        call.on('data', (bytes: Buffer) => back?.write(bytes));
        call.write(Buffer.alloc(1));
      },
    });
    const { address } = server;
    const near = openBare({ address, roots, credential: ends[0], path: NEAR });
    const far = openBare({ address, roots, credential: ends[1], path: FAR });
    await once(far.call, 'data');
    far.call.on('data', (bytes: Buffer) => far.call.write(bytes));
    return new Forwarder(near.call, () => {
      for (const { end } of [near, far, server]) end();
    });
  }

  /** There and back. */
  async send(bytes: Buffer): Promise<void> {
    const answered = once(this.#near, 'data');
    this.#near.write(bytes);
    await answered;
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}
