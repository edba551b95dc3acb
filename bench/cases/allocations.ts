/** The allocations of a cold start, by function: the same on every machine under any load, unlike time. */
import { type HeapProfiler, Session } from 'node:inspector/promises';
import type { KubeObject } from '@meshrelay/api';
import { generateFleet } from '../fleet/generate.ts';
import { fill, parsed } from '../fleet/plane.ts';
import type { FleetShape } from '../fleet/shape.ts';

/** Bytes allocated, long-lived or not. */
export interface Allocations {
  readonly total: number;
  /** By function, including the built-in functions it calls. */
  readonly byFunction: Readonly<Record<string, number>>;
}

/** Bytes per sample. */
const INTERVAL = 16_384;

export async function allocations({
  shape,
  ledgers,
}: {
  readonly shape: FleetShape;
  readonly ledgers: readonly KubeObject[];
}): Promise<Allocations> {
  const inputs = generateFleet(shape).objects.map(parsed);
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: INTERVAL,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  fill(inputs, ledgers);
  const { profile } = await session.post('HeapProfiler.stopSampling');
  session.disconnect();
  const byFunction: Record<string, number> = {};
  const total = add(profile.head, '', byFunction);
  return { total, byFunction };
}

/** @param caller Meshrelay's function that called a built-in one @returns the sum */
function add(node: HeapProfiler.SamplingHeapProfileNode, caller: string, into: Record<string, number>): number {
  const { functionName, url, lineNumber } = node.callFrame;
  const name =
    url === '' ? caller : `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;
  into[name] = (into[name] ?? 0) + node.selfSize;
  return node.children.reduce((sum, child) => sum + add(child, name, into), node.selfSize);
}
