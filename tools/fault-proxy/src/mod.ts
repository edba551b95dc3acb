/** A network between the programs of a test, with injected faults. */
export type { Trouble } from './direction.ts';
export { FaultProxy, type LineTrouble, SILENCE_TIMEOUT_MS, type Upstream } from './fault-proxy.ts';
