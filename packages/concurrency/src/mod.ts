/** Clocks, pauses between attempts, abort signals and queues of Meshrelay's programs. */
export { aborted } from './aborted.ts';
export { Backoff, type BackoffOptions } from './backoff.ts';
export { type Clock, systemClock } from './clock.ts';
export { coalesced } from './coalesced.ts';
export { KeyedQueue } from './keyed-queue.ts';
export { mapConcurrent } from './map-concurrent.ts';
export { type Reconcile, ReconcileLoop } from './reconcile-loop.ts';
export { Semaphore } from './semaphore.ts';
export { SequentialQueue } from './sequential-queue.ts';
