/** spec.policy.retries */

import type { Retries } from '@meshrelay/api';
import { memoizeUntilCompaction, type RetriesView } from '@meshrelay/plugin';
import { defined, milliseconds } from '../values.ts';
import type { TrafficField } from './field.ts';

export const retries: TrafficField<'retries'> = {
  capabilities: {
    'route.retries': 'spec.policy.retries',
    'route.retries.backoff': 'spec.policy.retries.backoff',
    'route.retries.retryOn': 'spec.policy.retries.retryOn',
    'route.retries.statusCodes': 'spec.policy.retries.retryOn',
    'route.retries.remoteLocalities': 'spec.policy.retries.retryRemoteLocalities',
  },
  view: memoizeUntilCompaction(({ attempts, perTryTimeout, backoff, retryOn, retryRemoteLocalities }: Retries) =>
    defined<RetriesView>({
      attempts,
      perTryTimeoutMs: milliseconds(perTryTimeout),
      backoffMs: milliseconds(backoff),
      // An empty list means the same as none: each mesh would interpret it differently, some as never.
      retryOn: retryOn?.length === 0 ? undefined : retryOn,
      retryRemoteLocalities,
    }),
  ),
  requires: ({ retryOn }) => (retryOn === undefined ? ['route.retries'] : ['route.retries', 'route.retries.retryOn']),
  reduce: (view, supports) => {
    const { backoffMs, retryOn, retryRemoteLocalities, ...always } = view;
    const hasBackoff = backoffMs === undefined || supports('route.retries.backoff');
    const hasCodes = (retryOn ?? []).some(isStatusCode);
    const conditions =
      hasCodes && !supports('route.retries.statusCodes') ? retryOn?.filter((one) => !isStatusCode(one)) : retryOn;
    const remote = retryRemoteLocalities !== true || supports('route.retries.remoteLocalities');
    // Without a condition the mesh would retry by its own default.
    if (hasCodes && conditions?.length === 0) return undefined;
    if (hasBackoff && conditions === retryOn && remote) return view;
    return {
      ...always,
      ...(hasBackoff && backoffMs !== undefined ? { backoffMs } : {}),
      ...(conditions === undefined ? {} : { retryOn: conditions }),
      ...(remote && retryRemoteLocalities !== undefined ? { retryRemoteLocalities } : {}),
    };
  },
};

function isStatusCode(condition: string): boolean {
  return /^\d+$/.test(condition);
}
