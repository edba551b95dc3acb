/** `root_id`. */
import type { WasmFilterField } from './field.ts';

export const rootId: WasmFilterField<'rootId'> = {
  capabilities: {},
  pluginConfig: (filter) => ({ rootId: filter.rootId }),
};
