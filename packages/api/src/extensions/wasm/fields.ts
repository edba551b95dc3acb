// Every field of `spec` of a WasmDeployment.
import type { FieldTable } from '../../schema/field.ts';
import type { WasmFilterFieldName } from './filter-fields.ts';
import { filters, type WasmFilters } from './filters.ts';
import { type WasmWeight, weight } from './weight.ts';
import { type WasmWorkloadSelectors, workloadSelectors } from './workload-selectors.ts';

/** Which modules run in the proxies of which workloads. */
export interface WasmDeploymentSpec {
  readonly filters: WasmFilters;
  readonly workloadSelectors?: WasmWorkloadSelectors;
  readonly weight?: WasmWeight;
}

/** The name of a field that describes modules; `workloadSelectors` only says where they run. */
export type WasmFieldName = WasmFilterFieldName | Exclude<keyof WasmDeploymentSpec, 'filters' | 'workloadSelectors'>;

/** One file for each; a field of {@link WasmDeploymentSpec} that is missing here is a compile error. */
export const WASM_DEPLOYMENT_FIELDS: FieldTable<WasmDeploymentSpec> = { filters, workloadSelectors, weight };
