// XdsConfig: configuration of Envoys as native output. Internal.
import type { z } from 'zod';
import type { AGENT_API_VERSION } from '../group.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength, jsonObject, list, mapOf } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count, name, oneOf, text } from '../schema/scalar.ts';

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

/** A resource of the object that is not in force. */
export interface XdsNack {
  readonly type: XdsResourceType;
  /** As in `spec.resources`. */
  readonly name: string;
  /** Envoy's words, cut; or what the agent found wrong before any Envoy saw it. */
  readonly message: string;
  /** Whose Envoys refuse it, `namespace/serviceaccount`; omitted: it was never sent. */
  readonly by?: string;
}

/** What one replica of the agent knows of the object's resources that are not in force. */
export interface XdsNacks {
  /** The `metadata.generation` they are of. */
  readonly observedGeneration: number;
  /** When it was still so, RFC 3339. */
  readonly seenAt: string;
  /** How many there are. */
  readonly count: number;
  /** The first of them. */
  readonly resources: readonly XdsNack[];
}

/** A workload of which some Envoys do not have the object's extensions as they are. */
export interface XdsLaggingWorkload {
  /** Of the workload. */
  readonly namespace: string;
  /** As its Envoys say it. */
  readonly name: string;
  /** How many of its Envoys have not said yet that they took them. */
  readonly pending: number;
  /** How many refuse one of them, or cannot be sent it. */
  readonly failed: number;
}

/** How far the Envoys of one replica are with the object's extensions. */
export interface XdsAckStatus {
  /** The `metadata.generation` it is of. */
  readonly observedGeneration: number;
  /** When it was still so, RFC 3339. */
  readonly seenAt: string;
  /** Connected Envoys whose listeners name one of the extensions. */
  readonly proxies: number;
  /** Those that have not said yet that they took all of them. */
  readonly pending: number;
  /** Those that refuse one of them, or cannot be sent it. */
  readonly failed: number;
  /** The first workloads of those that are pending or failed, the failed ones before others. */
  readonly workloads: readonly XdsLaggingWorkload[];
}

/** Envoys of one workload. */
export interface XdsWorkloadCount {
  /** Of the workload. */
  readonly namespace: string;
  /** As its Envoys say it. */
  readonly name: string;
  /** How many of its Envoys. */
  readonly count: number;
}

/** How far connected Envoys have answered the object, as the leader of the agents found by asking all replicas. */
export interface XdsAcknowledgement {
  /** The newest `metadata.generation` that all Envoys connected then had answered: taken, or refused. */
  readonly generation: number;
  /** Of a newer generation: the first workloads with Envoys that have not answered it for some seconds. */
  readonly waiting: readonly XdsWorkloadCount[];
  /** Of `spec.proxies`: workloads that have more pods than connected Envoys. */
  readonly disconnected: readonly XdsWorkloadCount[];
  /** Of a newer generation: replicas of the agent that do not say what their Envoys answered. */
  readonly silentReplicas: readonly string[];
}

/** What became of the configuration at the Envoys it is for; where nothing is said it is in force, or nobody has asked for it. */
export interface XdsConfigStatus {
  /** By the name of the replica that serves those Envoys. */
  readonly refused?: Readonly<Record<string, XdsNacks>>;
  /** Of objects with extensions, by the name of the replica. */
  readonly uptake?: Readonly<Record<string, XdsAckStatus>>;
  /** How far connected Envoys have answered it; omitted: nobody has asked them yet. */
  readonly acknowledgement?: XdsAcknowledgement;
}

/** Configuration of Envoys, at most 256 KiB an object, in the agent's namespace. */
export interface XdsConfig extends KubeObject<XdsConfigSpec, XdsConfigStatus> {
  readonly apiVersion: typeof AGENT_API_VERSION;
  readonly kind: 'XdsConfig';
}

const proxy: z.ZodType<XdsProxy> = object<XdsProxy>('XdsProxy', {
  required: { namespace: name, serviceAccount: name, listeners: anyLength(text), clusters: anyLength(text) },
  optional: { workload: name },
});

const resourceType: z.ZodType<XdsResourceType> = oneOf(
  'listener',
  'cluster',
  'routeConfiguration',
  'virtualHost',
  'clusterLoadAssignment',
  'extensionConfig',
);

const resource: z.ZodType<XdsResource> = object<XdsResource>('XdsResource', {
  required: {
    type: resourceType,
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

const rejection: z.ZodType<XdsNack> = object<XdsNack>('XdsNack', {
  required: { type: resourceType, name: text, message: text },
  optional: { by: text },
});

/** How many refused resources of an object are told by a replica. */
export const MAX_XDS_NACKS = 5;

const rejections: z.ZodType<XdsNacks> = object<XdsNacks>('XdsNacks', {
  required: {
    observedGeneration: count,
    seenAt: text,
    count,
    resources: list(rejection, { maximum: MAX_XDS_NACKS }),
  },
  optional: {},
});

/** How many workloads that lag behind are told of an object by a replica. */
export const MAX_LAGGING_WORKLOADS = 20;

const laggingWorkload: z.ZodType<XdsLaggingWorkload> = object<XdsLaggingWorkload>('XdsLaggingWorkload', {
  required: { namespace: text, name: text, pending: count, failed: count },
  optional: {},
});

const uptake: z.ZodType<XdsAckStatus> = object<XdsAckStatus>('XdsAckStatus', {
  required: {
    observedGeneration: count,
    seenAt: text,
    proxies: count,
    pending: count,
    failed: count,
    workloads: list(laggingWorkload, { maximum: MAX_LAGGING_WORKLOADS }),
  },
  optional: {},
});

/** How many replicas of the agent are named. */
export const MAX_SILENT_REPLICAS = 10;

const workloadCount: z.ZodType<XdsWorkloadCount> = object<XdsWorkloadCount>('XdsWorkloadCount', {
  required: { namespace: text, name: text, count },
  optional: {},
});

const acknowledgement: z.ZodType<XdsAcknowledgement> = object<XdsAcknowledgement>('XdsAcknowledgement', {
  required: {
    generation: count,
    waiting: list(workloadCount, { maximum: MAX_LAGGING_WORKLOADS }),
    disconnected: list(workloadCount, { maximum: MAX_LAGGING_WORKLOADS }),
    silentReplicas: list(text, { maximum: MAX_SILENT_REPLICAS }),
  },
  optional: {},
});

/** Schema of {@link XdsConfigStatus}. */
export const xdsConfigStatus: z.ZodType<XdsConfigStatus> = object<XdsConfigStatus>('XdsConfigStatus', {
  required: {},
  optional: { refused: mapOf(rejections), uptake: mapOf(uptake), acknowledgement },
});
