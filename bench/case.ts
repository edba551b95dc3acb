/** One case in a process of its own: started by main.ts, sends its result, ends when its parent does. */
import process from 'node:process';
import { allocations } from './cases/allocations.ts';
import { alsFlood, alsRates } from './cases/als.ts';
import { cold, ledgersOf } from './cases/cold.ts';
import { discovery } from './cases/discovery.ts';
import { edit } from './cases/edit.ts';
import { endpoints } from './cases/endpoints.ts';
import { join } from './cases/join.ts';
import { memory } from './cases/memory.ts';
import { memoryByNode } from './cases/memory-by-node.ts';
import { propagation } from './cases/propagation.ts';
import { relayFleet, relayIdle, relayThroughput } from './cases/relay.ts';
import { xdsChanges } from './cases/xds.ts';

const CASES = {
  allocations,
  alsFlood,
  alsRates,
  cold,
  discovery,
  edit,
  endpoints,
  join,
  ledgersOf,
  memory,
  memoryByNode,
  propagation,
  relayFleet,
  relayIdle,
  relayThroughput,
  xdsChanges,
} as const;

export type CaseName = keyof typeof CASES;
export type InputOf<N extends CaseName> = Parameters<(typeof CASES)[N]>[0];
export type ResultOf<N extends CaseName> = Awaited<ReturnType<(typeof CASES)[N]>>;

process.once('disconnect', () => process.exit(1));
process.once('message', async ({ name, input }: { readonly name: CaseName; readonly input: never }) => {
  const result = await CASES[name](input);
  process.send?.(result, undefined, undefined, () => process.exit(0));
});
