/** Keys of VirtualDestinations. */
import type { ObjectRef } from '@meshrelay/api';
import type { Key } from '@meshrelay/plugin';
import { policyKey } from '../../store/fleet-state.ts';

/** Where policies look it up: in the management cluster. */
export function virtualDestinationKey({ name, namespace }: ObjectRef): Key {
  return policyKey({ kind: 'VirtualDestination', cluster: '', namespace, name });
}
