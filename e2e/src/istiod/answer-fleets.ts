/**
 * Random fleets in which the responding endpoint is not obvious: gateways of all sorts, Services in several clusters,
 * traffic shifts, names for several Services.
 */
import type { ClusterSpec, FleetSpec } from '@meshrelay/plugin-kit';
import fc from 'fast-check';
import { CONTROL_PLANE, GATEWAY, gatewaySpec, meshOf } from './members.ts';
import type { Gateways } from './who-answers.ts';

export const CLUSTERS = ['cluster-1', 'cluster-2', 'cluster-3'] as const;
export const SERVICES = ['api', 'data'] as const;
export const VIRTUAL = ['first', 'second', 'own'] as const;
/** The name of a Service, which a virtual destination may have instead. */
export const OWN_NAME = 'data.shop.svc.cluster.local';
export const HTTP_PORT = 80;
export const POD_PORT = 8080;

export type ClusterName = (typeof CLUSTERS)[number];
export type VirtualName = (typeof VIRTUAL)[number];

/** In namespace `shop`. */
export interface Service {
  readonly name: (typeof SERVICES)[number];
  readonly clusterName: ClusterName;
}

/** Target of a traffic shift. */
type Target = (Service & { readonly version: string | undefined }) | { readonly virtual: 'first' | 'second' };

interface Shift {
  readonly of: Service;
  readonly targets: readonly Target[];
}

/** A name for several Services, one in each cluster. */
interface Virtual {
  readonly members: readonly Service[];
  /** The listed order, for every caller; else the caller's own first. */
  readonly isOrdered: boolean;
}

interface Cluster {
  readonly region: string;
  readonly gateway: 'address' | 'name' | 'node';
  /** Versions of the pods; absent: no such Service. */
  readonly api: readonly string[] | undefined;
  readonly data: readonly string[] | undefined;
}

export interface Fixture {
  readonly clusters: readonly Cluster[];
  readonly isFlat: boolean;
  readonly suffix: string | undefined;
  /** Federated Services and their consumers; absent: all Services to all clusters. */
  readonly selected: { readonly name: Service['name']; readonly to: readonly ClusterName[] } | undefined;
  readonly shifts: readonly Shift[];
  readonly virtual: { readonly [N in VirtualName]: Virtual | undefined };
}

const one = fc.constantFrom;

const clusters: fc.Arbitrary<Cluster> = fc.record({
  region: one('east', 'west'),
  gateway: one('address', 'address', 'name', 'node'),
  api: one(['v1'], ['v1', 'v2'], ['v1', 'v2', 'v3'], undefined),
  data: one(['v1'], ['v1', 'v2'], undefined),
});

const services: fc.Arbitrary<Service> = fc.record({ name: one(...SERVICES), clusterName: one(...CLUSTERS) });

const targets: fc.Arbitrary<Target> = fc.oneof(
  { weight: 3, arbitrary: services.chain((of) => one('v1', 'v2', undefined).map((version) => ({ ...of, version }))) },
  { weight: 1, arbitrary: one('first', 'second').map((virtual) => ({ virtual })) },
);

const inAll = (name: Service['name']): Service[] => CLUSTERS.map((clusterName) => ({ name, clusterName }));

const virtuals: fc.Arbitrary<Virtual> = fc.oneof(
  fc
    .uniqueArray(services, { minLength: 1, maxLength: 3, selector: ({ clusterName }) => clusterName })
    .map((members) => ({ members, isOrdered: true })),
  one(...SERVICES).map((name) => ({ members: inAll(name), isOrdered: false })),
);

const own: fc.Arbitrary<Virtual | undefined> = one(undefined, undefined, true, false).map((isOrdered) =>
  isOrdered === undefined ? undefined : { members: inAll('data'), isOrdered },
);

export const fleets: fc.Arbitrary<Fixture> = fc
  .record({
    clusters: fc.array(clusters, { minLength: CLUSTERS.length, maxLength: CLUSTERS.length }),
    isFlat: one(false, false, false, true),
    suffix: one(undefined, 'mesh'),
    selected: one<Fixture['selected']>(
      undefined,
      undefined,
      { name: 'api', to: ['cluster-1', 'cluster-3'] },
      { name: 'data', to: CLUSTERS },
    ),
    shifts: fc.uniqueArray(fc.record({ of: services, targets: fc.array(targets, { minLength: 1, maxLength: 3 }) }), {
      maxLength: 4,
      selector: ({ of }) => `${of.clusterName} ${of.name}`,
    }),
    virtual: fc.record({ first: virtuals, second: virtuals, own }),
  })
  // A Service whose name means the Services of all clusters cannot be a target for one of them.
  .map((fleet) => (fleet.virtual.own === undefined ? fleet : { ...fleet, shifts: fleet.shifts.filter(isWithoutData) }));

function isWithoutData({ of, targets: to }: Shift): boolean {
  return of.name !== 'data' && to.every((target) => 'virtual' in target || target.name !== 'data');
}

export function clusterIn({ clusters: all }: Fixture, name: ClusterName): Cluster {
  return all[CLUSTERS.indexOf(name)] as Cluster;
}

