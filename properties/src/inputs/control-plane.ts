/** Outputs for the objects of a single cluster and the policies of the management cluster. */
import type { KubeObject } from '@meshrelay/api';
import { sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, type ControlPlane } from '@meshrelay/relay-core';
import { PLUGINS } from '../fleets/running-fleet.ts';

/** The settled control plane of a fleet of that cluster alone. */
export function planeOf(objects: readonly KubeObject[], management: readonly KubeObject[]): ControlPlane {
  return buildFleet({ clusters: [{ name: 'cluster-1', objects }], management, plugins: PLUGINS, hash: sha256 });
}
