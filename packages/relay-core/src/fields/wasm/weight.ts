/** spec.weight */
import type { WasmDeploymentSpec } from '@meshrelay/api';
import type { WasmFilterField } from './field.ts';

export interface WasmWeightView {
  /** Within a phase, requests pass filters of higher weight first. */
  readonly weight: number;
}

/** Every mesh with modules supports it. */
export const weight: WasmFilterField<WasmWeightView, never> = {
  capabilities: {},
  view: (_filter, deployment) => ({ weight: weightOf(deployment) }),
  requires: () => [],
};

export function weightOf({ weight = 0 }: WasmDeploymentSpec): number {
  return weight;
}
