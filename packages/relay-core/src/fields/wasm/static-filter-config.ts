/** spec.filters[].staticFilterConfig */
import type { WasmFilterField } from './field.ts';

/** Every mesh with modules supports it. */
export const staticFilterConfig: WasmFilterField<'staticFilterConfig'> = {
  capabilities: {},
  view: ({ staticFilterConfig: config }) => (config === undefined ? {} : { config }),
  requires: () => [],
};
