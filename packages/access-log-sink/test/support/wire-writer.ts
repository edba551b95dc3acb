/** Writes protobuf by hand, valid or invalid. */
import { Buffer } from 'node:buffer';

/** Bytes of a message, composed of fields. */
export type Bytes = Buffer;

export function varint(value: number | bigint): Bytes {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  do {
    const bits = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest === 0n ? bits : bits | 0x80);
  } while (rest !== 0n);
  return Buffer.from(bytes);
}

export const tag = (number: number, wireType: number): Bytes => varint((number << 3) | wireType);
export const join = (...parts: readonly Uint8Array[]): Bytes => Buffer.concat(parts);
/** A number as a varint; nothing for 0 and undefined, as proto3 writes them. */
export const number = (at: number, value: number | undefined): Bytes =>
  value ? join(tag(at, 0), varint(value)) : join();
export const double = (at: number, value: number | undefined): Bytes => {
  if (!value) return join();
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return join(tag(at, 1), bytes);
};
export const bytes = (at: number, value: Uint8Array): Bytes => join(tag(at, 2), varint(value.length), value);
/** A text; nothing for '' and undefined. */
export const text = (at: number, value: string | undefined): Bytes => (value ? bytes(at, Buffer.from(value)) : join());
/** A message, empty ones too; nothing for undefined. */
export const message = (at: number, ...fields: readonly Bytes[]): Bytes => bytes(at, join(...fields));
/** The entries of a text map. */
export const texts = (at: number, map: Readonly<Record<string, string>> | undefined): Bytes =>
  join(...Object.entries(map ?? {}).map(([name, value]) => message(at, text(1, name), text(2, value))));
