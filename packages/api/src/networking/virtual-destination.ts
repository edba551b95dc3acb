// VirtualDestination: one name for Services of several clusters, with an order in which they replace each other.
import type { z } from 'zod';
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { atMostOneOf, exactlyOneOf } from '../schema/rule.ts';
import { name, oneOf, port, textLike } from '../schema/scalar.ts';
import { type ClusterObjectRef, clusterObjectRef, type ObjectRef, objectRef } from '../shared/ref.ts';
import { type DestinationSelector, destinationSelector } from '../shared/selector.ts';
import { type PolicyStatus, policyStatusFields } from '../shared/status.ts';
import { type OutlierDetection, outlierDetectionFields } from './traffic/outlier-detection.ts';

/** Protocol of a port; only for HTTP, HTTP2 and GRPC a mesh can see requests. */
export type VirtualPortProtocol = 'HTTP' | 'HTTP2' | 'GRPC' | 'HTTPS' | 'TLS' | 'TCP' | 'MONGO';

/** The port that callers use, and the port of the backend Services; at most one of `targetName` and `targetNumber`. */
export interface VirtualDestinationPort {
  /** The port that callers use. */
  readonly number: number;
  readonly protocol: VirtualPortProtocol;
  /** Name of the port of the Services. */
  readonly targetName?: string;
  /** Number of the port of the Services; omitted, and without `targetName`, it is `number`. */
  readonly targetNumber?: number;
}

/** Meshes listed by name. */
export interface MeshList {
  /** Mesh objects in the namespace of the server, members of one virtual mesh. */
  readonly meshes: readonly ObjectRef[];
}

/** A backend Service. */
export interface StaticDestination {
  readonly kubeService: ClusterObjectRef;
}

/** Services in a fixed order: callers use the first healthy one, wherever they are. */
export interface StaticFailover {
  /** Best first, at most one per cluster. */
  readonly destinations: readonly StaticDestination[];
}

/** A location as in the labels of nodes. */
export interface Locality {
  /** A region of the cloud provider. */
  readonly region: string;
  /** A zone of the region. */
  readonly zone?: string;
  /** A part of the zone. */
  readonly subZone?: string;
}

/** Where callers of a location go when no endpoint near them is healthy. */
export interface FailoverDirective {
  readonly from: Locality;
  /** Best first. */
  readonly to: readonly Locality[];
}

/**
 * Ejects endpoints that keep failing. Slower than for a single Service, since their requests then go to another
 * cluster.
 */
export interface LocalizedOutlierDetection extends OutlierDetection {
  /** Errors in a row before an endpoint is ejected. Default: 10. */
  readonly consecutiveErrors?: number;
  /** Go-style duration between two checks. Default: 5s. */
  readonly interval?: string;
  /** Go-style duration of the first ejection. Default: 2m. */
  readonly baseEjectionTime?: string;
}

/** Services near the caller first: those of its own cluster, then by location. */
export interface LocalizedFailover {
  /** Omitted or empty: every destination; at most one per cluster may be selected. */
  readonly destinationSelectors?: readonly DestinationSelector[];
  /** Omitted or empty: all other regions are equal. */
  readonly failoverDirectives?: readonly FailoverDirective[];
  /** When an endpoint counts as unhealthy. Default: all that its fields mean where they are omitted. */
  readonly outlierDetection?: LocalizedOutlierDetection;
}

/**
 * The name, its callers, and its backends: exactly one of `virtualMesh` and `meshList`, and of `static` and
 * `localized`.
 */
export interface VirtualDestinationSpec {
  /** The host name that callers use: any name of at least two labels, or the own name of the backend Services. */
  readonly hostname: string;
  readonly port: VirtualDestinationPort;
  /** All members can use it. */
  readonly virtualMesh?: ObjectRef;
  readonly meshList?: MeshList;
  readonly static?: StaticFailover;
  readonly localized?: LocalizedFailover;
}

/** Status of the spec, and the effective values for callers. */
export interface VirtualDestinationStatus extends PolicyStatus {
  /** The address of `spec.hostname` in every mesh; absent until it is assigned. */
  readonly address?: string;
  /** The first backend Services, in their order if it is fixed. */
  readonly selectedDestinations?: readonly ClusterObjectRef[];
}

