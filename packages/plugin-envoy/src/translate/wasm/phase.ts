/** Positions in the filter chain. */
import type { WasmPhase } from '@meshrelay/plugin';
import type { WasmFilterField } from './field.ts';

export const phase: WasmFilterField<'phase'> = { capabilities: { 'wasm.phase': 'native' } };

/** `first`: before all filters that identify callers. `middle`: after those. `last`: right before the router. */
export const PHASES: Readonly<Record<'first' | 'middle' | 'last', ReadonlyArray<WasmPhase | undefined>>> = {
  first: ['AUTHN', 'AUTHZ'],
  middle: ['STATS'],
  last: [undefined],
};
