// spec.filters of a WasmDeployment
import { list } from '../../schema/collection.ts';
import { fieldsOf, type SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { exactlyOneOf } from '../../schema/rule.ts';
import { WASM_FILTER_FIELDS, type WasmFilter } from './filter-fields.ts';

/** Modules of one phase run in this order. */
export type WasmFilters = readonly WasmFilter[];

/** Maximum number of modules of a deployment. */
export const MAX_WASM_FILTERS = 20;

const wasmFilter = object<WasmFilter>('WasmFilter', fieldsOf<WasmFilter>(WASM_FILTER_FIELDS, {}), [
  exactlyOneOf<WasmFilter>('httpUriSource', 'wasmImageSource', 'configMapSource'),
]);

export const filters: SpecField<WasmFilters> = {
  schema: list(wasmFilter, { minimum: 1, maximum: MAX_WASM_FILTERS }),
  examples: [[{ wasmImageSource: { wasmImageTag: 'registry.example.com/filters/auth:v1' } }]],
};
