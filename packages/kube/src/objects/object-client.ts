/** Reads and writes objects of one kind. */
import { apiVersionOf, type KubeObject } from '@meshrelay/api';
import type { ResourceKind } from '@meshrelay/relay-core';
import type { KubeRequester } from '../connect/kube-request.ts';
import { isKubeError, KubeError } from '../errors.ts';
import { pagedList } from './paged-list.ts';
import { collectionPath, describe, type ObjectKey, objectPath } from './resource-path.ts';

/** The object state that a write expects; a write to another state is rejected with RELAY_E_KUBE_CONFLICT. */
export interface ExpectedVersion {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of every write. */
export interface WriteOptions extends CallOptions {
  /** The server validates the write and stores nothing. */
  readonly dryRun?: boolean;
}

/** Options of apply. */
export interface ApplyOptions extends WriteOptions {
  /** The field manager; `meshrelay-agent` by default. */
  readonly fieldManager?: string;
  /** Takes fields over from other managers instead of failing with RELAY_E_KUBE_FIELD_CONFLICT. */
  readonly force?: boolean;
  /** With a uid, a deleted object is not created again. */
  readonly expected?: ExpectedVersion;
}

/** Options of delete. */
export interface DeleteOptions extends WriteOptions {
  readonly expected?: ExpectedVersion;
  /** Deletion propagation; `Background` by default. */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
}

/** Options of list. */
export interface ListOptions extends CallOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** The field manager of all writes of agents. */
export const fieldManager = 'meshrelay-agent';

/**
 * A client of one kind. Objects are passed as the API server has them, dates as text. All methods reject with
 * KubeError; its codes name the next action.
 */
export class ObjectClient {
  readonly kind: ResourceKind;
  readonly #connection: KubeRequester;

  constructor(connection: KubeRequester, kind: ResourceKind) {
    this.#connection = connection;
    this.kind = kind;
  }

  /** The object, or undefined if it does not exist. */
  async read(key: ObjectKey, { signal }: CallOptions = {}): Promise<KubeObject | undefined> {
    try {
      return await this.#call('GET', 'read', key, { signal });
    } catch (error) {
      if (isKubeError(error, 'RELAY_E_KUBE_NOT_FOUND')) return undefined;
      throw error;
    }
  }

  /** All objects; never a part of them. */
  async list(options: ListOptions = {}): Promise<KubeObject[]> {
    return (await pagedList(this.#connection, this.kind, { ...options, take: (object) => object })).items;
  }

  /** Creates an object; RELAY_E_KUBE_EXISTS if there is one. Unknown fields are rejected. */
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

  /** Applies the object by server-side apply; fields that this manager applied before and now omits are removed. */
  apply(object: KubeObject, options: ApplyOptions = {}): Promise<KubeObject> {
    return this.#apply(object, undefined, options);
  }

  /** Applies the status subresource by server-side apply; everything except metadata and status is omitted. */
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

  /** Merges a patch into the status subresource. */
  mergeStatus(key: ObjectKey, status: unknown, { signal, dryRun }: WriteOptions = {}): Promise<KubeObject> {
    return this.#call('PATCH', 'patch status of', key, {
      query: { fieldManager, fieldValidation: 'Strict', dryRun: dryRun ? 'All' : undefined },
      body: { status },
      contentType: 'application/merge-patch+json',
      part: 'status',
      signal,
    });
  }

  /**
   * Deletes the object; `absent` if it did not exist. With finalizers it may still exist for a while after `deleted`.
   */
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
    // The server rejects a body with managedFields; a resourceVersion or uid in it is a precondition.
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

/** Server-side apply reports a different uid as a change of an immutable field. */
function otherIncarnation(error: unknown): error is KubeError {
  return isKubeError(error, 'RELAY_E_KUBE_INVALID') && error.causes.some(({ field }) => field === 'metadata.uid');
}
