// spec.filters[].phase of a WasmDeployment
import type { SpecField } from '../../schema/field.ts';
import { oneOf } from '../../schema/scalar.ts';

/**
 * Position in the filter chain. AUTHN: before callers are authenticated. AUTHZ: before they are authorized. STATS:
 * after that. Omitted: last, before requests are routed.
 */
export type WasmPhase = 'AUTHN' | 'AUTHZ' | 'STATS';

export const phase: SpecField<WasmPhase> = { schema: oneOf('AUTHN', 'AUTHZ', 'STATS'), examples: ['AUTHZ'] };
