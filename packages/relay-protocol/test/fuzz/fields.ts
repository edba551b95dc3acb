/** Replaces some fields of a message by other values of their type: the bytes still decode, with another meaning. */
import { Buffer } from 'node:buffer';

type Holder = Record<string | number, unknown>;
interface Leaf {
  readonly holder: Holder;
  readonly step: string | number;
}

const TEXTS = [
  '',
  '__proto__',
  'constructor',
  '..',
  'a/b',
  'x'.repeat(300),
  '\ud800',
  'default',
  'n1',
  'c2',
  '%2e',
  '\u0000',
];
const NUMBERS = [0, 1, 2, 7, 2 ** 31 - 1, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER];

/** @param picks pairs of field index and value index */
export function alter<T>(message: T, picks: ReadonlyArray<{ readonly at: number; readonly value: number }>): T {
  const copy = structuredClone(message);
  for (const { at, value } of picks) {
    const leaves = [...leavesOf(copy as Holder)];
    const leaf = leaves[at % Math.max(1, leaves.length)];
    if (leaf !== undefined) leaf.holder[leaf.step] = other(leaf.holder[leaf.step], value);
  }
  return copy;
}

/** Every field except the message type. */
function* leavesOf(holder: Holder): Generator<Leaf> {
  for (const step of Object.keys(holder)) {
    if (step === 'type') continue;
    const value = holder[step];
    yield { holder, step };
    if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) yield* leavesOf(value as Holder);
  }
}

function other(value: unknown, pick: number): unknown {
  if (typeof value === 'string') {
    if (/^[0-9a-f]{32}$/.test(value)) return pick.toString(16).padStart(32, '0');
    return TEXTS[pick % TEXTS.length];
  }
  if (typeof value === 'number') return NUMBERS[pick % NUMBERS.length];
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'bigint') return BigInt(pick) << BigInt(pick % 56);
  if (value instanceof Uint8Array) return Buffer.alloc(pick % 3 === 0 ? value.byteLength : pick, pick);
  if (Array.isArray(value)) return pick % 2 === 0 ? [] : [...value, ...value, ...value];
  return value;
}
