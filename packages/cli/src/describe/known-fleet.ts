/**
 * Input of `describe`: discovered objects and policies with their statuses, from a fleet in memory or from an API
 * server.
 */
import type {
  Destination,
  KubeObject,
  Mesh,
  PolicyRef,
  VirtualDestinationStatus,
  WasmDeploymentStatus,
  Workload,
} from '@meshrelay/api';
import { type ControlPlane, type DiscoveredObject, valuesInOrder } from '@meshrelay/relay-core';

/** Statuses of virtual destinations and Wasm deployments have more fields than others. */
type KnownStatus = VirtualDestinationStatus & WasmDeploymentStatus;

/** A policy with its status. */
export interface KnownPolicy {
  readonly ref: PolicyRef;
  readonly status?: Omit<KnownStatus, 'conditions'> & {
    readonly conditions: ReadonlyArray<Omit<KnownStatus['conditions'][number], 'lastTransitionTime'>>;
  };
}

export interface KnownFleet {
  readonly meshes: readonly Mesh[];
  readonly workloads: readonly Workload[];
  readonly destinations: readonly Destination[];
  readonly policies: readonly KnownPolicy[];
}

/** The fleet of the offline commands. */
export function fleetOfPlane(plane: ControlPlane): KnownFleet {
  const shown = plane.shown.activate();
  const discovered = [...shown.discovered.entries()].map(([id, object]): DiscoveredObject => {
    const status = shown.statuses.get(id);
    return status === undefined ? object : ({ ...object, status } as DiscoveredObject);
  });
  return {
    ...byKind(discovered),
    policies: valuesInOrder(plane.statuses).map(({ ref, status }) => ({ ref, status })),
  };
}

/** The fleet from its objects in the management cluster. */
export function fleetOfObjects(discovered: readonly KubeObject[], policies: readonly KubeObject[]): KnownFleet {
  return {
    ...byKind(discovered as readonly DiscoveredObject[]),
    policies: policies.map(({ kind, metadata, status }): KnownPolicy => {
      const ref = { kind, cluster: '', namespace: metadata.namespace ?? '', name: metadata.name };
      return status === undefined ? { ref } : { ref, status: status as KnownStatus };
    }),
  };
}

function byKind(objects: readonly DiscoveredObject[]): Omit<KnownFleet, 'policies'> {
  const sorted = objects.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return {
    meshes: sorted.filter((object): object is Mesh => object.kind === 'Mesh'),
    workloads: sorted.filter((object): object is Workload => object.kind === 'Workload'),
    destinations: sorted.filter((object): object is Destination => object.kind === 'Destination'),
  };
}
