/** Encodes the few ASN.1 values of a certificate in DER. */
import { Buffer } from 'node:buffer';

/** A value prefixed with tag and length. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const octets = length < 256 ? [length] : [length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, 0x80 | octets.length, ...octets]), content]);
}

/** SEQUENCE. */
export function sequence(...contents: readonly Uint8Array[]): Buffer {
  return der(0x30, ...contents);
}

/** SET of one. */
export function set(content: Uint8Array): Buffer {
  return der(0x31, content);
}

/** Non-negative INTEGER from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes[0] ?? 0;
  return der(0x02, first >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** OBJECT IDENTIFIER from dotted text. */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 127];
    for (let high = part >> 7; high > 0; high >>= 7) groups.unshift((high & 127) | 128);
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
}

/** UTF8String. */
export function utf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text));
}

/** BOOLEAN true. */
export const TRUE: Buffer = der(0x01, Buffer.from([0xff]));

/** OCTET STRING. */
export function octets(content: Uint8Array): Buffer {
  return der(0x04, content);
}

/** BIT STRING of whole bytes, or with some unused bits at its end. */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return der(0x03, Buffer.from([unused]), content);
}

/** GeneralizedTime in whole seconds. */
export function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(text));
}
