/** `http[].retries`. Istio refuses a whole VirtualService for a condition that it does not know, or for any setting where retries are off. */
import { type RetriesView, rememberedUntilRest } from '@meshrelay/relay-core';
import { duration, present } from '../../present.ts';

/** The conditions that Istio knows by name: Envoy's for HTTP and for gRPC. */
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

/** The status codes that have a name in HTTP: Istio takes no others. */
const STATUS_CODES = /^(10[0-3]|20[0-8]|226|30[0-57-8]|40[0-9]|41[0-8]|42[1-6]|428|429|431|451|50[0-8]|510|511)$/;

/** The conditions that Istio does not take. */
export function unknownConditions({ retryOn = [] }: RetriesView): readonly string[] {
  return retryOn.filter((condition) => !isKnown(condition));
}

function isKnown(condition: string): boolean {
  return CONDITIONS.has(condition) || STATUS_CODES.test(condition);
}

/** The same object for the same settings. Without one condition of those asked for, Istio would retry on its own. */
export const retries: (view: RetriesView) => Record<string, unknown> = rememberedUntilRest((view) => {
  const { attempts, perTryTimeoutMs, retryOn, retryRemoteLocalities } = view;
  const conditions = retryOn?.filter(isKnown);
  if (attempts === 0 || conditions?.length === 0) return { attempts: 0 };
  return present({
    attempts,
    perTryTimeout: perTryTimeoutMs === undefined ? undefined : duration(perTryTimeoutMs),
    retryOn: conditions?.join(','),
    retryRemoteLocalities,
  });
});
