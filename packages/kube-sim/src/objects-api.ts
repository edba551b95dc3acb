/** The objects of a simulator for tests and tools in the same process: the verbs of the API without HTTP. */
import type { WriteOptions } from './admission/write-options.ts';
import type { Cluster } from './cluster.ts';
import type { KubeObject } from './object.ts';
import { inVersion } from './resources/convert.ts';
import { parseApiVersion, type ServedResource } from './resources/definition.ts';
import { copyJson } from './schema/json-values.ts';
import { servedAs } from './storage/cluster-store.ts';
import { objectKey } from './storage/object-collection.ts';
import { createObject } from './verbs/create.ts';
import { deleteObject } from './verbs/delete.ts';
import { findObject } from './verbs/read.ts';
import { replaceObject } from './verbs/replace.ts';

/** Names one object. */
export interface ObjectName {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Reads and writes objects. Returned objects must not be changed; errors are {@link StatusError}s. */
export interface ObjectsApi {
  /** Creates an object and returns the stored one. */
  create(object: KubeObject): KubeObject;
  /** The object, or undefined. */
  get(name: ObjectName): KubeObject | undefined;
  /** The objects of a kind by namespace and name, of one namespace if given; none if the kind is not served. */
  list(kind: { readonly apiVersion: string; readonly kind: string }, namespace?: string): readonly KubeObject[];
  /** Replaces an object, or only its status, and returns the stored one. */
  update(object: KubeObject, options?: { readonly subresource?: 'status' }): KubeObject;
  /** Deletes an object. */
  delete(name: ObjectName): void;
}

/** The API over a cluster; writes have the given options. */
export function objectsApi(cluster: Cluster, options: WriteOptions): ObjectsApi {
  const served = ({
    apiVersion,
    kind,
  }: {
    readonly apiVersion: string;
    readonly kind: string;
  }): ServedResource | undefined => {
    const { group, version } = parseApiVersion(apiVersion);
    return cluster.catalog.byKind(group, version, kind);
  };
  return {
    create(object) {
      const { namespace = '' } = object.metadata;
      const resource = servedAs(cluster, object);
      return createObject(cluster, { resource, namespace, name: '', body: copyJson(object), options });
    },
    get(name) {
      const resource = served(name);
      if (resource === undefined) return undefined;
      const found = cluster.store.collection(resource.definition).get(objectKey(name.namespace, name.name));
      return found === undefined ? undefined : inVersion(found, resource);
    },
    list(kind, namespace) {
      const resource = served(kind);
      if (resource === undefined) return [];
      return cluster.store
        .collection(resource.definition)
        .snapshot(namespace)
        .map(([, object]) => inVersion(object, resource));
    },
    update(object, { subresource } = {}) {
      const { namespace = '', name } = object.metadata;
      const resource = servedAs(cluster, object);
      const body = copyJson(object);
      const version = findObject(cluster, { resource, namespace, name })?.metadata.resourceVersion;
      if (version !== undefined) body.metadata.resourceVersion ??= version;
      return replaceObject(cluster, { resource, namespace, name, body, subresource: subresource ?? '', options })
        .object;
    },
    delete({ apiVersion, kind, namespace = '', name }) {
      const resource = servedAs(cluster, { apiVersion, kind, metadata: { name } });
      deleteObject(cluster, { resource, namespace, name }, { dryRun: false, propagation: 'Background' });
    },
  };
}