/** One name for Services of several clusters that replace each other. */
export interface VirtualDestination extends KubeObject<VirtualDestinationSpec, VirtualDestinationStatus> {
  readonly apiVersion: typeof NETWORKING_API_VERSION;
  readonly kind: 'VirtualDestination';
}

/** Maximum number of Services in one status. */
export const MAX_SELECTED_DESTINATIONS = 20;

const hostname: z.ZodType<string> = textLike({
  expected: 'a DNS name of at least two parts, such as reviews.global: lower case letters, digits, - and .',
  pattern: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)+$/,
  maxLength: 253,
});

const virtualDestinationPort: z.ZodType<VirtualDestinationPort> = object<VirtualDestinationPort>(
  'VirtualDestinationPort',
  {
    required: { number: port, protocol: oneOf('HTTP', 'HTTP2', 'GRPC', 'HTTPS', 'TLS', 'TCP', 'MONGO') },
    optional: { targetName: name, targetNumber: port },
  },
  [atMostOneOf<VirtualDestinationPort>('targetName', 'targetNumber')],
);

const meshList: z.ZodType<MeshList> = object<MeshList>('MeshList', {
  required: { meshes: list(objectRef, { minimum: 1 }) },
  optional: {},
});

const staticDestination: z.ZodType<StaticDestination> = object<StaticDestination>('StaticDestination', {
  required: { kubeService: clusterObjectRef },
  optional: {},
});

const staticFailover: z.ZodType<StaticFailover> = object<StaticFailover>('StaticFailover', {
  required: { destinations: list(staticDestination, { minimum: 1 }) },
  optional: {},
});

const placeName: z.ZodType<string> = textLike({
  expected: 'the value of a node label, such as us-east-1: letters, digits, -, _ and .',
  pattern: /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
  maxLength: 63,
});

const locality: z.ZodType<Locality> = object<Locality>(
  'Locality',
  { required: { region: placeName }, optional: { zone: placeName, subZone: placeName } },
  [
    {
      message: 'must have a zone where it has a subZone',
      holds: ({ zone, subZone }) => subZone === undefined || zone !== undefined,
      cel: '!has(self.subZone) || has(self.zone)',
    },
  ],
);

const failoverDirective: z.ZodType<FailoverDirective> = object<FailoverDirective>('FailoverDirective', {
  required: { from: locality, to: list(locality, { minimum: 1 }) },
  optional: {},
});

const localizedOutlierDetection: z.ZodType<LocalizedOutlierDetection> = object<LocalizedOutlierDetection>(
  'LocalizedOutlierDetection',
  outlierDetectionFields,
);

const localizedFailover: z.ZodType<LocalizedFailover> = object<LocalizedFailover>('LocalizedFailover', {
  required: {},
  optional: {
    destinationSelectors: list(destinationSelector),
    failoverDirectives: list(failoverDirective, { maximum: 100 }),
    outlierDetection: localizedOutlierDetection,
  },
});

/** Schema of {@link VirtualDestinationSpec}. */
export const virtualDestinationSpec: z.ZodType<VirtualDestinationSpec> = object<VirtualDestinationSpec>(
  'VirtualDestinationSpec',
  {
    required: { hostname, port: virtualDestinationPort },
    optional: { virtualMesh: objectRef, meshList, static: staticFailover, localized: localizedFailover },
  },
  [
    exactlyOneOf<VirtualDestinationSpec>('virtualMesh', 'meshList'),
    exactlyOneOf<VirtualDestinationSpec>('static', 'localized'),
  ],
);

/** Schema of {@link VirtualDestinationStatus}. */
export const virtualDestinationStatus: z.ZodType<VirtualDestinationStatus> = object<VirtualDestinationStatus>(
  'VirtualDestinationStatus',
  {
    required: policyStatusFields.required,
    optional: {
      ...policyStatusFields.optional,
      address: name,
      selectedDestinations: list(clusterObjectRef, { maximum: MAX_SELECTED_DESTINATIONS }),
    },
  },
);
