/** Core has ordered the filters by it. */
import type { WasmFilterField } from './field.ts';

export const weight: WasmFilterField<'weight'> = { capabilities: {} };
