/** spec.policy.localRateLimit */
import type { RequestField } from './field.ts';

export interface RateLimitView {
  readonly requestsPerUnit: number;
  readonly unit: string;
  readonly burst?: number;
}

type RateLimitCapability =
  | 'route.localRateLimit'
  | 'route.localRateLimit.perDay'
  | 'route.localRateLimit.burstBelowRate';

export const localRateLimit: RequestField<'localRateLimit', 'localRateLimit', RateLimitView, RateLimitCapability> = {
  scope: 'requests',
  viewName: 'localRateLimit',
  capabilities: {
    'route.localRateLimit': 'spec.policy.localRateLimit',
    'route.localRateLimit.perDay': 'spec.policy.localRateLimit.unit',
    'route.localRateLimit.burstBelowRate': 'spec.policy.localRateLimit.burst',
  },
  view: (limit) => limit,
  requires: ({ unit }) =>
    unit === 'DAY' ? ['route.localRateLimit', 'route.localRateLimit.perDay'] : ['route.localRateLimit'],
  reduce: (view, supports) => {
    const { burst, ...rate } = view;
    if (burst === undefined || burst >= rate.requestsPerUnit) return view;
    // Without a burst, a limit admits the requests of a whole unit at once.
    return supports('route.localRateLimit.burstBelowRate') ? view : rate;
  },
};
