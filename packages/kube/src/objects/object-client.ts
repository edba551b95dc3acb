/** Reads and writes objects of one kind, whatever kind it is. */
import { apiVersionOf, type KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';
import type { KubeConnection } from '../connect/kube-connection.ts';
import { isKubeError, KubeError } from '../errors.ts';
import { pagedList } from './paged-list.ts';
import { collectionPath, describe, type ObjectKey, objectPath } from './resource-path.ts';

/** Which state of an object a write means; the write is refused with RELAY_E_KUBE_CONFLICT when it is another by now. */
export interface ExpectedVersion {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** What every call may be given. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What every write may be given. */
export interface WriteOptions extends CallOptions {
  /** The server judges the write and stores nothing. */
  readonly dryRun?: boolean;
}

/** How an object is applied. */
export interface ApplyOptions extends WriteOptions {
  /** Under which name the fields are owned; `meshrelay-agent` by default. */
  readonly fieldManager?: string;
  /** Takes fields over from other managers instead of failing with RELAY_E_KUBE_FIELD_CONFLICT. */
  readonly force?: boolean;
  /** With a uid the object is not created when it is gone. */
  readonly expected?: ExpectedVersion;
}

/** How an object is deleted. */
export interface DeleteOptions extends WriteOptions {
  readonly expected?: ExpectedVersion;
  /** Who removes dependents; `Background` by default. */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
}

/** How objects are listed. */
export interface ListOptions extends CallOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** The field manager of everything agents write. */
export const fieldManager = 'meshrelay-agent';

/**
 * A client of one kind. Objects come and go as the API server has them, dates as text. All methods reject with KubeError;
 * see its codes for what to do next.
 */
export class ObjectClient {
  readonly kind: ResourceKind;
  readonly #connection: KubeConnection;

  constructor(connection: KubeConnection, kind: ResourceKind) {
    this.#connection = connection;
    this.kind = kind;
  }

  /** The object, or undefined when there is none of this name. */
  async read(key: ObjectKey, { signal }: CallOptions = {}): Promise<KubeObject | undefined> {
    try {
      return await this.#call('GET', 'read', key, { signal });
    } catch (error) {
      if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return undefined;
      throw error;
    }
  }

  /** All objects, complete or not at all. */
  async list(options: ListOptions = {}): Promise<KubeObject[]> {
    return (await pagedList(this.#connection, this.kind, { ...options, take: (object) => object })).items;
  }

  /** Stores a new object; RELAY_E_KUBE_EXISTS when there is one. Unknown fields are refused. */
  create(object: KubeObject, { signal, dryRun }: WriteOptions = {}): Promise<KubeObject> {
    const { metadata } = object;
    return this.#connection.request({
      what: `create ${describe(this.kind, metadata)}`,
      method: 'POST',
      path: collectionPath(this.kind, metadata.namespace),
      query: { fieldManager, fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined },
      body: object,
      signal,
    });
  }

  /** Replaces an object that still has the given object's resourceVersion. */
  async replace(object: KubeObject, { signal, dryRun }: WriteOptions = {}): Promise<KubeObject> {
    if (object.metadata.resourceVersion === undefined) {
      throw new TypeError(`replace ${describe(this.kind, object.metadata)}: no resourceVersion; read the object first`);
    }
    const query = { fieldManager, fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined };
    return await this.#call('PUT', 'replace', object.metadata, { query, body: object, signal });
  }

  /** Makes the object so by server-side apply; what this manager applied before and leaves out now is removed. */
  apply(object: KubeObject, options: ApplyOptions = {}): Promise<KubeObject> {
    return this.#apply(object, undefined, options);
  }

  /** Makes the status so by server-side apply on the status part; everything but metadata and status is left out. */
  applyStatus(
    key: ObjectKey,
    status: unknown,
    options: ApplyOptions & { readonly fieldManager: string },
  ): Promise<KubeObject> {
    const { kind } = this.kind;
    const apiVersion = apiVersionOf(this.kind);
    const { name, namespace } = key;
    const metadata = { name, ...(namespace !== undefined && { namespace }) };
    return this.#apply({ apiVersion, kind, metadata, status } as KubeObject, 'status', options);
  }

  /** Merges a patch into the object: null removes a field, lists are replaced. */
  merge(key: ObjectKey, patch: unknown, { signal, dryRun }: WriteOptions = {}): Promise<KubeObject> {
    return this.#call('PATCH', 'patch', key, {
      query: { fieldManager, fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined },
      body: patch,
      contentType: 'application/merge-patch+json',
      signal,
    });
  }

  /** Merges a patch into the status part of the object. */
  mergeStatus(key: ObjectKey, status: unknown, { signal, dryRun }: WriteOptions = {}): Promise<KubeObject> {
    return this.#call('PATCH', 'patch status of', key, {
      query: { fieldManager, fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined },
      body: { status },
      contentType: 'application/merge-patch+json',
      part: 'status',
      signal,
    });
  }

  /** Deletes the object; `absent` when there was none. With finalizers it may stay a while after `deleted`. */
  async delete(key: ObjectKey, options: DeleteOptions = {}): Promise<'deleted' | 'absent'> {
    const { expected, propagation = 'Background', dryRun, signal } = options;
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: propagation,
      ...(expected !== undefined && { preconditions: expected }),
      ...(dryRun && { dryRun: ['All'] }),
    };
    try {
      await this.#call('DELETE', 'delete', key, { body, signal });
      return 'deleted';
    } catch (error) {
      if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return 'absent';
      throw error;
    }
  }

  async #apply(object: KubeObject, part: string | undefined, options: ApplyOptions): Promise<KubeObject> {
    const { expected, force = false, dryRun, signal } = options;
    // The server refuses a body with managedFields; a resourceVersion or uid in it is a precondition.
    const { managedFields: _, resourceVersion: __, uid: ___, ...metadata } = object.metadata;
    const body = { ...object, metadata: { ...metadata, ...expected } };
    const request = {
      query: {
        fieldManager: options.fieldManager ?? fieldManager,
        fieldValidation: 'Strict',
        force,
        dryRun: dryRun ? 'All' : undefined,
      },
      body,
      contentType: 'application/apply-patch+yaml',
      part,
      signal,
    };
    try {
      return await this.#call('PATCH', part === undefined ? 'apply' : `apply ${part} of`, object.metadata, request);
    } catch (error) {
      throw otherIncarnation(error) ? new KubeError('RELAY_E_KUBE_CONFLICT', error.what, error) : error;
    }
  }

  async #call(
    method: 'GET' | 'PUT' | 'PATCH' | 'DELETE',
    verb: string,
    key: ObjectKey,
    rest: {
      query?: Readonly<Record<string, string | number | boolean | undefined>>;
      body?: unknown;
      contentType?: string;
      part?: string | undefined;
      signal: AbortSignal | undefined;
    },
  ): Promise<KubeObject> {
    const { part, ...request } = rest;
    const path = objectPath(this.kind, key, part);
    return await this.#connection.request({ what: `${verb} ${describe(this.kind, key)}`, method, path, ...request });
  }
}

/** Server-side apply calls a uid that is not the stored one a change of an immutable field. */
function otherIncarnation(error: unknown): error is KubeError {
  return isKubeError(error, 'RELAY_E_KUBE_INVALID') && error.causes.some(({ field }) => field === 'metadata.uid');
}
