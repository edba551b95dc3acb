/** `http[].retries`. */
import type { RetriesView } from '@meshrelay/relay-core';
import { duration, present } from '../../present.ts';

export function retries({
  attempts,
  perTryTimeoutMs,
  retryOn,
  retryRemoteLocalities,
}: RetriesView): Record<string, unknown> {
  return present({
    attempts,
    perTryTimeout: perTryTimeoutMs === undefined ? undefined : duration(perTryTimeoutMs),
    retryOn: retryOn?.join(','),
    retryRemoteLocalities,
  });
}
