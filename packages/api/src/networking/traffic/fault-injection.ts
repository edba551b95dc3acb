// spec.policy.faultInjection
import type * as z from 'zod/mini';
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { exactlyOneOf } from '../../schema/rule.ts';
import { duration, integer, percentage } from '../../schema/scalar.ts';

/** Ends requests with an error. */
export interface FaultAbort {
  /** Status code of the response. */
  readonly httpStatus: number;
}

/** Injects a fault into requests: exactly one of a delay and an abort. */
export interface FaultInjection {
  /** Go-style duration by which each request is delayed. */
  readonly fixedDelay?: string;
  readonly abort?: FaultAbort;
  /** Percent of the requests, 0 to 100. Default: 100. */
  readonly percentage?: number;
}

const faultAbort: z.ZodMiniType<FaultAbort> = object<FaultAbort>('FaultAbort', {
  required: { httpStatus: integer(200, 599) },
  optional: {},
});

export const faultInjection: SpecField<FaultInjection> = {
  schema: object<FaultInjection>(
    'FaultInjection',
    { required: {}, optional: { fixedDelay: duration, abort: faultAbort, percentage } },
    [exactlyOneOf<FaultInjection>('fixedDelay', 'abort')],
  ),
  defaults: { percentage: 100 },
  examples: [{ fixedDelay: '2s', percentage: 10 }, { abort: { httpStatus: 503 } }],
};
