/** What the server knows of a resource: its names, its versions and how writes to it behave. */
import type { FieldError } from '../errors/field-error.ts';
import type { JsonObject, KubeObject, SchemaNode } from '../object.ts';
import type { PrinterColumn } from '../tables/column.ts';

/** The verbs discovery lists. */
export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** Where a scale subresource finds its numbers: JSON paths such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** One version of a resource. */
export interface VersionDefinition {
  readonly name: string;
  /** False: known, kept, but not offered to clients. */
  readonly served: boolean;
  readonly schema: SchemaNode;
  /** Columns of tables, without the leading Name. */
  readonly columns: readonly PrinterColumn[];
  /** Whether `/status` exists, so that status and the rest are written apart. */
  readonly status: boolean;
  readonly scale?: ScalePaths;
  /** Sent as a warning with every reply when the version is deprecated. */
  readonly deprecationWarning?: string;
  /** JSON paths that may be field selectors besides `metadata.name` and `metadata.namespace`. */
  readonly selectableFields: readonly string[];
}

/** A subresource beyond status and scale, as discovery shows it. */
export interface SubresourceDefinition {
  readonly name: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly Verb[];
}

/** What a strategy may ask of its surroundings. */
export interface StrategyContext {
  /** The injected clock, milliseconds. */
  now(): number;
  /** Every stored object of a resource; none when it is not served. */
  list(group: string, plural: string): Iterable<KubeObject>;
}

/** How writes of one resource differ from the plain case. Objects given as `draft` may be changed in place. */
export interface ResourceStrategy {
  /** Whether `metadata.generation` counts changes of the desired state. */
  readonly tracksGeneration: boolean;
  /** The parts even an empty object of the kind has, which so nobody comes to own by creating one. */
  readonly zero?: JsonObject;
  /** The status of a new object. */
  readonly initialStatus?: JsonObject;
  /** A PUT of a missing object creates it. */
  readonly createsOnUpdate?: boolean;
  /** A PUT must carry `metadata.resourceVersion`. */
  readonly requiresResourceVersion?: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** Which names are allowed; a DNS subdomain unless told. */
  readonly nameRule?: 'subdomain' | 'label' | 'service' | 'path';
  /** Defaults that no schema expresses, filled before validation on every write. */
  default?(draft: KubeObject): void;
  /** Sets what the server decides at creation (addresses, phases). */
  prepareCreate?(draft: KubeObject, context: StrategyContext): void;
  /** Carries over what a client may not change. */
  prepareUpdate?(draft: KubeObject, live: KubeObject, context: StrategyContext): void;
  /** True while something other than metadata.finalizers keeps a deleted object from being removed. */
  holdsDeletion?(object: KubeObject): boolean;
  /** Finalizers an object gets when its deletion is asked for. */
  readonly finalizersOnDelete?: readonly string[];
  /** Shows on an object that waits for its removal that it does. */
  markDeleted?(draft: KubeObject): void;
  /** Rules beyond the schema; `live` is the stored object for updates. */
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
  /** The version objects are stored in. */
  readonly storageVersion: string;
  /** True for the instances of a CRD. */
  readonly custom: boolean;
  readonly strategy: ResourceStrategy;
  readonly subresources: readonly SubresourceDefinition[];
}

/** A resource in the version a client asked for. */
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
