/** Definition of a resource: its names, its versions and the behaviour of writes. */
import type { FieldError } from '../errors/field-error.ts';
import type { JsonObject, KubeObject, SchemaNode } from '../object.ts';
import type { PrinterColumn } from '../tables/column.ts';

/** The verbs discovery lists. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** Fields of a scale subresource: JSON paths such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** One version of a resource. */
export interface VersionDefinition {
  readonly name: string;
  /** False: known and stored, but not served. */
  readonly served: boolean;
  readonly schema: SchemaNode;
  /** Columns of tables, without the leading Name. */
  readonly columns: readonly PrinterColumn[];
  /** Whether `/status` exists, so that status and the rest are written separately. */
  readonly status: boolean;
  readonly scale?: ScalePaths;
  /** Sent as a warning with every reply if the version is deprecated. */
  readonly deprecationWarning?: string;
  /** JSON paths of field selectors in addition to `metadata.name` and `metadata.namespace`. */
  readonly selectableFields: readonly string[];
}

/** A subresource other than status and scale, as in discovery. */
export interface SubresourceDefinition {
  readonly name: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly Verb[];
}

/** The environment of a strategy. */
export interface StrategyContext {
  /** The injected clock, milliseconds. */
  now(): number;
  /** Every stored object of a resource; none if it is not served. */
  list(group: string, plural: string): Iterable<KubeObject>;
}

/** Special behaviour of writes of one resource. Objects passed as `draft` may be changed in place. */
export interface ResourceStrategy {
  /** Whether `metadata.generation` counts changes of the desired state. */
  readonly tracksGeneration: boolean;
  /** The parts that even an empty object of the kind has, so that its creator does not own them. */
  readonly zero?: JsonObject;
  /** The status of a new object. */
  readonly initialStatus?: JsonObject;
  /** A PUT of a missing object creates it. */
  readonly createsOnUpdate?: boolean;
  /** A PUT must contain `metadata.resourceVersion`. */
  readonly requiresResourceVersion?: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** Rule for names; default: a DNS subdomain. */
  readonly nameRule?: 'subdomain' | 'label' | 'service' | 'path';
  /** Defaults that no schema expresses, filled in before validation on every write. */
  default?(draft: KubeObject): void;
  /** Sets server-assigned fields at creation (addresses, phases). */
  prepareCreate?(draft: KubeObject, context: StrategyContext): void;
  /** Restores fields that a client may not change. */
  prepareUpdate?(draft: KubeObject, live: KubeObject, context: StrategyContext): void;
  /** True while something other than metadata.finalizers prevents the removal of a deleted object. */
  holdsDeletion?(object: KubeObject): boolean;
  /** Finalizers that an object gets when its deletion is requested. */
  readonly finalizersOnDelete?: readonly string[];
  /** Marks an object that waits for its removal. */
  markDeleted?(draft: KubeObject): void;
  /** Rules that the schema cannot express; `live` is the stored object for updates. */
  validate?(object: KubeObject, live: KubeObject | undefined, context: StrategyContext): FieldError[];
}

/** A resource with all its versions. */
export interface ResourceDefinition {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  readonly versions: readonly VersionDefinition[];
  /** The storage version. */
  readonly storageVersion: string;
  /** True for the instances of a CRD. */
  readonly custom: boolean;
  readonly strategy: ResourceStrategy;
  readonly subresources: readonly SubresourceDefinition[];
}

/** A resource in the version that a client requested. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
}

/** `apiVersion` of a group and version: `v1`, `apps/v1`. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Group and version of an `apiVersion`. */
export function parseApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The key of a resource in maps: `pods`, `deployments.apps`. */
export function resourceKey(resource: { readonly group: string; readonly plural: string }): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}
