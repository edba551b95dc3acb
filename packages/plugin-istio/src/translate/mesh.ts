/** A mesh in its virtual mesh: its gateways, and the settings for all its workloads. */
import type { MeshView, Output } from '@meshrelay/plugin';
import { reportRefusedByDefault } from './inbound-mtls.ts';
import { usersObjects } from './users-objects.ts';
import { translateFields } from './virtual-mesh/mod.ts';

export function translateMesh(view: MeshView, out: Output): void {
  translateFields(view, out);
  usersObjects(view, out);
  reportRefusedByDefault(view, out);
}
