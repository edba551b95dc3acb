/** Reports about connection settings in a policy for some requests only: a connection carries all requests. */
import type { Report, TrafficPolicy } from '@meshrelay/api';
import { connectionFieldsFor, isForEveryRequest } from '../resolve/mod.ts';

export function connectionNotes(object: TrafficPolicy): readonly Report[] {
  if (isForEveryRequest(object)) return [];
  const { sourceSelector = [], httpRequestMatchers = [] } = object.spec;
  const narrowing = [
    ...(sourceSelector.length === 0 ? [] : ['spec.sourceSelector']),
    ...(httpRequestMatchers.length === 0 ? [] : ['spec.httpRequestMatchers']),
  ].join(' and ');
  return connectionFieldsFor(object).map(
    (field): Report => ({
      code: 'APPLIES_TO_ALL_REQUESTS',
      severity: 'warning',
      field: `spec.policy.${field}`,
      message: `it applies to all callers and requests despite ${narrowing}, because one connection carries all requests; if that is intended, set it in a policy without ${narrowing}`,
    }),
  );
}
