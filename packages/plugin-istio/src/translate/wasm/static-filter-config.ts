/** `pluginConfig`. */
import type { WasmFilterField } from './field.ts';

export const staticFilterConfig: WasmFilterField<'staticFilterConfig'> = {
  capabilities: {},
  spec: ({ config }) => ({ pluginConfig: config }),
};
