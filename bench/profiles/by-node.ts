/**
 * `npm run bench -- --by-node`: prints a table of the memory that each node of the graph holds on stderr, and all of it
 * as JSON on stdout.
 */
import process from 'node:process';
import type { FleetShape } from '../fleet/shape.ts';
import { runCase } from '../process/child.ts';
import type { Holding } from './heap-by-node.ts';

/** The same ratio of policies to services as in W(100, 30000, 1000). */
const SHAPE: FleetShape = { clusters: 20, services: 6_000, policies: 200, exportEvery: 0, seed: 20_261_121 };
const SHOWN_KINDS = 5;

export async function byNode(): Promise<void> {
  const { services, clusters, policies } = SHAPE;
  process.stderr.write(`memory by node, W(${clusters}, ${services}, ${policies}), bytes for each service\n`);
  const { objectCounts } = await runCase('memoryByNode', { shape: SHAPE });
  const sorted = objectCounts.toSorted((a, b) => b.bytes - a.bytes);
  for (const one of sorted) process.stderr.write(`${line(one)}\n`);
  const total = objectCounts.reduce((sum, { bytes }) => sum + bytes, 0);
  process.stderr.write(`${perService(total)} in all\n`);
  process.stdout.write(`${JSON.stringify({ shape: SHAPE, objectCounts: sorted })}\n`);
}

function line({ owner, bytes, kinds }: Holding): string {
  const greatest = Object.entries(kinds)
    .sort(([, a], [, b]) => b - a)
    .slice(0, SHOWN_KINDS)
    .map(([kind, size]) => `${kind} ${perService(size).trim()}`);
  return `${perService(bytes)}  ${owner} (${greatest.join(', ')})`;
}

function perService(bytes: number): string {
  return Math.round(bytes / SHAPE.services)
    .toString()
    .padStart(7);
}
