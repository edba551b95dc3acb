// spec.filters[].failurePolicy of a WasmDeployment
import type { SpecField } from '../../schema/field.ts';
import { oneOf } from '../../schema/scalar.ts';

/**
 * FAIL_CLOSED: without a working module requests are rejected. FAIL_OPEN: they pass without it. Default: FAIL_CLOSED.
 */
export type WasmFailurePolicy = 'FAIL_CLOSED' | 'FAIL_OPEN';

export const failurePolicy: SpecField<WasmFailurePolicy> = {
  schema: oneOf('FAIL_CLOSED', 'FAIL_OPEN'),
  default: 'FAIL_CLOSED',
  examples: ['FAIL_OPEN'],
};
