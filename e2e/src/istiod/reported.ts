/** The configuration that istiod sends to the proxies of clusters, limited to the parts that tests check. */

import type { IstioCluster } from './cluster.ts';
import type { RbacFilter } from './envoy-access.ts';
import { callIstiod } from './program.ts';

/** Of one cluster. */
export interface Reported {
  /** istiod exited, or why it could not run. */
  readonly error?: string;
  /** Problems that istiod found: by its own metric and the metric's key. */
  readonly problems: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By `<name>.<namespace>` of the pod. */
  readonly proxies: Readonly<Record<string, ReportedProxy>>;
}

/** The configuration of one proxy; empty lists are null. */
export interface ReportedProxy {
  readonly clusters: readonly EnvoyCluster[] | null;
  readonly routes: readonly RouteConfiguration[] | null;
  readonly chains: readonly FilterChain[] | null;
  readonly doors: readonly Door[] | null;
  /** Digest of the whole configuration. */
  readonly digest: string;
}

/** A destination of requests. */
export interface EnvoyCluster {
  readonly name: string;
  readonly sni: string;
  readonly endpoints: ReadonlyArray<{
    readonly address: string;
    readonly port: number;
    readonly priority: number;
  }> | null;
  readonly identities: readonly string[];
  /** The path of its DestinationRule; empty without a DestinationRule. */
  readonly rule: string;
}

/** A filter chain of a listener that does not lead to routes. */
export interface FilterChain {
  readonly listener: string;
  readonly port: number;
  readonly names: readonly string[] | null;
  readonly clusters: readonly string[] | null;
}

/** A port that receives HTTP requests. */
export interface Door {
  readonly port: number;
  /** Whether callers must present an identity. */
  readonly tls: boolean;
  /** The filters that decide on each request, in order, in Envoy's format; null means none. */
  readonly rbac: readonly RbacFilter[] | null;
}

/** In Envoy's format. */
export interface RouteConfiguration {
  readonly name: string;
  readonly virtualHosts?: ReadonlyArray<{
    /** `<host>:<port>`. */
    readonly name: string;
    readonly routes?: readonly Route[];
  }>;
}

interface Route {
  readonly metadata?: { readonly filterMetadata?: { readonly istio?: { readonly config?: string } } };
  readonly route?: {
    readonly cluster?: string;
    readonly weightedClusters?: { readonly clusters: ReadonlyArray<{ readonly name: string }> };
    readonly requestMirrorPolicies?: ReadonlyArray<{ readonly cluster: string }>;
  };
}

/** The configurations for each of these clusters. */
export function reportedBy(clusters: readonly IstioCluster[]): Reported[] {
  return callIstiod('proxies', clusters) as Reported[];
}

/** The configuration of an app pod's proxy. @throws Error if no such proxy connected */
export function proxyOf(proxies: Reported['proxies'], app: string, namespace: string): ReportedProxy {
  const [, found] =
    Object.entries(proxies).find(([name]) => name.startsWith(`${app}-`) && name.endsWith(`.${namespace}`)) ?? [];
  if (found === undefined) throw new Error(`no proxy of ${app} in ${namespace} asked`);
  return found;
}

/** All proxies' configuration, and istiod's problems; undefined for objects that istiod does not read. */
export function allOf({ error = '', problems, proxies }: Reported): string | undefined {
  if (error.startsWith('not of Istio')) return undefined;
  return JSON.stringify([error, problems, Object.entries(proxies ?? {}).map(([name, { digest }]) => [name, digest])]);
}

/** Every Envoy cluster to which a route of an object with this name leads, with the virtual host. */
export function routeTargetsOf(
  { routes }: ReportedProxy,
  isManaged: (config: string) => boolean,
): Array<{ readonly host: string; readonly target: string }> {
  return (routes ?? []).flatMap(({ virtualHosts = [] }) =>
    virtualHosts.flatMap(({ name: host, routes: endpointMultiplicity = [] }) =>
      endpointMultiplicity.flatMap(({ metadata, route = {} }) =>
        isManaged(metadata?.filterMetadata?.istio?.config ?? '')
          ? [
              ...(route.cluster === undefined ? [] : [route.cluster]),
              ...(route.weightedClusters?.clusters ?? []).map(({ name }) => name),
              ...(route.requestMirrorPolicies ?? []).map(({ cluster }) => cluster),
            ].map((target) => ({ host, target }))
          : [],
      ),
    ),
  );
}
