/** Leader election on a Kubernetes Lease, with fencing terms. Usable without the other packages. */
export { type Clock, systemClock } from './clock.ts';
export { uniqueIdentity } from './identity.ts';
export { type ElectionOperation, LeaderElector, type LeaderElectorOptions } from './leader-elector.ts';
export type { Lease, LeaseClient, LeaseMetadata, LeaseSpec } from './lease.ts';
export { LeaseRequestError } from './lease-request-error.ts';
export type { TermStore } from './term-store.ts';
export { defaultTiming, type ElectionTiming } from './timing.ts';
