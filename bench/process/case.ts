/** All cases, each in its own process, started by child.ts. */
import { allocations } from '../cases/allocations.ts';
import { alsFlood, alsRates } from '../cases/als.ts';
import { cold, ledgersOf } from '../cases/cold.ts';
import { discovery } from '../cases/discovery.ts';
import { edit } from '../cases/edit.ts';
import { endpoints } from '../cases/endpoints.ts';
import { join } from '../cases/join.ts';
import { memory } from '../cases/memory.ts';
import { memoryByNode } from '../cases/memory-by-node.ts';
import { propagation } from '../cases/propagation.ts';
import { relayAtRest, relayFleet, relayIdle, relayThroughput } from '../cases/relay.ts';
import { xdsChanges } from '../cases/xds.ts';
import { serveCase } from './serve-case.ts';

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
  relayAtRest,
  relayFleet,
  relayIdle,
  relayThroughput,
  xdsChanges,
} as const;

export type CaseName = keyof typeof CASES;
export type InputOf<N extends CaseName> = Parameters<(typeof CASES)[N]>[0];
export type ResultOf<N extends CaseName> = Awaited<ReturnType<(typeof CASES)[N]>>;

serveCase(CASES);
