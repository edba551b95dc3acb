/** The name one process start has in an election. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * An identity no other process start has: a readable part (the pod's name by default) and a UUID. Without the UUID a
 * restarted pod would pass for the holder it was before, while that process may still be acting elsewhere.
 */
export function uniqueIdentity(readable: string = hostname()): string {
  return `${readable}_${randomUUID()}`;
}
