/** Reads the protobuf wire format: varints, fixed widths and length-delimited bytes. */
import type { Buffer } from 'node:buffer';

/** One field on the wire. */
export interface WireField {
  readonly number: number;
  /** A whole number, or the bytes of a string, message or packed list. */
  readonly value: bigint | Buffer;
}

/**
 * The fields of a message in wire order.
 * @throws RangeError when the bytes end early or contain a wire type that Kubernetes does not use
 */
export function* readFields(bytes: Buffer): Generator<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('protobuf: the message ends inside a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new RangeError('protobuf: a number is longer than 64 bits');
  };
  const slice = (length: number): Buffer => {
    if (length > bytes.length - at) throw new RangeError('protobuf: the message ends inside a field');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const number = key >>> 3;
    switch (key & 7) {
      case 0:
        yield { number, value: varint() };
        break;
      case 1:
        yield { number, value: slice(8) };
        break;
      case 2:
        yield { number, value: slice(Number(varint())) };
        break;
      case 5:
        yield { number, value: slice(4) };
        break;
      default:
        throw new RangeError(`protobuf: wire type ${key & 7} of field ${number} is not used by Kubernetes`);
    }
  }
}
