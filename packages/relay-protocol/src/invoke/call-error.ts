/** The error of a failed call on the wire, and back. Only our own texts are sent. */
import { Buffer } from 'node:buffer';
import { asRelayError, isRelayErrorCode, RelayError } from '../errors.ts';
import type { Reply } from '../message.ts';

const MAX_REASON = 512;

export function failureOf(thrown: unknown): NonNullable<Reply['failure']> {
  const { code, message } = asRelayError(thrown);
  return { code, reason: message.slice(0, MAX_REASON) };
}

/** A code unknown to this end counts as an error of the other end. */
export function errorOfFailure({ code, reason }: NonNullable<Reply['failure']>): RelayError {
  return new RelayError(isRelayErrorCode(code) ? code : 'RELAY_E_INTERNAL', reason);
}

/** @throws RelayError RELAY_E_PROTOCOL when it is not JSON, RELAY_E_RESOURCE_EXHAUSTED when it exceeds `max` bytes */
export function jsonOf(bytes: Uint8Array, max: number, what: string): unknown {
  if (bytes.byteLength > max) {
    throw new RelayError(
      'RELAY_E_RESOURCE_EXHAUSTED',
      `${what} has ${bytes.byteLength} bytes, expected at most ${max}`,
    );
  }
  try {
    return bytes.byteLength === 0 ? {} : JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw new RelayError('RELAY_E_PROTOCOL', `${what} is not JSON`, { cause });
  }
}

export function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value) ?? 'null');
}
