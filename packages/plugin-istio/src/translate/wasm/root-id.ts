/** `pluginName`. */
import type { WasmFilterField } from './field.ts';

export const rootId: WasmFilterField<'rootId'> = {
  capabilities: {},
  spec: (filter) => ({ pluginName: filter.rootId === '' ? undefined : filter.rootId }),
};
