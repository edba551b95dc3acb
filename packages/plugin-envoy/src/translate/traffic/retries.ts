/** The conditions and hosts of retries. */
import { create, pack, previousHosts, previousPriorities, route } from '@meshrelay/envoy-api';
import { memoizeUntilCompaction, type RetriesView } from '@meshrelay/plugin';
import { duration } from '../messages.ts';
import type { RouteField } from './field.ts';

/** The default without a policy: the request did not reach the application, or is safe to repeat. */
const RETRY_ON = ['connect-failure', 'refused-stream', 'unavailable', 'cancelled', 'retriable-status-codes'];
const RETRIABLE = [503];

/** The number of attempts to find a host that has not failed yet. */
const HOST_ATTEMPTS = 5n;

/** The same for the same settings. */
const retryPolicy: (view: RetriesView) => route.RetryPolicy = memoizeUntilCompaction(
  ({ attempts, perTryTimeoutMs, backoffMs, retryOn, retryRemoteLocalities = false }) => {
    const { conditions, statuses } = conditionsOf(retryOn);
    return create(route.RetryPolicySchema, {
      retryOn: conditions.join(','),
      numRetries: attempts,
      ...(perTryTimeoutMs === undefined ? {} : { perTryTimeout: duration(perTryTimeoutMs) }),
      ...(backoffMs === undefined ? {} : { retryBackOff: { baseInterval: duration(Math.max(1, backoffMs)) } }),
      retriableStatusCodes: statuses,
      retryHostPredicate: [
        {
          name: 'envoy.retry_host_predicates.previous_hosts',
          configType: { case: 'typedConfig', value: pack(previousHosts.PreviousHostsPredicateSchema, {}) },
        },
      ],
      hostSelectionRetryMaxAttempts: HOST_ATTEMPTS,
      ...(retryRemoteLocalities ? { retryPriority: otherPriorities() } : {}),
    });
  },
);

/** Numbers among the conditions are status codes, which Envoy has in a separate field. */
function conditionsOf(retryOn: readonly string[] | undefined): {
  readonly conditions: readonly string[];
  readonly statuses: number[];
} {
  if (retryOn === undefined || retryOn.length === 0) return { conditions: RETRY_ON, statuses: RETRIABLE };
  const isStatus = (condition: string) => /^\d{3}$/.test(condition);
  const statuses = retryOn.filter(isStatus).map(Number);
  const conditions = retryOn.filter((condition) => !isStatus(condition));
  const codes = 'retriable-status-codes';
  return {
    conditions: statuses.length > 0 && !conditions.includes(codes) ? [...conditions, codes] : conditions,
    statuses,
  };
}

/** Each try uses another failover level than the previous one. */
function otherPriorities(): route.RetryPolicy_RetryPriority {
  return create(route.RetryPolicy_RetryPrioritySchema, {
    name: 'envoy.retry_priorities.previous_priorities',
    configType: {
      case: 'typedConfig',
      value: pack(previousPriorities.PreviousPrioritiesConfigSchema, { updateFrequency: 1 }),
    },
  });
}

export const retries: RouteField<'retries'> = {
  capabilities: {
    'route.retries': 'native',
    'route.retries.backoff': 'native',
    'route.retries.retryOn': 'native',
    'route.retries.statusCodes': 'native',
    'route.retries.remoteLocalities': 'native',
  },
  routeAction: (view) => ({ retryPolicy: retryPolicy(view) }),
};
