/** Invariants of istiod's output for generated objects. Each property returns its violations, one line each. */
import type { KubeObject } from '@meshrelay/api';
import { parse } from 'yaml';
import type { ProcessedCluster, ProcessedFleet } from './fleet.ts';
import { type EnvoyCluster, type ReportedProxy, routeTargetsOf } from './reported.ts';

/** Envoy clusters that every proxy has, or that lead nowhere. */
const BUILT_IN = new Set(['BlackHoleCluster', 'PassthroughCluster', 'InboundPassthroughCluster']);
/** Users' objects of these kinds may take precedence over generated ones; the statuses report it. */
const PRECEDES_MANAGED = new Set([
  'Gateway',
  'ServiceEntry',
  'DestinationRule',
  'VirtualService',
  'Sidecar',
  'EnvoyFilter',
]);
/** The annotation that determines who sees a Service. */
const EXPORT_TO = 'networking.istio.io/exportTo';
/** The label with the target of generated endpoints. */
const CLUSTER = 'meshrelay.dev/cluster';

interface ServiceEntry extends KubeObject {
  readonly spec: {
    readonly hosts: readonly string[];
    readonly addresses?: readonly string[];
    readonly ports?: ReadonlyArray<{ readonly number: number }>;
    readonly endpoints?: ReadonlyArray<{
      readonly address: string;
      readonly labels?: Readonly<Record<string, string>>;
    }>;
  };
}

interface Service extends KubeObject {
  readonly spec: { readonly ports?: ReadonlyArray<{ readonly port: number }> };
}

/** istiod processes all objects, and does not exit. */
export function istiodStaysUp({ name, clusters }: ProcessedFleet): string[] {
  return clusters.flatMap(({ name: cluster, reported: { error } }) =>
    error === undefined ? [] : [`${name}/${cluster}: ${error}`],
  );
}

/**
 * Every generated route leads to endpoints that the proxy knows, or requests would get 503. Statuses report routes to
 * another Service that its owner hides.
 */
export function everyRouteHasEndpoints({ name, clusters }: ProcessedFleet): string[] {
  return clusters.flatMap((cluster) => {
    const hosts = hostsOf(cluster);
    const hidden = hiddenHostsOf(cluster);
    return proxiesOf(cluster).flatMap(([proxy, reported]) => {
      const known = new Set((reported.clusters ?? []).map((one) => one.name));
      return routeTargetsOf(reported, isManagedIn(cluster))
        .filter(({ host, target }) => hosts.has(host) && !known.has(target) && !BUILT_IN.has(target))
        .filter(
          ({ host, target }) =>
            host.startsWith(`${hostOf({ name: target })}:`) || !hidden.has(hostOf({ name: target })),
        )
        .map(
          ({ host, target }) => `${name}/${cluster.name}: ${proxy} sends ${host} to ${target}, which does not exist`,
        );
    });
  });
}

/** Services of a cluster that are not visible everywhere, by their own annotation or the mesh configuration's. */
function hiddenHostsOf({ seen: { mesh, kubernetes } }: ProcessedCluster): Set<string> {
  const { defaultServiceExportTo = ['*'] } = (parse(mesh) ?? {}) as {
    readonly defaultServiceExportTo?: readonly string[];
  };
  const hidden = kubernetes.filter(({ kind, metadata: { annotations } }) => {
    const exportTo = annotations?.[EXPORT_TO]?.split(',') ?? defaultServiceExportTo;
    return kind === 'Service' && !exportTo.includes('*');
  });
  return new Set(
    hidden.map(({ metadata: { name, namespace = 'default' } }) => `${name}.${namespace}.svc.cluster.local`),
  );
}

/** Gateways that pass mutual TLS through have no pods that do not accept it; the statuses report that. */
function hasPodsWithoutMutualTls({ unmanaged }: ProcessedCluster): boolean {
  return unmanaged.some(
    ({ kind, ...object }) => kind === 'PeerAuthentication' && JSON.stringify(object).includes('"DISABLE"'),
  );
}

