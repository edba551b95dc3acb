// XdsConfig: configuration of Envoys as native output. Internal.
import type { z } from 'zod';
import type { AGENT_API_VERSION } from '../group.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength, jsonObject } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { name, oneOf, text } from '../schema/scalar.ts';

/**
 * What Envoy asks for by a type of its own, and `virtualHost`: a part of a route configuration that grows with the cluster. Its name is
 * `<route configuration>/<host>`; agents make that route configuration of all hosts of that name, in the order of their names. Secrets are no such type here: they are named in other resources and never written to an object.
 */
export type XdsResourceType =
  | 'listener'
  | 'cluster'
  | 'routeConfiguration'
  | 'virtualHost'
  | 'clusterLoadAssignment'
  | 'extensionConfig';

/** Who may ask, and what it starts from; what those resources name is its own too. */
export interface XdsProxy {
  /** Namespace of the ServiceAccount. */
  readonly namespace: string;
  /** The ServiceAccount that the Envoy proves to be. */
  readonly serviceAccount: string;
  /** Narrows to Envoys that say they belong to this workload; omitted: all of the ServiceAccount. */
  readonly workload?: string;
  /** Names of its listeners. */
  readonly listeners: readonly string[];
  /** Names of clusters it is given beside those that its listeners and routes name. */
  readonly clusters: readonly string[];
}

/** One resource. */
export interface XdsResource {
  readonly type: XdsResourceType;
  /** The name Envoy asks by; the first of its type and name counts, in the order of the objects' names. */
  readonly name: string;
  /** The message of Envoy's API v3 as protobuf JSON; extensions in it carry `@type`. */
  readonly value: JsonObject;
}

/** A part of the configuration of a cluster's Envoys: any part may hold any proxy and any resource. */
export interface XdsConfigSpec {
  readonly proxies?: readonly XdsProxy[];
  readonly resources?: readonly XdsResource[];
}

/** Configuration of Envoys, at most 256 KiB an object, in the agent's namespace. */
export interface XdsConfig extends KubeObject<XdsConfigSpec, never> {
  readonly apiVersion: typeof AGENT_API_VERSION;
  readonly kind: 'XdsConfig';
}

const proxy: z.ZodType<XdsProxy> = object<XdsProxy>('XdsProxy', {
  required: { namespace: name, serviceAccount: name, listeners: anyLength(text), clusters: anyLength(text) },
  optional: { workload: name },
});

const resource: z.ZodType<XdsResource> = object<XdsResource>('XdsResource', {
  required: {
    type: oneOf('listener', 'cluster', 'routeConfiguration', 'virtualHost', 'clusterLoadAssignment', 'extensionConfig'),
    name: text,
    value: jsonObject,
  },
  optional: {},
});

/** Schema of {@link XdsConfigSpec}. */
export const xdsConfigSpec: z.ZodType<XdsConfigSpec> = object<XdsConfigSpec>('XdsConfigSpec', {
  required: {},
  optional: { proxies: anyLength(proxy), resources: anyLength(resource) },
});
