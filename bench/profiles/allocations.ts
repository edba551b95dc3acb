/**
 * `npm run bench -- --allocations`: prints a table of a cold start's allocations by function on stderr, and all of them
 * as JSON on stdout.
 */
import process from 'node:process';
import type { FleetShape } from '../fleet/shape.ts';
import { runCase } from '../process/child.ts';

/** The fleet of the cold start that has a target. */
const SHAPE: FleetShape = { clusters: 1, services: 10_000, policies: 1_000, exportEvery: 0, seed: 20_261_121 };
const SHOWN = 50;

export async function allocationsByFunction(): Promise<void> {
  const { services, clusters, policies } = SHAPE;
  process.stderr.write(`allocations of a cold start of W(${clusters}, ${services}, ${policies}), MB\n`);
  const ledgers = await runCase('ledgersOf', { shape: SHAPE });
  const { total, byFunction } = await runCase('allocations', { shape: SHAPE, ledgers });
  const sorted = Object.entries(byFunction).sort(([, a], [, b]) => b - a);
  for (const [name, bytes] of sorted.slice(0, SHOWN)) process.stderr.write(`${megabytes(bytes)}  ${name}\n`);
  process.stderr.write(`${megabytes(total)}  in all\n`);
  process.stdout.write(`${JSON.stringify({ shape: SHAPE, total, byFunction: Object.fromEntries(sorted) })}\n`);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1).padStart(7);
}
