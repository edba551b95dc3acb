/** spec.filters[].staticFilterConfig */
import type { JsonObject } from '@meshrelay/api';
import type { WasmFilterField } from './field.ts';

export interface WasmConfigView {
  /** Passed to the module as JSON; absent: no configuration. */
  readonly config?: JsonObject;
}

/** Every mesh with modules supports it. */
export const staticFilterConfig: WasmFilterField<WasmConfigView, never> = {
  capabilities: {},
  view: ({ staticFilterConfig: config }) => (config === undefined ? {} : { config }),
  requires: () => [],
};
