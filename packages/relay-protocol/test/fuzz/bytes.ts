/** Mutations of bytes that can be printed and shrunk. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';

export interface Corruption {
  readonly how: 'set' | 'cut' | 'drop' | 'repeat' | 'insert' | 'length';
  /** A fraction of the whole, in 1/65536. */
  readonly at: number;
  readonly value: number;
}

export const corruptions: fc.Arbitrary<readonly Corruption[]> = fc.array(
  fc.record(
    {
      how: fc.constantFrom(
        'set' as const,
        'cut' as const,
        'drop' as const,
        'repeat' as const,
        'insert' as const,
        'length' as const,
      ),
      at: fc.nat(65_535),
      value: fc.nat(255),
    },
    { noNullPrototype: true },
  ),
  { minLength: 1, maxLength: 4 },
);

/** Varints for lengths and numbers: the largest values, and values that overflow to the start. */
const LONG = Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);

export function spoil(bytes: Uint8Array, list: readonly Corruption[]): Buffer {
  return list.reduce(spoilOnce, Buffer.from(bytes));
}

function spoilOnce(bytes: Buffer, { how, at, value }: Corruption): Buffer {
  const place = Math.floor((at / 65_536) * Math.max(1, bytes.length));
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (how) {
    case 'set':
      return Buffer.concat([before, Buffer.from([value]), after.subarray(1)]);
    case 'cut':
      return Buffer.from(before);
    case 'drop':
      return Buffer.concat([before, after.subarray(1 + (value % 16))]);
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, value), after]);
    case 'insert':
      return Buffer.concat([before, Buffer.from([value, value ^ 0x55, value >> 3]), after]);
    case 'length':
      return Buffer.concat([before, LONG.subarray(10 - (1 + (value % 10))), after.subarray(1)]);
  }
}
