// XdsConfig: configuration of Envoys as native output. Internal.
import type * as z from 'zod/mini';
import type { AGENT_API_VERSION } from '../group.ts';
import type { JsonObject } from '../kube/json.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength, jsonObject, list, mapOf } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count, name, oneOf, text } from '../schema/scalar.ts';

/**
 * Resource types of Envoy, and `virtualHost`: a part of a route configuration that grows with the cluster. Its name is
 * `<route configuration>/<host>`; agents combine all hosts of one route configuration, in the order of their names.
 * Secrets are not a type here: other resources name them, and they are never written to an object.
 */
export type XdsResourceType =
  | 'listener'
  | 'cluster'
  | 'routeConfiguration'
  | 'virtualHost'
  | 'clusterLoadAssignment'
  | 'extensionConfig';

/**
 * Envoys that may request resources, with their first resources. They may also request every resource that these
 * name.
 */
export interface XdsProxy {
  /** Namespace of the ServiceAccount. */
  readonly namespace: string;
  /** The ServiceAccount that the Envoy authenticates as. */
  readonly serviceAccount: string;
  /** Restricts this to Envoys that report this workload; omitted: all of the ServiceAccount. */
  readonly workload?: string;
  /** Names of its listeners. */
  readonly listeners: readonly string[];
  /** Names of clusters that it gets in addition to those that its listeners and routes name. */
  readonly clusters: readonly string[];
}

/** One resource. */
export interface XdsResource {
  readonly type: XdsResourceType;
  /** The name that Envoy requests; the first of its type and name counts, in the order of the objects' names. */
  readonly name: string;
  /** The message of Envoy's API v3 as protobuf JSON; extensions in it have an `@type`. */
  readonly value: JsonObject;
}

/** A part of the configuration of a cluster's Envoys: any part may hold any proxy and any resource. */
export interface XdsConfigSpec {
  readonly proxies?: readonly XdsProxy[];
  readonly resources?: readonly XdsResource[];
}

/** A resource of the object that is not effective. */
export interface XdsNack {
  readonly type: XdsResourceType;
  /** As in `spec.resources`. */
  readonly name: string;
  /** Envoy's error text, shortened; or the agent's, if the agent rejected it before sending. */
  readonly message: string;
  /** `namespace/serviceaccount` of the Envoys that reject it; omitted: it was never sent. */
  readonly by?: string;
}

/** The resources of the object that are not effective, as seen by one replica of the agent. */
export interface XdsNacks {
  /** The `metadata.generation` of the resources. */
  readonly observedGeneration: number;
  /** Last time this was observed, RFC 3339. */
  readonly observedTime: string;
  /** Number of these resources. */
  readonly count: number;
  /** The first of them. */
  readonly resources: readonly XdsNack[];
}

/** A workload with Envoys that have not accepted the object's current extensions. */
export interface XdsLaggingWorkload {
  /** Namespace of the workload. */
  readonly namespace: string;
  /** As its Envoys report it. */
  readonly name: string;
  /** Number of its Envoys that have not acknowledged them yet. */
  readonly pending: number;
  /** Number of its Envoys that reject one of them, or to which one cannot be sent. */
  readonly failed: number;
}

/** State of the object's extensions on the Envoys of one replica. */
export interface XdsAckStatus {
  /** The `metadata.generation` of the extensions. */
  readonly observedGeneration: number;
  /** Last time this was observed, RFC 3339. */
  readonly observedTime: string;
  /** Connected Envoys whose listeners name one of the extensions. */
  readonly proxies: number;
  /** Envoys that have not acknowledged all of them yet. */
  readonly pending: number;
  /** Envoys that reject one of them, or to which one cannot be sent. */
  readonly failed: number;
  /** The first workloads that are pending or failed, failed ones first. */
  readonly workloads: readonly XdsLaggingWorkload[];
}

/** Envoys of one workload. */
export interface XdsWorkloadCount {
  /** Namespace of the workload. */
  readonly namespace: string;
  /** As its Envoys report it. */
  readonly name: string;
  /** Number of its Envoys. */
  readonly count: number;
}

/** Acknowledgements of connected Envoys for the object, collected by the leader of the agents from all replicas. */
export interface XdsAcknowledgement {
  /** The newest `metadata.generation` that all connected Envoys had answered: accepted or rejected. */
  readonly generation: number;
  /** For a newer generation: the first workloads with Envoys that have not answered it for some seconds. */
  readonly waiting: readonly XdsWorkloadCount[];
  /** Workloads in `spec.proxies` that have more pods than connected Envoys. */
  readonly disconnected: readonly XdsWorkloadCount[];
  /** For a newer generation: replicas of the agent that do not report the answers of their Envoys. */
  readonly silentReplicas: readonly string[];
}