/**
 * Requests from a proxy to another cluster's gateway are admitted there and reach pods, whose identities the proxy
 * accepts. @returns the violations, and the number of paths
 */
export function everyCallIsAdmitted({ name, clusters }: ProcessedFleet): {
  readonly broken: string[];
  readonly endpointMultiplicity: number;
} {
  const broken: string[] = [];
  let endpointMultiplicity = 0;
  const untouched = clusters.filter(({ unmanaged }) => !unmanaged.some(({ kind }) => PRECEDES_MANAGED.has(kind)));
  for (const cluster of untouched) {
    const leads = leadsOf(cluster, clusters);
    for (const [proxy, reported] of proxiesOf(cluster)) {
      const targets = new Set(routeTargetsOf(reported, isManagedIn(cluster)).map(({ target }) => target));
      for (const one of reported.clusters ?? []) {
        if (isSubset(one) && !targets.has(one.name)) continue;
        for (const target of new Set(
          (one.endpoints ?? []).flatMap(({ address }) => leads.get(`${hostOf(one)} ${address}`) ?? []),
        )) {
          const there = untouched.find((other) => other.name === target);
          const gateways = there === undefined || hasPodsWithoutMutualTls(there) ? [] : gatewaysOf(there);
          if (gateways.length === 0) continue;
          endpointMultiplicity += 1;
          const behind = new Set(gateways.flatMap((gateway) => letIn(gateway, one.sni).map(({ address }) => address)));
          const strangers = there === undefined ? [] : identitiesAt(behind, there).filter((who) => !accepts(one, who));
          if (strangers.length > 0)
            broken.push(
              `${name}/${cluster.name}: ${proxy} takes none of ${target} for ${one.name} that is ${strangers.join(', ')}`,
            );
          if (behind.size === 0)
            broken.push(
              `${name}/${cluster.name}: ${proxy} asks ${target} for ${one.sni}, which no gateway there lets in to pods`,
            );
        }
      }
    }
  }
  return { broken, endpointMultiplicity };
}

/** Some proxy uses every generated route and rule, except those that no proxy can see. */
export function everyObjectHasEffect({ name, clusters }: ProcessedFleet): string[] {
  const untouched = clusters.filter(({ unmanaged }) => !unmanaged.some(({ kind }) => PRECEDES_MANAGED.has(kind)));
  return untouched.flatMap((cluster) => {
    const isSeen = usedIn(cluster);
    return cluster.managed
      .filter((one) => isRule(one) && hasRecipients(one, cluster) && !isSeen(one))
      .map(
        ({ kind, metadata }) =>
          `${name}/${cluster.name}: no proxy goes by ${kind} ${metadata.namespace}/${metadata.name}`,
      );
  });
}

function isRule({ kind }: KubeObject): boolean {
  return kind === 'VirtualService' || kind === 'DestinationRule';
}

/** An object that is hidden from other namespaces may have no proxy in its own. */
function hasRecipients({ metadata, spec }: KubeObject, { seen: { proxies } }: ProcessedCluster): boolean {
  const { exportTo = ['*'] } = spec as { readonly exportTo?: readonly string[] };
  const namespaces = exportTo.map((name) => (name === '.' ? metadata.namespace : name));
  return namespaces.includes('*') || proxies.some(({ namespace }) => namespaces.includes(namespace));
}

