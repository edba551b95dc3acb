/**
 * `http[].retries`. Istio rejects the whole VirtualService for an unknown condition, or for any setting with retries
 * off.
 */
import { memoizeUntilCompaction, type Report, type RetriesView } from '@meshrelay/plugin';
import { duration, present } from '../../present.ts';
import type { RouteField } from './field.ts';

/** The conditions that Istio accepts by name: Envoy's for HTTP and for gRPC. */
const CONDITIONS: ReadonlySet<string> = new Set([
  '5xx',
  'gateway-error',
  'reset',
  'reset-before-request',
  'connect-failure',
  'retriable-4xx',
  'refused-stream',
  'retriable-status-codes',
  'retriable-headers',
  'envoy-ratelimited',
  'http3-post-connect-failure',
  'cancelled',
  'deadline-exceeded',
  'internal',
  'resource-exhausted',
  'unavailable',
]);

/** The status codes with a name in HTTP: Istio accepts no others. */
const STATUS_CODES = /^(10[0-3]|20[0-8]|226|30[0-57-8]|40[0-9]|41[0-8]|42[1-6]|428|429|431|451|50[0-8]|510|511)$/;

function unknownConditions({ retryOn = [] }: RetriesView): readonly string[] {
  return retryOn.filter((condition) => !isKnown(condition));
}

function isKnown(condition: string): boolean {
  return CONDITIONS.has(condition) || STATUS_CODES.test(condition);
}

/** The same object for the same settings. Without any supported condition Istio would retry by its own default. */
const retryPolicy = memoizeUntilCompaction((view: RetriesView): Record<string, unknown> => {
  const { attempts, perTryTimeoutMs, backoffMs, retryOn, retryRemoteLocalities } = view;
  const conditions = retryOn?.filter(isKnown);
  if (attempts === 0 || conditions?.length === 0) return { attempts: 0 };
  return present({
    attempts,
    perTryTimeout: perTryTimeoutMs === undefined ? undefined : duration(perTryTimeoutMs),
    backoff: backoffMs === undefined ? undefined : duration(backoffMs),
    retryOn: conditions?.join(','),
    retryRemoteLocalities,
  });
});

export const retries: RouteField<'retries'> = {
  capabilities: {
    'route.retries': 'native',
    'route.retries.backoff': 'native',
    'route.retries.retryOn': 'native',
    'route.retries.statusCodes': 'native',
    'route.retries.remoteLocalities': 'native',
  },
  httpRoute: (view) => ({ retries: retryPolicy(view) }),
  reports: (view) => {
    const unknown = unknownConditions(view);
    return unknown.length === 0 ? [] : [unknownConditionsReport(unknown)];
  },
};

/** Istio would reject all routes of the host for one of them. */
function unknownConditionsReport(unknown: readonly string[]): Report {
  const message = `Istio does not know the retry condition ${unknown.join(', ')}, so it is ignored; use a condition of Envoy, such as 5xx or connect-failure, or an HTTP status code`;
  return { code: 'UNSUPPORTED', severity: 'warning', field: 'spec.policy.retries.retryOn', message };
}
