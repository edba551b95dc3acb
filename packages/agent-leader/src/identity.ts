/** Identity of one process start in an election. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * Returns an identity that no other process start has: a readable part (by default the pod's name) and a UUID. Without
 * the UUID, a restarted pod would take itself for the previous holder, whose process may still be running.
 */
export function uniqueIdentity(readable: string = hostname()): string {
  return `${readable}_${randomUUID()}`;
}
