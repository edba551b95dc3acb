// spec.filters[].rootId of a WasmDeployment
import type { SpecField } from '../../schema/field.ts';
import { text } from '../../schema/scalar.ts';

/** The root context, for modules that have several. Omitted or empty: the only one. */
export type WasmRootId = string;

export const rootId: SpecField<WasmRootId> = { schema: text, examples: ['auth'] };
