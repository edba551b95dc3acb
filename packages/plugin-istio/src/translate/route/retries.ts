/** `http[].retries`. */
import { type RetriesView, rememberedUntilRest } from '@meshrelay/relay-core';
import { duration, present } from '../../present.ts';

/** The same object for the same settings. */
export const retries: (view: RetriesView) => Record<string, unknown> = rememberedUntilRest(
  ({ attempts, perTryTimeoutMs, retryOn, retryRemoteLocalities }) =>
    present({
      attempts,
      perTryTimeout: perTryTimeoutMs === undefined ? undefined : duration(perTryTimeoutMs),
      retryOn: retryOn?.join(','),
      retryRemoteLocalities,
    }),
);
