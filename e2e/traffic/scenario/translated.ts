/** A fleet in short, translated by the product: what its clusters are to hold, and what became of each policy. */
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

const plugins = loadPlugins([{ module: 'istio', plugin: istioPlugin }]);

export interface Translated {
  readonly clusters: ReadonlyMap<string, ClusterState>;
  readonly policies: readonly KubeObject[];
  /** By the names of the policies. */
  readonly statuses: ReadonlyMap<string, ComputedStatus>;
  /** Reports on Settings. */
  readonly settingsNotes: readonly Report[];
}

/** @throws Error where the fleet is misspelled */
export function translated(spec: FleetSpec): Translated {
  const inputs = expandFleet(spec, { type: 'istio', fixture });
  const plane = buildFleet({ ...inputs, plugins, hash: sha256 });
  const clusters = inputs.clusters.map((cluster) => ({ ...cluster, written: writtenIn(cluster.name, plane) }));
  const roots = new Map(clusters.map(({ name, written }) => [name, rootOf(name, written)]));
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

/** What an agent would have to do in a cluster: objects, and patches of users' objects. */
function writtenIn(cluster: string, { desired }: ControlPlane): KubeObject[] {
  return valuesInOrder(desired)
    .filter((one) => one.cluster === cluster)
    .map(({ object }) => object as unknown as KubeObject);
}

/** Those whose certificates a VirtualMesh issues share its root; every other mesh has one of its own. */
function rootOf(cluster: string, written: readonly KubeObject[]): string {
  const certificate = written.find(({ kind }) => kind === 'IssuedCertificate');
  const { issuer } = (certificate?.['spec'] ?? {}) as { readonly issuer?: { readonly virtualMesh?: { name: string } } };
  return issuer?.virtualMesh === undefined ? `mesh of ${cluster}` : `VirtualMesh ${issuer.virtualMesh.name}`;
}

/** The objects of a cluster once its agent has applied what is written. */
function withWritten(objects: readonly KubeObject[], written: readonly KubeObject[]): KubeObject[] {
  const patches = written.filter(isPatch);
  const ours = written.filter((one) => !isPatch(one));
  const names = new Set(ours.map(nameOf));
  const theirs = objects.filter((one) => !names.has(nameOf(one)));
  return [...(patches.length === 0 ? theirs : theirs.map((one) => patched(one, patches))), ...ours];
}

function patched(object: KubeObject, patches: readonly KubeObject[]): KubeObject {
  const { data } = object as KubeObject & { readonly data?: { readonly mesh?: string } };
  if (object.kind !== 'ConfigMap' || data?.mesh === undefined) return object;
  return { ...object, data: { ...data, mesh: patchedMesh(data.mesh, patches) } } as unknown as KubeObject;
}

function nameOf({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): string {
  return JSON.stringify([apiVersion.split('/')[0], kind, namespace, name]);
}
