/** What of a policy leads to an object on a target: what to change in the policy where the object cannot be had. */
import type { PolicyRef } from '@meshrelay/api';
import type { TargetKind } from '../resolve/diagnostic.ts';

/** The narrowest field that is behind all objects of the policy there. */
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
