/** spec.filters[].phase */
import type { WasmPhase } from '@meshrelay/api';
import type { WasmFilterField } from './field.ts';

export interface WasmPhaseView {
  /** Absent: last, before requests are routed. */
  readonly phase?: WasmPhase;
}

export const phase: WasmFilterField<WasmPhaseView, 'wasm.phase'> = {
  capabilities: { 'wasm.phase': 'spec.filters.phase' },
  view: ({ phase }) => (phase === undefined ? {} : { phase }),
  requires: (filter) => (filter.phase === undefined ? [] : ['wasm.phase']),
};
