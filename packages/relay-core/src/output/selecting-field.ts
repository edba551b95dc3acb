/** The field of a policy that leads to an object on a target: the field to change if the object cannot be applied. */
import type { PolicyRef } from '@meshrelay/api';
import type { TargetKind } from '../resolve/mod.ts';

/** The narrowest field that leads to all objects of the policy on the target. */
export function fieldBehind({ kind }: Pick<PolicyRef, 'kind'>, target: TargetKind): string {
  switch (kind) {
    case 'TrafficPolicy':
    case 'AccessPolicy':
      return 'spec.destinationSelector';
    case 'WasmDeployment':
    case 'AccessLogRecord':
      return 'spec.workloadSelectors';
    case 'VirtualMesh':
      return target === 'Destination' ? 'spec.federation' : 'spec';
    default:
      return 'spec';
  }
}
