/** `priority`. Of equal priorities Istio puts the older object first, regardless of its position in the deployment. */
import { MAX_WASM_FILTERS } from '@meshrelay/api';
import type { WasmFilterField } from './field.ts';

export const weight: WasmFilterField<'weight'> = {
  capabilities: {},
  spec: (filter) => ({ priority: filter.weight * MAX_WASM_FILTERS - filter.position }),
};
