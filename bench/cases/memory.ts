/** Memory of a fleet after translation and compaction, compared with the JSON of its inputs. */
import process from 'node:process';
import { type FleetObject, generateFleet } from '../fleet/generate.ts';
import { fill, type ParsedObject, parsed } from '../fleet/plane.ts';
import type { FleetShape } from '../fleet/shape.ts';

export interface MemoryResult {
  readonly checksum: string;
  readonly inputMiB: number;
  readonly outputs: number;
  /** Live heap and external memory with only the program loaded. */
  readonly programMiB: number;
  /** The same with the fleet: includes the program, but not the original input texts. */
  readonly liveMiB: number;
}

export async function memory({ shape }: { readonly shape: FleetShape }): Promise<MemoryResult> {
  const programMiB = liveMiB();
  const { plane, ...about } = filled(shape);
  await endOfTurn();
  return { ...about, programMiB, liveMiB: liveMiB(), outputs: plane.desired.size };
}

/** A dereferenced weak reference is held until the turn of the event loop ends; a server's turns do end. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * A control plane filled with a fleet. A separate function, so that only the control plane holds texts and parsed
 * inputs.
 */
export function filled(shape: FleetShape) {
  const { objects, checksum, bytes } = generateFleet(shape);
  const plane = fill(inTurn([...objects].reverse()));
  plane.compact();
  return { plane, checksum, inputMiB: bytes / 2 ** 20 };
}

/** Parses one text at a time and releases it. */
function* inTurn(reversed: FleetObject[]): Iterable<ParsedObject> {
  for (let next = reversed.pop(); next !== undefined; next = reversed.pop()) yield parsed(next);
}

function liveMiB(): number {
  const collect = (globalThis as { readonly gc?: () => void }).gc;
  if (collect === undefined) throw new Error('memory is measured with --expose-gc only');
  // The second collection frees what finalizers of the first released.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
