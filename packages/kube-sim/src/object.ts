/**
 * The types shared by all parts of the simulator: JSON objects of Kubernetes, their schemas, and the errors of the API.
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. Members set to undefined are absent when serialised. */
export interface JsonObject {
  [key: string]: Json;
}

/** One owner of an object, as in `metadata.ownerReferences`. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/**
 * One entry of `metadata.managedFields`. `time` is RFC 3339 in whole seconds; `fieldsV1` is the set of owned fields.
 */
export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time?: string;
  fieldsType: 'FieldsV1';
  fieldsV1: JsonObject;
  subresource?: string;
}

/** The `metadata` of a stored object: the server sets `name`, `uid`, `resourceVersion` and `creationTimestamp`. */
export interface ObjectMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  /** Incremented when the desired state changes. */
  generation?: number;
  /** RFC 3339, whole seconds. */
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFieldsEntry[];
}

/**
 * A Kubernetes object. Stored objects are never mutated: a change creates a new object that may share unchanged parts.
 */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  // biome-ignore lint/suspicious/noExplicitAny: kinds differ in every other field; each reader narrows what it reads
  [field: string]: any;
}

/** One reason of a failed request, as in `details.causes`. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** The `details` of a `Status` about the object of the failed request. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** The failure part of a `Status`: HTTP code, machine-readable reason and message. */
export interface ApiError {
  code: number;
  /** Empty where the real server gives none (500 of a typed patch that cannot be applied). */
  reason: string;
  message: string;
  details?: StatusDetails;
  /** Set on an expired continue token: a token with which the list continues without consistency. */
  continueToken?: string;
}

/** The only error of the simulator; the HTTP layer converts it to a `Status` body. */
export class StatusError extends Error {
  readonly status: ApiError;

  constructor(status: ApiError) {
    super(status.message);
    this.name = 'StatusError';
    this.status = status;
  }
}

/** A structural OpenAPI v3 schema, with the Kubernetes extensions for merging, pruning and defaulting. */
export interface SchemaNode {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  title?: string;
  description?: string;
  properties?: { [name: string]: SchemaNode };
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
  required?: string[];
  default?: Json;
  nullable?: boolean;
  enum?: Json[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
  allOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  not?: SchemaNode;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: 'granular' | 'atomic';
  /** Built-in kinds only: the key by which a strategic merge patch matches list items. */
  'x-kubernetes-patch-merge-key'?: string;
  /** Built-in kinds only: `merge`, `replace`, `retainKeys`, or two of them separated by a comma. */
  'x-kubernetes-patch-strategy'?: string;
  /** CEL rules: stored, never evaluated here. */
  'x-kubernetes-validations'?: JsonObject[];
}
