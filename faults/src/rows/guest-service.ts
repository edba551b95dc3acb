/** A Service that comes and goes in cluster-1 during a row, and what other clusters are told of it. */
import type { KubeObject } from '@meshrelay/kube-sim';
import type { Write } from '../history/history.ts';
import type { Trial } from './trial.ts';

export interface Guest {
  arrive(): void;
  /** From here on its outputs may be deleted. */
  leave(): void;
  /** Whether cluster-2 has outputs of ours that are about it. */
  isKnownElsewhere(): boolean;
}

const NAMESPACE = 'bookshop';

export function guest(trial: Trial, name: string): Guest {
  const { sim } = trial.fleet.cluster('cluster-1');
  const other = trial.fleet.cluster('cluster-2').sim;
  const objects = [deployment(name), service(name)];
  return {
    arrive() {
      for (const object of objects) sim.objects.create(object);
    },
    leave() {
      trial.mayDelete((write) => isAbout(write, name));
      for (const { apiVersion, kind } of objects) sim.objects.delete({ apiVersion, kind, namespace: NAMESPACE, name });
    },
    isKnownElsewhere: () =>
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
