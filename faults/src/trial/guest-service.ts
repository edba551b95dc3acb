/**
 * A Service that a row creates and deletes in one of the clusters with Istio, and the resulting configuration of the
 * other.
 */
import type { KubeObject } from '@meshrelay/kube-sim';
import type { Write } from '../history/history.ts';
import type { Trial } from './trial.ts';

export interface Guest {
  arrive(): void;
  /** From here on its outputs may be deleted. */
  leave(): void;
  /** Whether the other cluster has generated outputs about it. */
  isKnownToPeers(): boolean;
}

const NAMESPACE = 'bookshop';

/** `home` is the cluster in which it runs. */
export function guest(trial: Trial, name: string, home: 'cluster-1' | 'cluster-2' = 'cluster-1'): Guest {
  const { sim } = trial.fleet.cluster(home);
  const other = trial.fleet.cluster(home === 'cluster-1' ? 'cluster-2' : 'cluster-1').sim;
  const objects = [deployment(name), service(name)];
  return {
    arrive() {
      for (const object of objects) sim.objects.create(object);
    },
    leave() {
      trial.mayDelete((write) => isAbout(write, name));
      for (const { apiVersion, kind } of objects) sim.objects.delete({ apiVersion, kind, namespace: NAMESPACE, name });
    },
    isKnownToPeers: () =>
      other.objects
        .list({ apiVersion: 'networking.istio.io/v1', kind: 'ServiceEntry' })
        .some((entry) => JSON.stringify(entry).includes(`${name}.${NAMESPACE}.`)),
  };
}

function isAbout({ object }: Write, name: string): boolean {
  return object.metadata.name.includes(name);
}

function service(name: string): KubeObject {
  const spec = { selector: { app: name }, ports: [{ name: 'http', port: 9080 }] };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: NAMESPACE, labels: { app: name } },
    spec,
  } as unknown as KubeObject;
}

function deployment(name: string): KubeObject {
  const labels = { app: name, version: 'v1' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: `example/${name}:1` }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: NAMESPACE, labels },
    spec,
  } as unknown as KubeObject;
}
