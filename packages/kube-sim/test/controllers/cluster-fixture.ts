/** A cluster without HTTP with a fixed clock and sequential uids, so that runs can be compared. */
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { Cluster } from '../../src/cluster.ts';
import type { Controller } from '../../src/controllers/controller.ts';
import { type ControllerOptions, startControllers } from '../../src/controllers/start-controllers.ts';
import type { KubeObject } from '../../src/object.ts';
import { builtinDefinitions } from '../../src/resources/builtin/definitions.ts';
import { Catalog } from '../../src/resources/catalog.ts';
import { controllerStore } from '../../src/storage/cluster-store.ts';
import type { ControllerStore, KindRef } from '../../src/storage/controller-store.ts';
import { ObjectStore } from '../../src/storage/object-store.ts';

/** 2026-01-01T00:00:00Z. */
export const NOW = 1_767_225_600_000;

/** A running test cluster. */
export interface TestCluster extends Disposable {
  readonly store: ControllerStore;
  readonly controllers: Controller;
  /** Errors of controllers. */
  readonly faults: string[];
  /** Creates objects and waits for the controllers. */
  apply(...objects: KubeObject[]): Promise<void>;
  /** Changes the spec of an object and waits for the controllers. */
  patchSpec(kind: KindRef, name: string, spec: object): Promise<void>;
  names(kind: KindRef, namespace?: string): string[];
}

/** A store with the built-in kinds and the default namespace. */
export function emptyStore(): ControllerStore {
  const store = new ObjectStore();
  const catalog = new Catalog();
  for (const definition of builtinDefinitions()) {
    catalog.set(definition);
    store.collection(definition);
  }
  let uids = 0;
  const cluster: Cluster = {
    name: 'test',
    clock: { now: () => NOW, schedule: () => ({ [Symbol.dispose]: () => undefined }) },
    store,
    catalog,
    newUid: () => `uid-${++uids}`,
    nameSuffix: () => 'xxxxx',
  };
  const objects = controllerStore(cluster, 'test');
  objects.create(namespace('default'));
  return objects;
}

/** Starts every controller on an empty store. */
export async function startCluster(options: ControllerOptions = {}): Promise<TestCluster> {
  const store = emptyStore();
  const faults: string[] = [];
  const onFault = (error: unknown, what: string): void => {
    faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  };
  const controllers = startControllers(store, { onFault, ...options });
  await controllers.idle();
  return {
    store,
    controllers,
    faults,
    async apply(...objects) {
      for (const object of objects) store.create(object);
      await controllers.idle();
    },
    async patchSpec(kind, name, spec) {
      const live = store.get(kind, { namespace: 'default', name }) as KubeObject;
      store.update({ ...live, spec: { ...live['spec'], ...spec } });
      await controllers.idle();
    },
    names: (kind, ns) => store.list(kind, ns).map(({ metadata }) => metadata.name),
    [Symbol.dispose]: () => controllers[Symbol.dispose](),
  };
}

/** A Namespace. */
export function namespace(name: string, labels: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** The pod template of an application with one container. */
export function template(app: string, image = 'app:1'): object {
  return {
    metadata: { labels: { app } },
    spec: { containers: [{ name: 'main', image, ports: [{ name: 'http', containerPort: 8080 }] }] },
  };
}

/** A workload of the apps group in the default namespace. */
export function workload(kind: string, name: string, spec: object = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
  };
}

/** A Service of the default namespace. */
export function service(name: string, spec: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 'http' }], ...spec },
  };
}

/** The objects of a YAML file, by default in the default namespace. */
export function loadObjects(path: string): KubeObject[] {
  return parseAllDocuments(readFileSync(path, 'utf8'))
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null)
    .map((object) => ({ ...object, metadata: { namespace: 'default', ...object.metadata } }));
}
