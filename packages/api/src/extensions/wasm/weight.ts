// spec.weight of a WasmDeployment
import type { SpecField } from '../../schema/field.ts';
import { integer } from '../../schema/scalar.ts';

/**
 * Of several deployments for one workload, those with a higher weight run first within a phase; 0 to 100,000,000.
 * Default: 0.
 */
export type WasmWeight = number;

/** With this limit, each module of each weight has its own 32-bit number, which Istio needs to order modules. */
const MAX_WEIGHT = 100_000_000;

export const weight: SpecField<WasmWeight> = { schema: integer(0, MAX_WEIGHT), default: 0, examples: [10] };
