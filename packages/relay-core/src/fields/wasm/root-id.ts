/** spec.filters[].rootId */
import type { WasmFilterField } from './field.ts';

export interface WasmRootView {
  /** Empty if the module has only one root context. */
  readonly rootId: string;
}

/** Every mesh with modules supports it. */
export const rootId: WasmFilterField<WasmRootView, never> = {
  capabilities: {},
  view: ({ rootId = '' }) => ({ rootId }),
  requires: () => [],
};
