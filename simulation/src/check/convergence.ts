/**
 * Objects that every cluster must have after all faults: a translation from scratch of the objects in the API servers.
 */
import type { KubeObject } from '@meshrelay/api';
import { sha256 } from '@meshrelay/host/hash';
import { buildFleet } from '@meshrelay/relay-core';
import { MANAGEMENT, type SimFleet } from '../fleet/fleet.ts';
import { PLUGINS, SHEET } from '../fleet/minimal-mesh.ts';
import { NAMESPACE } from '../fleet/objects.ts';
import { contentOf, isManaged } from './managed.ts';

/** By cluster: objects by name, each with its content. */
export type Outputs = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Objects that registered, unsuspended clusters must have. Translation is slow; call it when the fleet no longer
 * changes.
 */
export function expectedOutputs(fleet: SimFleet): Outputs {
  const management = [...fleet.api(MANAGEMENT).all()].map(([, object]) => object).filter(isManagedObject);
  const registered = management.flatMap(({ kind, metadata }) => (kind === 'KubernetesCluster' ? [metadata.name] : []));
  const clusters = registered.map((name) => ({ name, objects: usersObjects(fleet, name) }));
  const { desired } = buildFleet({ plugins: PLUGINS, hash: sha256, namespace: NAMESPACE, clusters, management });
  const expected = new Map(registered.map((name) => [name, new Map<string, string>()]));
  for (const [, { cluster, object }] of desired.entries()) {
    const { namespace = '', name } = object.metadata;
    expected.get(cluster)?.set(`${namespace}/${name}`, contentOf(object));
  }
  for (const { kind, metadata, spec } of management)
    if (kind === 'KubernetesCluster' && (spec as { suspended?: boolean }).suspended === true)
      expected.delete(metadata.name);
  return expected;
}

/** Generated objects of a cluster, by name. */
export function presentOutputs(fleet: SimFleet, cluster: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, object] of fleet.api(cluster).all()) {
    const { namespace = '', name } = object.metadata;
    if (isManaged(object)) found.set(`${namespace}/${name}`, contentOf(object));
  }
  return found;
}

/** Whether a cluster has a generated object, by `namespace/name`. */
export function hasOutput(fleet: SimFleet, cluster: string, id: string): boolean {
  const [namespace = '', name = ''] = id.split('/');
  return isManaged(fleet.api(cluster).get(`${SHEET.group}/${SHEET.plural}`, namespace, name));
}

/** Differences between the objects that clusters have and those they must have. */
export function differences(fleet: SimFleet, expected: Outputs): string[] {
  return [...expected].flatMap(([cluster, expectedText]) => {
    const present = presentOutputs(fleet, cluster);
    const missing = [...expectedText.keys()].filter((id) => !present.has(id)).map((id) => `${cluster} lacks ${id}`);
    const orphans = [...present.keys()].filter((id) => !expectedText.has(id)).map((id) => `${cluster} still has ${id}`);
    const others = [...expectedText]
      .filter(([id, content]) => present.has(id) && present.get(id) !== content)
      .map(([id]) => `${cluster} has another ${id}`);
    return [...missing, ...orphans, ...others];
  });
}

function usersObjects(fleet: SimFleet, cluster: string): KubeObject[] {
  return [...fleet.api(cluster).all()].map(([, object]) => object).filter((object) => !isManaged(object));
}

function isManagedObject({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion.includes('meshrelay.dev') && !['Mesh', 'Workload', 'Destination'].includes(kind);
}
