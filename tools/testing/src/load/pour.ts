/**
 * The load: prebuilt messages on many streams as hand-written frames, which leaves the CPU to the servers. It is the
 * same for every server compared.
 */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  ACK,
  callHeaders,
  END_STREAM,
  FRAME_BYTES,
  frame,
  HEAD,
  messageFrames,
  PREFACE,
  TYPE,
  WINDOW,
} from './frames.ts';

export interface Pouring {
  readonly port: number;
  /** Source address, such as `127.0.0.2`; the system's choice when omitted. */
  readonly from?: string;
  /** The method: `/package.Service/Method`. */
  readonly path: string;
  readonly connections: number;
  /** Number of streams per connection. */
  readonly streams: number;
  /** First message of each stream. */
  readonly first: Buffer;
  /** Sent in turn, each in a frame of its own, as Envoy does. */
  readonly messages: readonly Buffer[];
  /** Messages per connection, in addition to the first message of each stream. */
  readonly count: number;
  /** When aborted, finishes the message being sent and then closes the streams. */
  readonly until?: AbortSignal;
  /** Messages per second and connection; when omitted, as fast as the server accepts them. */
  readonly perSecond?: number;
}

/**
 * Resolves when the server has replied to every stream, and so has received everything. Resolves with the number of
 * messages sent, without the first of each stream. @throws Error if the server ends a connection or a stream early
 */
export async function pour(pouring: Pouring): Promise<number> {
  const messages = pouring.messages.map(messageFrames);
  const first = messageFrames(pouring.first);
  const connections = Array.from({ length: pouring.connections }, () => {
    return new Connection({ ...pouring, frames: messages, head: first });
  });
  await Promise.all(connections.map((connection) => connection.run()));
  return connections.reduce((sum, { sent }) => sum + sent, 0);
}

/** Bytes per write: as many as a socket accepts at once. */
const MAX_CHUNK_BYTES = 64 * 1024;

interface Framed extends Pouring {
  readonly frames: readonly (readonly Buffer[])[];
  readonly head: readonly Buffer[];
}

interface Stream {
  readonly id: number;
  window: number;
  /** Remaining frames of the current message. */
  left: readonly Buffer[];
  ended: boolean;
}

class Connection {
  readonly #of: Framed;
  readonly #socket: Socket;
  readonly #streams: readonly Stream[];
  readonly #done = Promise.withResolvers<void>();
  #window = WINDOW;
  #initial = WINDOW;
  #sent = 0;
  #answered = 0;
  #full = false;
  #unread: Buffer = Buffer.alloc(0);
  readonly #began = performance.now();

  constructor(of: Framed) {
    this.#of = of;
    this.#socket = connect({
      port: of.port,
      host: '127.0.0.1',
      noDelay: true,
      ...(of.from === undefined ? {} : { localAddress: of.from }),
    });
    this.#streams = Array.from({ length: of.streams }, (_, at) => ({
      id: 1 + 2 * at,
      window: WINDOW,
      left: of.head,
      ended: false,
    }));
  }

  get sent(): number {
    return this.#sent;
  }

  async run(): Promise<void> {
    const socket = this.#socket;
    socket.on('error', (error) => this.#done.reject(error));
    socket.on('close', () => this.#done.reject(new Error('the server ended a connection')));
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    await Promise.race([once(socket, 'connect'), this.#done.promise]);
    const opened = this.#streams.map(({ id }) => callHeaders(this.#of.path, id));
    socket.write(Buffer.concat([PREFACE, frame(TYPE.settings, 0, 0), ...opened]));
    const ticks = this.#of.perSecond === undefined ? undefined : setInterval(() => this.#write(), 5);
    try {
      this.#write();
      await this.#done.promise;
    } finally {
      clearInterval(ticks);
      socket.destroy();
    }
  }

  /** Writes as much as both flow-control windows and the rate allow, one frame of each stream in turn. */
  #write(): void {
    if (this.#full) return;
    const out: Buffer[] = [];
    let size = 0;
    for (let moved = true; moved && size < MAX_CHUNK_BYTES; ) {
      moved = false;
      for (const stream of this.#streams) {
        const next = this.#next(stream);
        if (next === undefined) continue;
        out.push(next);
        size += next.length;
        moved = true;
      }
    }
    if (out.length === 0) return;
    if (this.#socket.write(Buffer.concat(out))) setImmediate(() => this.#write());
    else {
      this.#full = true;
      this.#socket.once('drain', () => {
        this.#full = false;
        this.#write();
      });
    }
  }

  #next(stream: Stream): Buffer | undefined {
    if (stream.ended) return undefined;
    if (stream.left.length === 0) {
      const { count, frames, perSecond, until } = this.#of;
      if (this.#sent === count || until?.aborted === true) {
        stream.ended = true;
        return frame(TYPE.data, END_STREAM, stream.id);
      }
      if (perSecond !== undefined && this.#sent >= ((performance.now() - this.#began) / 1000) * perSecond)
        return undefined;
      stream.left = frames[this.#sent++ % frames.length] as readonly Buffer[];
    }
    const [next, ...rest] = stream.left as readonly [Buffer, ...Buffer[]];
    const length = next.length - HEAD;
    if (length > Math.min(this.#window, stream.window, FRAME_BYTES)) return undefined;
    this.#window -= length;
    stream.window -= length;
    stream.left = rest;
    const bytes = Buffer.from(next);
    bytes.writeUInt32BE(stream.id, 5);
    return bytes;
  }

  #read(bytes: Buffer): void {
    let all = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    while (all.length >= HEAD) {
      const end = HEAD + all.readUIntBE(0, 3);
      if (all.length < end) break;
      this.#take(all[3] as number, all[4] as number, all.readUInt32BE(5), all.subarray(HEAD, end));
      all = all.subarray(end);
    }
    this.#unread = all;
    this.#write();
  }

  #take(type: number, flags: number, id: number, payload: Buffer): void {
    const stream = this.#streams.find((each) => each.id === id);
    if (type === TYPE.windowUpdate) {
      if (stream === undefined) this.#window += payload.readUInt32BE(0);
      else stream.window += payload.readUInt32BE(0);
    } else if (type === TYPE.settings && (flags & ACK) === 0) this.#settings(payload);
    else if (type === TYPE.ping && (flags & ACK) === 0) this.#socket.write(frame(TYPE.ping, ACK, 0, payload));
    else if (type === TYPE.headers && (flags & END_STREAM) !== 0) this.#answer(stream);
    else if (type === TYPE.reset || type === TYPE.goaway) {
      this.#done.reject(new Error(`the server refused: frame ${type}, ${payload.toString('latin1')}`));
    }
  }

  #settings(payload: Buffer): void {
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      if (payload.readUInt16BE(at) !== INITIAL_WINDOW_SIZE) continue;
      const initial = payload.readUInt32BE(at + 2);
      for (const stream of this.#streams) stream.window += initial - this.#initial;
      this.#initial = initial;
    }
    this.#socket.write(frame(TYPE.settings, ACK, 0));
  }

  #answer(stream: Stream | undefined): void {
    if (stream?.ended !== true) this.#done.reject(new Error('the server answered before a stream was over'));
    else if (++this.#answered === this.#streams.length) this.#done.resolve();
  }
}

const INITIAL_WINDOW_SIZE = 4;
