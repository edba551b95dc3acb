/** Components of random fleets: their callers and Services, as `scenarios/fleets/random.yaml` defines them. */

import type { Request } from '../../src/istiod/envoy-request.ts';
import type { Caller } from '../../src/istiod/requested.ts';

/** In namespace `shop`. */
export interface Service {
  readonly name: string;
  readonly cluster: string;
  /** One pod each. */
  readonly versions: readonly string[];
  /** Ports of its pods, by the Service's port. */
  readonly ports: Readonly<Record<number, number>>;
}

/** A pod that calls, with the ServiceAccount that it proves. */
export interface Client extends Caller {
  readonly account: string;
}

/** A caller's request to a port of a Service. */
export interface Call {
  readonly caller: Client;
  readonly service: Service;
  readonly port: number;
  /** Whether it uses the federated name: always, for another cluster's Service; else the name in the cluster's DNS. */
  readonly federated: boolean;
  readonly request: Request;
  /** How the application responds: at once; after {@link LATE}; or with {@link FAILURE} to a number of attempts. */
  readonly application: 'at once' | 'late' | number;
}

export const CLUSTERS = ['cluster-1', 'cluster-2', 'cluster-3'] as const;

/** Each cluster has a mesh with its own trust domain. */
export const TRUST_DOMAINS: Readonly<Record<string, string>> = {
  'cluster-1': 'one.example',
  'cluster-2': 'two.example',
  'cluster-3': 'three.example',
};

export const API: Service = { name: 'api', cluster: 'cluster-1', versions: ['v1', 'v2'], ports: { 80: 8080 } };
export const OTHER: Service = { name: 'other', cluster: 'cluster-1', versions: ['v1'], ports: { 80: 8080, 81: 8081 } };
export const AWAY: Service = { name: 'away', cluster: 'cluster-2', versions: ['v1', 'v2'], ports: { 80: 8080 } };
export const FAR: Service = { name: 'far', cluster: 'cluster-3', versions: ['v1'], ports: { 80: 8080 } };
const SERVICES = [API, OTHER, AWAY, FAR];

const CLIENTS: readonly Client[] = [
  { cluster: 'cluster-1', namespace: 'front', account: 'web', labels: { app: 'web', tier: 'front' } },
  { cluster: 'cluster-1', namespace: 'front', account: 'admin', labels: { app: 'admin', tier: 'back' } },
  { cluster: 'cluster-1', namespace: 'batch', account: 'job', labels: { app: 'job', tier: 'back' } },
  { cluster: 'cluster-2', namespace: 'front', account: 'web', labels: { app: 'web', tier: 'front' } },
  { cluster: 'cluster-3', namespace: 'front', account: 'web', labels: { app: 'web', tier: 'front' } },
];

/** Milliseconds after which a late application responds. */
export const LATE = 700;
/** The status of a failing response; no mesh retries such requests unless a policy requires it. */
export const FAILURE = 500;
export const ORIGIN = 'https://one.example';
/** A header of all responses of applications, and its value. */
export const APPLICATION_HEADER = 'x-server-header';
export const APPLICATION_VALUE = 'application';

export const servicesIn = (clusters: readonly string[]): Service[] =>
  SERVICES.filter(({ cluster }) => clusters.includes(cluster));

export const clientsIn = (clusters: readonly string[]): Client[] =>
  CLIENTS.filter(({ cluster }) => clusters.includes(cluster));

/** @throws Error if there is no such Service */
export function serviceNamed(name: string, cluster: string): Service {
  const found = SERVICES.find((service) => service.name === name && service.cluster === cluster);
  if (found === undefined) throw new Error(`random fleets have no Service ${name} in ${cluster}`);
  return found;
}

/** As applications name themselves in their responses. */
export function podsOf({ name, cluster, versions }: Service, version?: string): string[] {
  return versions.filter((one) => version === undefined || one === version).map((one) => `${name}-${one}.${cluster}`);
}

/** The pod of a caller, in the scenarios' syntax. */
export const podOf = ({ labels, namespace, cluster }: Client): string => `${labels['app']}-v1.${namespace}@${cluster}`;