const SHARES: ReadonlyArray<readonly number[]> = [[100], [70, 30], [50, 30, 20]];

/** Percentage of each target. */
export function sharesOf({ targets: to }: Shift): ReadonlyArray<readonly [weight: number, target: Target]> {
  return to.map((target, position) => [SHARES[to.length - 1]?.[position] ?? 0, target]);
}

const addressOf = (position: number): string => `198.51.100.${position + 1}`;
const nameOf = (position: number): string => `gateway-${position + 1}.example`;
const nodeOf = (position: number): string => `10.0.${position + 1}.1`;

const GATEWAY_PORT = 443;
const NODE_PORT = 31_443;

/** Every address at which they can be dialled. */
export const GATEWAYS: Gateways = new Map(
  CLUSTERS.flatMap((name, position) =>
    [
      `${addressOf(position)}:${GATEWAY_PORT}`,
      `${nameOf(position)}:${GATEWAY_PORT}`,
      `${nodeOf(position)}:${NODE_PORT}`,
    ].map((place) => [place, name] as const),
  ),
);

/** The name of a Service, as callers of a cluster know it. */
export function hostOf({ name, clusterName }: Service, caller: ClusterName, { suffix = 'global' }: Fixture): string {
  return `${name}.shop.svc.${clusterName === caller ? 'cluster.local' : `${clusterName}.${suffix}`}`;
}

export function virtualHost(name: VirtualName): string {
  return name === 'own' ? OWN_NAME : `${name}.global`;
}

export function fleetSpec(fleet: Fixture): FleetSpec {
  return {
    about: 'who answers',
    clusters: Object.fromEntries(
      CLUSTERS.map((name, position) => [name, clusterSpec(clusterIn(fleet, name), position)]),
    ),
    management: [
      { VirtualMesh: 'all', spec: { meshes: CLUSTERS.map(meshOf), federation: federationOf(fleet) } },
      ...VIRTUAL.flatMap((name) => {
        const spec = fleet.virtual[name];
        return spec === undefined ? [] : [{ VirtualDestination: name, spec: virtualSpec(spec, virtualHost(name)) }];
      }),
      ...fleet.shifts.map((shift, position) => ({ TrafficPolicy: `shift-${position}`, spec: shiftSpec(shift) })),
    ],
  };
}

function federationOf({ isFlat, suffix, selected }: Fixture): object {
  return {
    flatNetwork: isFlat,
    ...(suffix === undefined ? {} : { hostnameSuffix: suffix }),
    ...(selected === undefined
      ? { mode: 'ALL' }
      : {
          selectors: [
            {
              destinationSelectors: [{ kubeServiceMatcher: { labels: { app: selected.name } } }],
              meshes: selected.to.map(meshOf),
            },
          ],
        }),
  };
}

function clusterSpec({ region, gateway, ...versionsOf }: Cluster, position: number): ClusterSpec {
  return {
    region,
    nodes: { node: { addresses: { InternalIP: nodeOf(position) }, zone: `${region}-a` } },
    istio: [CONTROL_PLANE],
    services: {
      [GATEWAY]: gatewaySpec(`tls:${GATEWAY_PORT}:15443:${NODE_PORT}`, exposureOf(gateway, position)),
      ...Object.fromEntries(
        SERVICES.flatMap((name) => {
          const versions = versionsOf[name];
          return versions === undefined
            ? []
            : [[`${name}.shop`, { ports: [`http:${HTTP_PORT}:${POD_PORT}`], versions }]];
        }),
      ),
      'web.front': { ports: [`http:${HTTP_PORT}:${POD_PORT}`] },
    },
  };
}

function exposureOf(gateway: Cluster['gateway'], position: number): Parameters<typeof gatewaySpec>[1] {
  if (gateway === 'node') return { spec: { type: 'NodePort' } };
  return { loadBalancer: gateway === 'name' ? nameOf(position) : addressOf(position) };
}

function reference({ name, clusterName }: Service): object {
  return { name, namespace: 'shop', clusterName };
}

function virtualSpec({ members, isOrdered }: Virtual, hostname: string): object {
  const [first] = members;
  return {
    hostname,
    port: { number: HTTP_PORT, protocol: 'HTTP' },
    virtualMesh: { name: 'all', namespace: 'meshrelay' },
    ...(isOrdered
      ? { static: { destinations: members.map((member) => ({ kubeService: reference(member) })) } }
      : { localized: { destinationSelectors: [{ kubeServiceMatcher: { labels: { app: first?.name ?? '' } } }] } }),
  };
}

function shiftSpec(shift: Shift): object {
  const destinations = sharesOf(shift).map(([weight, target]) =>
    'virtual' in target
      ? { weight, virtualDestination: { name: target.virtual, namespace: 'meshrelay' } }
      : {
          weight,
          kubeService: {
            ...reference(target),
            ...(target.version === undefined ? {} : { subset: { version: target.version } }),
          },
        },
  );
  return {
    destinationSelector: [{ kubeServiceRefs: { services: [reference(shift.of)] } }],
    policy: { trafficShift: { destinations } },
  };
}
