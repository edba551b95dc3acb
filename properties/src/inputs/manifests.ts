/**
 * A cluster from a folder of manifests: users' objects, a control plane, and the pods that controllers would create.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import * as istio from '@meshrelay/plugin-istio/fixture';
import * as osm from '@meshrelay/plugin-osm/fixture';
import type { PodController } from '@meshrelay/relay-core';
import { parseAllDocuments } from 'yaml';

export interface InputCluster {
  /** As written by users, each object once. */
  readonly users: readonly KubeObject[];
  /** These objects, and those that a running cluster has in addition. */
  readonly objects: readonly KubeObject[];
}

/** Folders of `inputs/` in the shared data, and the mesh of each cluster. */
export const INPUT_FOLDERS = [
  ['bookinfo', 'istio'],
  ['istio-samples', 'istio'],
  ['online-boutique', 'istio'],
  ['osm-bookstore', 'osm'],
] as const;

/** Reads every manifest in the folder. Of several objects with one name, the first is used. */
export function clusterOf(folder: string, mesh: 'istio' | 'osm'): InputCluster {
  const fixture = mesh === 'istio' ? istio : osm;
  const found = new Map<string, KubeObject>();
  for (const object of filesIn(folder).flatMap(objectsIn)) {
    const { kind, metadata } = object;
    const id = `${object.apiVersion.split('/')[0]} ${kind} ${metadata.namespace}/${metadata.name}`;
    if (!found.has(id)) found.set(id, object);
  }
  const users = [...found.values()];
  const pods = users.filter(({ kind }) => kind === 'Deployment').map((one) => fixture.injected(podOf(one)));
  return { users, objects: [...users, ...fixture.controlPlane({}), ...pods] };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return filesIn(path);
      return /\.ya?ml$/.test(name) ? [path] : [];
    });
}

function objectsIn(path: string): KubeObject[] {
  return parseAllDocuments(readFileSync(path, 'utf8'))
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object): object is KubeObject => object?.metadata?.name !== undefined)
    .map((object) => ({ ...object, metadata: { namespace: 'default', ...object.metadata } }));
}

function podOf(deployment: KubeObject): KubeObject {
  const { name, namespace } = deployment.metadata;
  const template = (deployment as PodController).spec?.template;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${name}-0`, namespace, labels: template?.metadata?.labels ?? {} },
    spec: { containers: [], ...template?.spec, nodeName: 'node-1' },
    status: { phase: 'Running', podIP: '10.0.0.1' },
  } as unknown as KubeObject;
}
