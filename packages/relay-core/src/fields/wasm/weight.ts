/** spec.weight */
import type { WasmDeploymentSpec } from '@meshrelay/api';
import type { WasmFilterField } from './field.ts';

/** Every mesh with modules supports it. */
export const weight: WasmFilterField<'weight'> = {
  capabilities: {},
  view: (_filter, deployment) => ({ weight: weightOf(deployment) }),
  requires: () => [],
};

export function weightOf({ weight = 0 }: WasmDeploymentSpec): number {
  return weight;
}
