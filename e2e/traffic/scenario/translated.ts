/**
 * A fleet in shorthand, translated by Meshrelay: the desired objects of its clusters, and the status of each policy.
 */
import type { KubeObject, Report } from '@meshrelay/api';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { expandFleet, type FleetSpec, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, type ComputedStatus, type ControlPlane, loadPlugins, valuesInOrder } from '@meshrelay/relay-core';
import { isPatch } from '../../src/istiod/cluster.ts';
import { patchedMesh } from '../../src/istiod/patched-mesh.ts';
import { settingsNotesOf, statusesOf } from '../../src/statuses.ts';
import type { ClusterState } from '../lab/lab-cluster.ts';
import { meshConfigOf } from '../lab/pod-plan.ts';
import { isTrustApart } from './scenario.ts';

/** The root of all meshes that share one. */
const SHARED_ROOT = 'shared';

const plugins = loadPlugins([{ module: 'istio', plugin: istioPlugin }]);

export interface Translated {
  readonly clusters: ReadonlyMap<string, ClusterState>;
  readonly policies: readonly KubeObject[];
  /** By the names of the policies. */
  readonly statuses: ReadonlyMap<string, ComputedStatus>;
  /** Reports on Settings. */
  readonly settingsNotes: readonly Report[];
}

/** @throws Error if the fleet has a syntax error */
export function translated(spec: FleetSpec): Translated {
  const inputs = expandFleet(spec, { type: 'istio', fixture });
  const plane = buildFleet({ ...inputs, plugins, hash: sha256 });
  const clusters = inputs.clusters.map((cluster) => ({ ...cluster, written: writtenIn(cluster.name, plane) }));
  const apart = isTrustApart(spec.management) ? clusters.slice(1).map(({ name }) => name) : [];
  const roots = new Map(clusters.map(({ name }) => [name, apart.includes(name) ? `mesh of ${name}` : SHARED_ROOT]));
  const domains = new Map(
    clusters.map(({ name, objects }) => [name, meshConfigOf(objects).trustDomain ?? 'cluster.local']),
  );
  return {
    policies: inputs.management,
    statuses: statusesOf(plane, inputs.management),
    settingsNotes: settingsNotesOf(plane),
    clusters: new Map(
      clusters.map(({ name, objects, written }) => {
        const root = roots.get(name) ?? '';
        const sharing = [...roots].filter(([, other]) => other === root).map(([cluster]) => domains.get(cluster) ?? '');
        return [name, { objects: withWritten(objects, written), root, trusted: [...new Set(sharing)].sort() }];
      }),
    ),
  };
}

/** An agent's work in a cluster: objects, and patches of users' objects. */
function writtenIn(cluster: string, { desired }: ControlPlane): KubeObject[] {
  return valuesInOrder(desired)
    .filter((one) => one.cluster === cluster)
    .map(({ object }) => object as unknown as KubeObject);
}

/** The objects of a cluster after its agent has applied the outputs. */
function withWritten(objects: readonly KubeObject[], written: readonly KubeObject[]): KubeObject[] {
  const patches = written.filter(isPatch);
  const managed = written.filter((one) => !isPatch(one));
  const names = new Set(managed.map(nameOf));
  const unmanaged = objects.filter((one) => !names.has(nameOf(one)));
  return [...(patches.length === 0 ? unmanaged : unmanaged.map((one) => patched(one, patches))), ...managed];
}

function patched(object: KubeObject, patches: readonly KubeObject[]): KubeObject {
  const { data } = object as KubeObject & { readonly data?: { readonly mesh?: string } };
  if (object.kind !== 'ConfigMap' || data?.mesh === undefined) return object;
  return { ...object, data: { ...data, mesh: patchedMesh(data.mesh, patches) } } as unknown as KubeObject;
}

function nameOf({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): string {
  return JSON.stringify([apiVersion.split('/')[0], kind, namespace, name]);
}
