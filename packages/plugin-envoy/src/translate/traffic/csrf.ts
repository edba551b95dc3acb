/** The filter against cross-site request forgery. */
import { type Any, csrf as csrfFilter, pack } from '@meshrelay/envoy-api';
import { type CsrfView, memoizeUntilCompaction } from '@meshrelay/plugin';
import { runtimeShare, stringMatcher } from '../messages.ts';
import type { RouteField } from './field.ts';

export const CSRF = 'envoy.filters.http.csrf';

/** Envoy requires both shares: 0 for the one that the policy does not enable. */
const csrfPolicy = memoizeUntilCompaction(
  ({ enabled, shadow, percentage, additionalOrigins }: CsrfView): Any =>
    pack(csrfFilter.CsrfPolicySchema, {
      filterEnabled: runtimeShare(enabled ? percentage : 0),
      shadowEnabled: runtimeShare(shadow ? percentage : 0),
      additionalOrigins: additionalOrigins.map(stringMatcher),
    }),
);

export const csrf: RouteField<'csrf'> = {
  capabilities: { 'route.csrf': 'native' },
  filterConfig: (view) => ({ [CSRF]: csrfPolicy(view) }),
};
