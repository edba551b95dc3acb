/** spec.weight */
import type { WasmFilterField } from './field.ts';

export interface WasmWeightView {
  /** Within a phase, requests pass filters of higher weight first. */
  readonly weight: number;
}

/** Every mesh with modules supports it. */
export const weight: WasmFilterField<WasmWeightView, never> = { capabilities: {}, requires: () => [] };
