/** `configuration`, as JSON. */
import { pack, StringValueSchema } from '@meshrelay/envoy-api';
import type { WasmFilterField } from './field.ts';

export const staticFilterConfig: WasmFilterField<'staticFilterConfig'> = {
  capabilities: {},
  pluginConfig: ({ config }) =>
    config === undefined ? {} : { configuration: pack(StringValueSchema, { value: JSON.stringify(config) }) },
};
