/** What a world takes in memory once everything is translated and settled, beside the JSON it came from. */
import process from 'node:process';
import { type FleetObject, generateFleet } from '../fleet/generate.ts';
import { fill, type ParsedObject, parsed } from '../fleet/plane.ts';
import type { FleetShape } from '../fleet/shape.ts';

export interface MemoryResult {
  readonly checksum: string;
  readonly inputMiB: number;
  readonly outputs: number;
  /** Live heap and external memory with nothing but the program loaded. */
  readonly programMiB: number;
  /** The same with the world in it: the program included, the inputs as they arrived not. */
  readonly liveMiB: number;
}

export async function memory({ shape }: { readonly shape: FleetShape }): Promise<MemoryResult> {
  const programMiB = liveMiB();
  const { plane, ...about } = filled(shape);
  await endOfTurn();
  return { ...about, programMiB, liveMiB: liveMiB(), outputs: plane.desired.size };
}

/** What weak references were asked for in a turn is held until it ends; a server's turns do. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A control plane filled with a fleet. In a function of its own, so that no text and no parsed input is held by anybody but the control plane. */
export function filled(shape: FleetShape) {
  const { objects, checksum, bytes } = generateFleet(shape);
  const plane = fill(inTurn([...objects].reverse()));
  plane.compact();
  return { plane, checksum, inputMiB: bytes / 2 ** 20 };
}

/** Parses one text at a time and lets go of it. */
function* inTurn(reversed: FleetObject[]): Iterable<ParsedObject> {
  for (let next = reversed.pop(); next !== undefined; next = reversed.pop()) yield parsed(next);
}

function liveMiB(): number {
  const collect = (globalThis as { readonly gc?: () => void }).gc;
  if (collect === undefined) throw new Error('memory is measured with --expose-gc only');
  // The second time takes what finalizers of the first let go.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
