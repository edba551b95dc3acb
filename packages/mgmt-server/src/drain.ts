/** Graceful shutdown of the server, bounded in time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RelayServer } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import type { Election } from './controllers/election.ts';

export interface Draining {
  readonly relay: Pick<RelayServer, 'close'>;
  readonly election: Election;
  readonly rest: AsyncDisposable;
  readonly logger: Logger;
}

/**
 * Milliseconds for agents to disconnect, and for the controllers to stop and the Lease to be released: together below
 * five seconds.
 */
const RELAY_GRACE = 1_500;
const ELECTION_GRACE = 2_500;

/**
 * Asks agents to reconnect to another replica, stops the controllers, releases the Lease, then stops the rest. A Lease
 * that cannot be released expires.
 */
export async function drain({ relay, election, rest, logger }: Draining): Promise<void> {
  logger.info('management server drains');
  await relay.close(RELAY_GRACE);
  const late = new AbortController();
  const stopped = election.stop().then(() => true);
  const inTime = await Promise.race([
    stopped,
    sleep(ELECTION_GRACE, false, { signal: late.signal }).catch(() => false),
  ]);
  late.abort();
  if (!inTime) logger.warn('the Lease was not released in time; it expires');
  await rest[Symbol.asyncDispose]();
  logger.info('management server ended');
}
