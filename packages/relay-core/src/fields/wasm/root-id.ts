/** spec.filters[].rootId */
import type { WasmFilterField } from './field.ts';

/** Every mesh with modules supports it. */
export const rootId: WasmFilterField<'rootId'> = {
  capabilities: {},
  view: ({ rootId = '' }) => ({ rootId }),
  requires: () => [],
};
