/** The network between programs of a test, made to fail on demand. */
export type { Trouble } from './direction.ts';
export { FaultProxy, type LineTrouble, SILENCE_TIMEOUT_MS, type Upstream } from './fault-proxy.ts';
