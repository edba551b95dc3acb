/** POST: creates an object. */
import { requireNamespace } from '../admission/namespace-lifecycle.ts';
import { fillNullItems } from '../admission/null-items.ts';
import { reportFaults, shape, undecodable } from '../admission/shape.ts';
import { trackCreate } from '../admission/track-create.ts';
import { wrongType } from '../admission/typed-values.ts';
import { validateObject } from '../admission/validate-object.ts';
import type { WriteOptions } from '../admission/write-options.ts';
import { timestamp } from '../clock.ts';
import { type Cluster, strategyContext } from '../cluster.ts';
import { alreadyExists, beingDeleted, plainError } from '../errors/api-errors.ts';
import type { Json, KubeObject, StatusError } from '../object.ts';
import { inStorageVersion } from '../resources/catalog.ts';
import { inVersion, markShaped } from '../resources/convert.ts';
import type { ServedResource } from '../resources/definition.ts';
import { copyJson } from '../schema/json-values.ts';
import { objectKey } from '../storage/object-collection.ts';
import { identify, type Target } from './identity.ts';

/** The longest prefix of a generated name, so that name and suffix fit in 63 characters. */
const LONGEST_PREFIX = 58;

/** An object to be created. `body` is consumed and changed. */
export interface CreateRequest extends Target {
  readonly body: KubeObject;
  /** Faults found while reading the body (duplicate fields). */
  readonly faults?: readonly string[];
  readonly options: WriteOptions;
  /** True if managedFields are already those of a server-side apply. */
  readonly applied?: boolean;
}

/**
 * Creates an object and returns the stored one in the requested version.
 * @throws StatusError 400, 403, 404 (namespace), 409, 422 or 500, like the API
 */
export function createObject(cluster: Cluster, request: CreateRequest): KubeObject {
  const { resource, options } = request;
  const { definition } = resource;
  let draft = request.body;
  identify(draft, request);
  if (draft.metadata.resourceVersion !== undefined && draft.metadata.resourceVersion !== '' && request.applied !== true)
    throw plainError('resourceVersion should not be set on objects to be created');
  generateName(cluster, draft);
  if (definition.namespaced) requireNamespace(cluster, definition, draft.metadata.namespace ?? '', draft.metadata.name);

  if (!definition.custom) fillNullItems(draft as Json, resource.version.schema);
  const mistyped = definition.custom ? undefined : wrongType(draft, resource.version.schema);
  if (mistyped !== undefined) throw undecodable(resource, mistyped);
  begin(cluster, draft, resource);
  const faults = [...(request.faults ?? []), ...shape(draft, resource, request.applied)];
  if (request.applied !== true) reportFaults(faults, options, (text) => undecodable(resource, text));
  if (request.applied !== true) draft = trackCreate(cluster, draft, resource, options);
  prepare(cluster, draft, resource);
  validateObject(cluster, resource, draft);

  const existing = cluster.store.collection(definition).get(objectKey(draft.metadata.namespace, draft.metadata.name));
  if (existing !== undefined) throw taken(resource, existing);
  if (options.dryRun) return draft;
  markShaped(draft, resource);
  const stored = inVersion(draft, inStorageVersion(definition));
  markShaped(stored, inStorageVersion(definition));
  return inVersion(cluster.store.put(definition, stored), resource);
}

function generateName(cluster: Cluster, draft: KubeObject): void {
  const prefix = draft.metadata.generateName;
  if (draft.metadata.name !== '' || prefix === undefined || prefix === '') return;
  draft.metadata.name = prefix.slice(0, LONGEST_PREFIX) + cluster.nameSuffix();
}

/** Sets server-owned fields, overriding the client's. */
function begin(cluster: Cluster, draft: KubeObject, { definition, version }: ServedResource): void {
  const {
    name,
    generateName: prefix,
    namespace,
    labels,
    annotations,
    finalizers,
    ownerReferences,
    managedFields,
  } = draft.metadata;
  draft.metadata = {
    name,
    ...(prefix === undefined ? {} : { generateName: prefix }),
    ...(namespace === undefined ? {} : { namespace }),
    uid: cluster.newUid(),
    ...(definition.strategy.tracksGeneration ? { generation: 1 } : {}),
    creationTimestamp: timestamp(cluster.clock.now()),
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
    ...(finalizers ? { finalizers } : {}),
    ...(ownerReferences ? { ownerReferences } : {}),
    ...(managedFields ? { managedFields } : {}),
  };
  if (version.status) delete draft['status'];
}

/** Fields that the server adds have no owner. */
function prepare(cluster: Cluster, draft: KubeObject, { definition: { strategy } }: ServedResource): void {
  if (strategy.initialStatus !== undefined) draft['status'] = copyJson(strategy.initialStatus);
  strategy.prepareCreate?.(draft, strategyContext(cluster));
}

function taken({ definition }: ServedResource, existing: KubeObject): StatusError {
  const { name, deletionTimestamp } = existing.metadata;
  return deletionTimestamp === undefined ? alreadyExists(definition, name) : beingDeleted(definition, name);
}
