// spec.policy.localRateLimit

import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { integer, oneOf } from '../../schema/scalar.ts';

/** Time over which requests are counted. */
export type RateLimitUnit = 'SECOND' | 'MINUTE' | 'HOUR' | 'DAY';

/** Limits the requests that each proxy of the destination admits. */
export interface LocalRateLimit {
  /** Requests admitted per unit of time. */
  readonly requestsPerUnit: number;
  readonly unit: RateLimitUnit;
  /** Requests admitted at once after an idle time. Default: the value of `requestsPerUnit`. */
  readonly burst?: number;
}

export const localRateLimit: SpecField<LocalRateLimit> = {
  schema: object<LocalRateLimit>('LocalRateLimit', {
    required: { requestsPerUnit: integer(1), unit: oneOf('SECOND', 'MINUTE', 'HOUR', 'DAY') },
    optional: { burst: integer(1) },
  }),
  examples: [{ requestsPerUnit: 100, unit: 'MINUTE', burst: 150 }],
};
