/** What becomes of a single cluster's objects and the management cluster's policies. */
import type { KubeObject } from '@meshrelay/api';
import { sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, type ControlPlane } from '@meshrelay/relay-core';
import { PLUGINS } from '../running-fleet.ts';

/** The control plane of a fleet of that cluster alone, when it has settled. */
export function planeOf(objects: readonly KubeObject[], management: readonly KubeObject[]): ControlPlane {
  return buildFleet({ clusters: [{ name: 'cluster-1', objects }], management, plugins: PLUGINS, hash: sha256 });
}
