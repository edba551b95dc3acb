/** What istiod tells the proxies of clusters, as far as it is judged here. */

import type { IstioCluster } from './cluster.ts';
import type { RbacFilter } from './envoy-access.ts';
import { askIstiod } from './program.ts';

/** Of one cluster. */
export interface Reported {
  /** That it ended, or why it could not be asked. */
  readonly error?: string;
  /** What it found wrong: by its own metric and what that is about. */
  readonly problems: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By `<name>.<namespace>` of the pod. */
  readonly proxies: Readonly<Record<string, ReportedProxy>>;
}

/** What one proxy is told; lists that are empty are null. */
export interface ReportedProxy {
  readonly clusters: readonly EnvoyCluster[] | null;
  readonly routes: readonly RouteConfiguration[] | null;
  readonly chains: readonly FilterChain[] | null;
  readonly doors: readonly Door[] | null;
  /** Of all of it, in full. */
  readonly digest: string;
}

/** Where requests are sent. */
export interface EnvoyCluster {
  readonly name: string;
  readonly sni: string;
  readonly endpoints: ReadonlyArray<{
    readonly address: string;
    readonly port: number;
    readonly priority: number;
  }> | null;
  readonly identities: readonly string[];
  /** The path of the DestinationRule behind it; empty where there is none. */
  readonly rule: string;
}

/** A way through a listener that leads not to routes. */
export interface FilterChain {
  readonly listener: string;
  readonly port: number;
  readonly names: readonly string[] | null;
  readonly clusters: readonly string[] | null;
}

/** A port that takes HTTP requests in. */
export interface Door {
  readonly port: number;
  /** Whether callers say who they are. */
  readonly tls: boolean;
  /** Who decides on each request, one after the other, as Envoy takes it; none is null. */
  readonly rbac: readonly RbacFilter[] | null;
}

/** As Envoy takes it. */
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

/** What each of these is told. */
export function reportedBy(clusters: readonly IstioCluster[]): Reported[] {
  return askIstiod('proxies', clusters) as Reported[];
}

/** What the proxy of an app's pod is told. @throws Error where none asked */
export function proxyOf(proxies: Reported['proxies'], app: string, namespace: string): ReportedProxy {
  const [, found] =
    Object.entries(proxies).find(([name]) => name.startsWith(`${app}-`) && name.endsWith(`.${namespace}`)) ?? [];
  if (found === undefined) throw new Error(`no proxy of ${app} in ${namespace} asked`);
  return found;
}

/** What proxies are told in all, and what istiod says of it; undefined where it reads no such objects. */
export function allOf({ error = '', problems, proxies }: Reported): string | undefined {
  if (error.startsWith('not of Istio')) return undefined;
  return JSON.stringify([error, problems, Object.entries(proxies ?? {}).map(([name, { digest }]) => [name, digest])]);
}

/** Every Envoy cluster that a route of an object with this name leads to, with the virtual host. */
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