/**
 * Status of the configuration on its Envoys; resources without an entry are effective, or no Envoy has requested them.
 */
export interface XdsConfigStatus {
  /** By the name of the replica that serves those Envoys. */
  readonly nacked?: Readonly<Record<string, XdsNacks>>;
  /** For objects with extensions, by the name of the replica. */
  readonly ackStatus?: Readonly<Record<string, XdsAckStatus>>;
  /** How far connected Envoys have answered; omitted: the agent has not collected the answers yet. */
  readonly acknowledgement?: XdsAcknowledgement;
}

/** Configuration of Envoys, at most 256 KiB per object, in the agent's namespace. */
export interface XdsConfig extends KubeObject<XdsConfigSpec, XdsConfigStatus> {
  readonly apiVersion: typeof AGENT_API_VERSION;
  readonly kind: 'XdsConfig';
}

const proxy: z.ZodMiniType<XdsProxy> = object<XdsProxy>('XdsProxy', {
  required: { namespace: name, serviceAccount: name, listeners: anyLength(text), clusters: anyLength(text) },
  optional: { workload: name },
});

const resourceType: z.ZodMiniType<XdsResourceType> = oneOf(
  'listener',
  'cluster',
  'routeConfiguration',
  'virtualHost',
  'clusterLoadAssignment',
  'extensionConfig',
);

const resource: z.ZodMiniType<XdsResource> = object<XdsResource>('XdsResource', {
  required: {
    type: resourceType,
    name: text,
    value: jsonObject,
  },
  optional: {},
});

/** Schema of {@link XdsConfigSpec}. */
export const xdsConfigSpec: z.ZodMiniType<XdsConfigSpec> = object<XdsConfigSpec>('XdsConfigSpec', {
  required: {},
  optional: { proxies: anyLength(proxy), resources: anyLength(resource) },
});

const rejection: z.ZodMiniType<XdsNack> = object<XdsNack>('XdsNack', {
  required: { type: resourceType, name: text, message: text },
  optional: { by: text },
});

/** How many rejected resources of an object a replica reports. */
export const MAX_XDS_NACKS = 5;

const rejections: z.ZodMiniType<XdsNacks> = object<XdsNacks>('XdsNacks', {
  required: {
    observedGeneration: count,
    observedTime: text,
    count,
    resources: list(rejection, { maximum: MAX_XDS_NACKS }),
  },
  optional: {},
});

/** How many lagging workloads of an object a replica reports. */
export const MAX_LAGGING_WORKLOADS = 20;

const laggingWorkload: z.ZodMiniType<XdsLaggingWorkload> = object<XdsLaggingWorkload>('XdsLaggingWorkload', {
  required: { namespace: text, name: text, pending: count, failed: count },
  optional: {},
});

const ackStatus: z.ZodMiniType<XdsAckStatus> = object<XdsAckStatus>('XdsAckStatus', {
  required: {
    observedGeneration: count,
    observedTime: text,
    proxies: count,
    pending: count,
    failed: count,
    workloads: list(laggingWorkload, { maximum: MAX_LAGGING_WORKLOADS }),
  },
  optional: {},
});

/** How many replicas of the agent are named. */
export const MAX_SILENT_REPLICAS = 10;

const workloadCount: z.ZodMiniType<XdsWorkloadCount> = object<XdsWorkloadCount>('XdsWorkloadCount', {
  required: { namespace: text, name: text, count },
  optional: {},
});

const acknowledgement: z.ZodMiniType<XdsAcknowledgement> = object<XdsAcknowledgement>('XdsAcknowledgement', {
  required: {
    generation: count,
    waiting: list(workloadCount, { maximum: MAX_LAGGING_WORKLOADS }),
    disconnected: list(workloadCount, { maximum: MAX_LAGGING_WORKLOADS }),
    silentReplicas: list(text, { maximum: MAX_SILENT_REPLICAS }),
  },
  optional: {},
});

/** Schema of {@link XdsConfigStatus}. */
export const xdsConfigStatus: z.ZodMiniType<XdsConfigStatus> = object<XdsConfigStatus>('XdsConfigStatus', {
  required: {},
  optional: { nacked: mapOf(rejections), ackStatus: mapOf(ackStatus), acknowledgement },
});
