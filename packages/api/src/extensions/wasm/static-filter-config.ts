// spec.filters[].staticFilterConfig of a WasmDeployment
import type { JsonObject } from '../../kube/json.ts';
import { jsonObject } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';

/**
 * Passed to the module as JSON when it starts; its meaning is defined by the module. Omitted: the module gets no
 * configuration.
 */
export type WasmStaticConfig = JsonObject;

export const staticFilterConfig: SpecField<WasmStaticConfig> = {
  schema: jsonObject,
  examples: [{ issuer: 'shop', tokens: { header: 'x-token' } }],
};
