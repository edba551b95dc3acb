/**
 * Encodes deltas with large bodies, copying each body once. The generated code does not know the length of a message in
 * advance and copies large messages repeatedly as they grow. This code measures the parts first.
 */
import { Buffer } from 'node:buffer';
import { meshrelay } from '../gen/relay.ts';
import type { Delta } from '../message.ts';
import { deltaToWire, upsertToWire } from './to-wire.ts';

const { v1 } = meshrelay.relay;
/** Tags of length-delimited fields, numbered as in relay.proto. */
const TAGS = { 'PushRequest.delta': 0x2a, 'PullResponse.delta': 0x2a, 'Delta.upserts': 0x1a, 'Envelope.body': 0x22 };
/** From this average body size in bytes, this encoder is faster. */
const LARGE = 2048;

/** Whether this encoder should encode the delta. */
export function isLarge({ upserts }: Delta): boolean {
  const bytes = upserts.reduce((sum, { body }) => sum + body.byteLength, 0);
  return upserts.length > 0 && bytes >= LARGE * upserts.length;
}

/** Encodes a delta as the message of its stream. Both streams use the same field number. */
export function encodeDelta(delta: Delta, message: 'PushRequest.delta' | 'PullResponse.delta'): Buffer {
  const rest = v1.Delta.encode(deltaToWire({ ...delta, upserts: [] })).finish();
  const parts = delta.upserts.map((upsert) => {
    const { body, ...head } = upsertToWire(upsert);
    const fields = v1.Envelope.encode(head).finish();
    return { fields, body: upsert.body, length: fields.length + lengthOf(upsert.body.byteLength) };
  });
  const length = parts.reduce((sum, part) => sum + lengthOf(part.length), rest.length);
  const bytes = Buffer.allocUnsafe(lengthOf(length));
  let at = writeHead(bytes, 0, TAGS[message], length);
  bytes.set(rest, at);
  at += rest.length;
  for (const { fields, body, length: size } of parts) {
    at = writeHead(bytes, at, TAGS['Delta.upserts'], size);
    bytes.set(fields, at);
    at = writeHead(bytes, at + fields.length, TAGS['Envelope.body'], body.byteLength);
    bytes.set(body, at);
    at += body.byteLength;
  }
  return bytes;
}

/** Bytes of a length-delimited field: tag, length and content. */
function lengthOf(content: number): number {
  let bytes = 2;
  for (let rest = content >>> 7; rest > 0; rest >>>= 7) bytes++;
  return bytes + content;
}

/** Writes tag and length. @returns the offset of the content */
function writeHead(bytes: Buffer, start: number, tag: number, content: number): number {
  let at = start;
  bytes[at++] = tag;
  let rest = content;
  for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
  bytes[at++] = rest;
  return at;
}
