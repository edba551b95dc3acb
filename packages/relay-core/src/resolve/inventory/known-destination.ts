/** A Service of any cluster, as policies see it. */
import type { DestinationFacts, MeshFacts } from '@meshrelay/plugin';
import type { WorkspaceAccess } from '../workspaces/mod.ts';

/** A destination, in a mesh or not. */
export interface KnownDestination extends Omit<DestinationFacts, 'mesh'>, WorkspaceAccess {
  readonly mesh?: MeshFacts;
}

/** True also of a Service with endpoints that the user maintains. */
export function hasNoPods({ mesh, serviceAccounts, serviceType }: KnownDestination): boolean {
  return mesh === undefined && serviceAccounts.length === 0 && serviceType !== 'EXTERNAL_NAME';
}
