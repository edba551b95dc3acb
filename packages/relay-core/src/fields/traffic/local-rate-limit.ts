/** spec.policy.localRateLimit */
import type { TrafficField } from './field.ts';

export const localRateLimit: TrafficField<'localRateLimit'> = {
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
