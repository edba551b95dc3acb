/** Retries: annotations of an HTTPRoute. Linkerd retries by the status of a response. */
import type { RetriesView } from '@meshrelay/plugin';
import { duration } from './duration.ts';

const PREFIX = 'retry.linkerd.io';
/** What Linkerd retries when a policy names no conditions. */
const DEFAULT_CONDITIONS: readonly string[] = ['5xx'];
/** Conditions of a policy that Linkerd has under the same name; a status code is one, too. */
const CONDITIONS: ReadonlySet<string> = new Set(['5xx', 'gateway-error']);

export function retryAnnotations(retries: RetriesView): Readonly<Record<string, string>> {
  const { attempts, perTryTimeoutMs, retryOn = DEFAULT_CONDITIONS } = retries;
  const known = retryOn.filter(isKnown);
  if (known.length === 0) return {};
  return {
    [`${PREFIX}/http`]: known.join(','),
    [`${PREFIX}/limit`]: String(attempts),
    ...(perTryTimeoutMs === undefined ? {} : { [`${PREFIX}/timeout`]: duration(perTryTimeoutMs) }),
  };
}

export function unknownConditions({ retryOn = [] }: RetriesView): readonly string[] {
  return retryOn.filter((condition) => !isKnown(condition));
}

function isKnown(condition: string): boolean {
  return CONDITIONS.has(condition) || /^[45]\d\d$/.test(condition);
}
