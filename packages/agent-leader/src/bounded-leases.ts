/** Lease calls with a time limit, whatever the client underneath does. */
import type { Clock } from './clock.ts';
import { deadline, unlessAborted } from './deadline.ts';
import type { LeaseClient } from './lease.ts';

/** Wraps a client: each call fails after `timeout` milliseconds or when its signal aborts. */
export function boundedLeases(leases: LeaseClient, clock: Clock, timeout: number): LeaseClient {
  const bounded = async <T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const limit = deadline(clock, timeout, signal);
    try {
      return await unlessAborted(limit.signal, call(limit.signal));
    } finally {
      limit.clear();
    }
  };
  return {
    get: (namespace, name, signal) => bounded(signal, (limited) => leases.get(namespace, name, limited)),
    create: (lease, signal) => bounded(signal, (limited) => leases.create(lease, limited)),
    update: (lease, signal) => bounded(signal, (limited) => leases.update(lease, limited)),
  };
}
