/** An HTTP/2 client that sends arbitrary frames, over TLS without a client certificate. */
import { Buffer } from 'node:buffer';
import { connect, type TLSSocket } from 'node:tls';

export const FRAME = { data: 0, headers: 1, rst: 3, settings: 4, ping: 6, windowUpdate: 8, continuation: 9 } as const;
const END_HEADERS = 4;
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

export function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.byteLength, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A header as an HPACK literal without indexing. */
export function header(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length: number[] = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128);
  length.push(rest);
  return Buffer.concat([Buffer.from(length), bytes]);
}

export function callHeaders(...more: readonly Buffer[]): Buffer {
  return Buffer.concat([
    header(':method', 'POST'),
    header(':scheme', 'https'),
    header(':path', '/meshrelay.relay.v1.Relay/Push'),
    header(':authority', 'relay.test'),
    header('content-type', 'application/grpc'),
    header('te', 'trailers'),
    ...more,
  ]);
}

export class RawClient {
  readonly #socket: TLSSocket;
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>;
  /** Types of the received frames, by stream. */
  readonly came: Array<{ readonly type: number; readonly stream: number; readonly payload: Buffer }> = [];
  #open = true;
  #rest = Buffer.alloc(0);

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    void this.closed.then(() => {
      this.#open = false;
    });
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => this.#take(bytes));
  }

  static connect(port: number): Promise<RawClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false });
      socket.once('error', reject);
      socket.once('secureConnect', () => resolve(new RawClient(socket)));
    });
  }

  get open(): boolean {
    return this.#open;
  }

  begin(): this {
    return this.send(Buffer.from(PREFACE), frame(FRAME.settings, 0, 0, Buffer.alloc(0)));
  }

  send(...frames: readonly Uint8Array[]): this {
    if (this.#open) this.#socket.write(Buffer.concat(frames));
    return this;
  }

  call(stream: number, ...more: readonly Buffer[]): this {
    return this.send(frame(FRAME.headers, END_HEADERS, stream, callHeaders(...more)));
  }

  /** Sends a burst repeatedly until the server ends the connection, at most `max` times. */
  async flood(max: number, burst: (round: number) => readonly Uint8Array[]): Promise<void> {
    for (let round = 0; round < max && this.#open; round++) {
      this.send(...burst(round));
      await new Promise((resume) => setImmediate(resume));
    }
  }

  end(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= 9) {
      const length = this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < 9 + length) return;
      const [type = 0, stream] = [this.#rest[3], this.#rest.readUInt32BE(5)];
      this.came.push({ type, stream, payload: Buffer.from(this.#rest.subarray(9, 9 + length)) });
      this.#rest = this.#rest.subarray(9 + length);
    }
  }
}
