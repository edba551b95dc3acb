/** The field of a policy that selects a target: the field to change if an object for the target cannot be applied. */
import type { PolicyRef } from '@meshrelay/api';
import type { TargetKind } from '../resolve/mod.ts';

/** The narrowest field because of which the policy generates objects for the target. */
export function selectingField({ kind }: Pick<PolicyRef, 'kind'>, target: TargetKind): string {
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
