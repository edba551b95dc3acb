/** F38: a user deletes the source of many outputs. This deletion is intended, so the deletions are not held. */
import type { KubeObject } from '@meshrelay/kube-sim';
import { NAMESPACE } from '@meshrelay/local-fleet';
import { isOutput } from '../history/history.ts';
import type { Row } from '../trial/row.ts';
import type { Trial } from '../trial/trial.ts';

const MESH = { apiVersion: 'networking.meshrelay.dev/v1alpha1', kind: 'VirtualMesh' };

export const observedDeletions: Row = {
  id: 'F38',
  title: 'a user takes away what many outputs are made from',
  inject: 'the VirtualMesh is deleted, and made again',
  expect: 'what it was for goes at once, though it is much; it comes back with it (F37 has what must be held)',
  figure: { what: 'outputs gone with their policy', limit: 5_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    const { objects } = fleet.management.sim;
    const [mesh] = objects.list(MESH, NAMESPACE);
    if (mesh === undefined) throw new Error('the fleet has no VirtualMesh');
    const before = count(trial);
    trial.mayDelete(() => true);
    objects.delete({ ...MESH, namespace: NAMESPACE, name: mesh.metadata.name });
    await trial.recovers('outputs gone with their policy', () => count(trial) < 0.8 * before || undefined);
    const { name, namespace = NAMESPACE } = mesh.metadata;
    objects.create({ ...MESH, metadata: { name, namespace }, spec: mesh['spec'] } as unknown as KubeObject);
    await fleet.settled(signal);
    if (count(trial) < before) throw new Error(`of ${before} outputs ${count(trial)} came back`);
  },
};

/** Generated outputs in all clusters. */
function count({ fleet }: Trial): number {
  const all = fleet.workloads.flatMap(({ sim }) => sim.snapshot());
  return all.filter((object) => isOutput({ object })).length;
}
