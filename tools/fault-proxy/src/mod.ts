/** A network between the programs of a test, with injected faults. */
export type { Trouble } from './direction.ts';
export { BLACKHOLE, FaultProxy, type LineTrouble, type Upstream } from './fault-proxy.ts';