function usedIn(cluster: ProcessedCluster): (object: KubeObject) => boolean {
  const used = new Set<string>();
  for (const [, { clusters, routes }] of proxiesOf(cluster)) {
    for (const { rule } of clusters ?? []) used.add(rule.slice(rule.indexOf('/namespaces/')));
    for (const text of JSON.stringify(routes ?? []).matchAll(/(\/namespaces\/[^"]*\/virtual-service\/[^"]*)"/g))
      used.add(text[1] ?? '');
  }
  return (object) => {
    const { kind, metadata } = object;
    const type = kind === 'VirtualService' ? 'virtual-service' : 'destination-rule';
    const path = `/namespaces/${metadata.namespace}/${type}/${metadata.name}`;
    return used.has(path) || routesConnections(object, cluster);
  };
}

interface TcpRoutes {
  readonly hosts?: readonly string[];
  readonly addresses?: readonly string[];
  readonly tcp?: ReadonlyArray<{ readonly route: ReadonlyArray<{ readonly destination: { readonly host: string } }> }>;
}

/**
 * Listeners do not name the VirtualService of a connection: the address of its host leads to one of its destinations.
 */
function routesConnections({ spec }: KubeObject, cluster: ProcessedCluster): boolean {
  const { hosts = [], tcp = [] } = spec as TcpRoutes;
  const targets = tcp.flatMap(({ route }) => route.map(({ destination }) => destination.host));
  const addresses = cluster.managed
    .map((one) => one.spec as TcpRoutes)
    .filter((one) => one.addresses !== undefined && one.hosts?.some((host) => hosts.includes(host)))
    .flatMap((one) => one.addresses ?? []);
  return proxiesOf(cluster).some(([, { chains }]) =>
    (chains ?? []).some(
      ({ listener, clusters }) =>
        addresses.some((address) => listener.startsWith(`${address}_`)) &&
        (clusters ?? []).some((name) => targets.includes(name.slice(name.lastIndexOf('|') + 1))),
    ),
  );
}

/**
 * An address belongs to one host: sidecars listen on it, and it is the only way to identify the host of a connection
 * without a protocol.
 */
export function everyAddressHasOneHost({ name, clusters }: ProcessedFleet): string[] {
  return clusters.flatMap((cluster) => {
    const hosts = new Map<string, string>();
    return cluster.managed.filter(isServiceEntry).flatMap(({ spec }) =>
      (spec.addresses ?? []).flatMap((address) => {
        const host = spec.hosts.join(',');
        const other = hosts.get(address) ?? host;
        hosts.set(address, other);
        return other === host ? [] : [`${name}/${cluster.name}: ${address} is that of ${other} and of ${host}`];
      }),
    );
  });
}

/** No generated object conflicts with any other. */
export function noObjectsConflict({ name, clusters }: ProcessedFleet): string[] {
  return clusters.flatMap((cluster) => {
    const own = cluster.managed.filter(isServiceEntry).flatMap(({ spec }) => spec.hosts);
    const services = new Set([...hostsOf(cluster)].map((host) => host.slice(0, host.lastIndexOf(':'))));
    return Object.entries(cluster.reported.problems).flatMap(([metric, events]) =>
      Object.entries(events)
        .filter(([about, message]) => own.some((host) => `${about} ${message}`.includes(host)))
        .filter(([, message]) => !isHarmless(metric, message, services, own))
        .map(([about, message]) => `${name}/${cluster.name}: ${metric} ${about} ${message}`),
    );
  });
}

/**
 * Accepts names without endpoints, and a second claim of a listener if both claims are one generated name in two
 * entries. Also accepts a Service of the cluster whose port has no protocol, or another, before the generated name for
 * the same pods: it is older.
 */
function isHarmless(metric: string, message: string, services: ReadonlySet<string>, own: readonly string[]): boolean {
  switch (metric) {
    case 'pilot_eds_no_instances':
      return true;
    case 'pilot_conflict_outbound_listener_tcp_over_current_tcp':
      return own.some((host) => message.includes(`(${host})`));
    case 'pilot_conflict_inbound_listener':
      return [...services].some((host) => message.includes(`existing: ${host},`) && !own.includes(host));
    default:
      return false;
  }
}

/** By `<host>:<port>`: everything that callers can address. */
function hostsOf({ seen: { kubernetes, istio } }: ProcessedCluster): Set<string> {
  const services = kubernetes
    .filter((one): one is Service => one.kind === 'Service')
    .flatMap(({ metadata: { name, namespace = 'default' }, spec: { ports = [] } }) =>
      ports.map(({ port }) => `${name}.${namespace}.svc.cluster.local:${port}`),
    );
  const entries = istio
    .filter(isServiceEntry)
    .flatMap(({ spec: { hosts, ports = [] } }) =>
      hosts.flatMap((host) => ports.map(({ number }) => `${host}:${number}`)),
    );
  return new Set([...services, ...entries]);
}

/**
 * Under `<host> <address>`, the cluster to which a generated endpoint leads through a gateway: an address that belongs
 * to no pod.
 */
function leadsOf({ managed }: ProcessedCluster, clusters: readonly ProcessedCluster[]): Map<string, string> {
  const pods = new Set(clusters.flatMap(({ seen }) => seen.proxies.map(({ address }) => address)));
  const leads = new Map<string, string>();
  for (const { spec } of managed.filter(isServiceEntry))
    for (const host of spec.hosts)
      for (const { address, labels = {} } of spec.endpoints ?? []) {
        const cluster = labels[CLUSTER];
        if (cluster !== undefined && !pods.has(address)) leads.set(`${host} ${address}`, cluster);
      }
  return leads;
}

function proxiesOf({ reported: { proxies } }: ProcessedCluster): Array<[string, ReportedProxy]> {
  return Object.entries(proxies ?? {});
}

/** Configuration of its gateways. */
export function gatewaysOf({ seen, reported }: ProcessedCluster): ReportedProxy[] {
  return seen.proxies
    .filter(({ gateway }) => gateway)
    .flatMap(({ name, namespace }) => reported.proxies?.[`${name}.${namespace}`] ?? []);
}

/** Where a gateway sends connections with a server name (SNI). */
export function letIn({ chains, clusters }: ReportedProxy, sni: string): NonNullable<EnvoyCluster['endpoints']> {
  const targets = (chains ?? []).filter(({ names }) => names?.includes(sni)).flatMap(({ clusters: to }) => to ?? []);
  return (clusters ?? []).filter(({ name }) => targets.includes(name)).flatMap(({ endpoints }) => endpoints ?? []);
}

/** Identity of the endpoint: pods of random fleets may share an address, and then it is unknown. */
function identitiesAt(addresses: ReadonlySet<string>, { seen: { mesh, proxies } }: ProcessedCluster): string[] {
  const { trustDomain = 'cluster.local' } = (parse(mesh) ?? {}) as { readonly trustDomain?: string };
  return [...addresses].flatMap((address) => {
    const [pod, ...more] = proxies.filter((one) => one.address === address);
    return pod === undefined || more.length > 0
      ? []
      : [`spiffe://${trustDomain}/ns/${pod.namespace}/sa/${pod.account}`];
  });
}

/** Without a list, any identity of the mesh's known trust domains is accepted. */
function accepts({ identities }: EnvoyCluster, who: string): boolean {
  return identities.length === 0 || identities.includes(who);
}

/** `outbound|<port>|<subset>|<host>`. */
function hostOf({ name }: Pick<EnvoyCluster, 'name'>): string {
  return name.split('|')[3] ?? '';
}

function isSubset({ name }: EnvoyCluster): boolean {
  return (name.split('|')[2] ?? '') !== '';
}

function isServiceEntry(object: KubeObject): object is ServiceEntry {
  return object.kind === 'ServiceEntry';
}

function isManagedIn({ managed }: ProcessedCluster): (config: string) => boolean {
  const configs = new Set(
    managed.map(({ metadata: { namespace, name } }) => `/namespaces/${namespace}/virtual-service/${name}`),
  );
  return (config) => configs.has(config.slice(config.indexOf('/namespaces/')));
}
