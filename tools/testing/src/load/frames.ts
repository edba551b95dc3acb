/** HTTP/2 frames for a client that only streams to one method. */
import { Buffer } from 'node:buffer';

/** Frame types of RFC 9113. */
export const TYPE = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, windowUpdate: 8 } as const;
export const END_STREAM = 1;
export const ACK = 1;
const END_HEADERS = 4;
/** Defaults of a peer that has sent no other settings. */
export const FRAME_BYTES = 16_384;
export const WINDOW = 65_535;
export const HEAD = 9;

export const PREFACE: Buffer = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.alloc(HEAD + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  payload.copy(bytes, HEAD);
  return bytes;
}

/** Opens a gRPC call. Header fields are literals, which every HPACK decoder reads without a dynamic table. */
export function callHeaders(path: string, stream: number): Buffer {
  // Indexes of the static table: 3 is POST, 6 http, 4 the name :path, 1 :authority, 31 content-type.
  const indexed = Buffer.from([0x83, 0x86]);
  const fields = [named(4, path), named(1, 'bench'), named(31, 'application/grpc'), literal('te', 'trailers')];
  return frame(TYPE.headers, END_HEADERS, stream, Buffer.concat([indexed, ...fields]));
}

/** The frames of a gRPC message: one, unless the message exceeds the frame size. */
export function messageFrames(message: Buffer): Buffer[] {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  const bytes = Buffer.concat([head, message]);
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += FRAME_BYTES) {
    frames.push(frame(TYPE.data, 0, 0, bytes.subarray(at, at + FRAME_BYTES)));
  }
  return frames;
}

function named(index: number, value: string): Buffer {
  const name = index < 15 ? [index] : [15, index - 15];
  return Buffer.concat([Buffer.from(name), text(value)]);
}

function literal(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}

/** @throws RangeError above 126 bytes, where lengths need more than one byte */
function text(value: string): Buffer {
  if (value.length > 126) throw new RangeError(`${value} is too long`);
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
}
