// spec.filters[].filterContext of a WasmDeployment
import type { SpecField } from '../../schema/field.ts';
import { oneOf } from '../../schema/scalar.ts';

/**
 * ANY: all requests. SIDECAR_INBOUND: to the workload. SIDECAR_OUTBOUND: from the workload. GATEWAY: through it, if it
 * is a gateway. Default: ANY.
 */
export type WasmFilterContext = 'ANY' | 'SIDECAR_INBOUND' | 'SIDECAR_OUTBOUND' | 'GATEWAY';

export const filterContext: SpecField<WasmFilterContext> = {
  schema: oneOf('ANY', 'SIDECAR_INBOUND', 'SIDECAR_OUTBOUND', 'GATEWAY'),
  default: 'ANY',
  examples: ['SIDECAR_INBOUND'],
};
