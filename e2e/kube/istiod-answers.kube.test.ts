/**
 * Requests reach their intended endpoints: compares policies, read independently, with the configuration that istiod
 * sends to proxies and gateways on the path.
 */
import process from 'node:process';
import type { KubeObject } from '@meshrelay/api';
import istioPlugin from '@meshrelay/plugin-istio';
import * as fixture from '@meshrelay/plugin-istio/fixture';
import { expandFleet, sha256 } from '@meshrelay/plugin-kit';
import { buildFleet, type ComputedStatus, loadPlugins } from '@meshrelay/relay-core';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import {
  CLUSTERS,
  type ClusterName,
  clusterIn,
  type Fixture,
  fleetSpec,
  fleets,
  GATEWAYS,
  HTTP_PORT,
  hostOf,
  OWN_NAME,
  POD_PORT,
  SERVICES,
  type Service,
  sharesOf,
  VIRTUAL,
  type VirtualName,
  virtualHost,
} from '../src/istiod/answer-fleets.ts';
import { type Request, routeOf, sharesIn } from '../src/istiod/envoy-request.ts';
import {
  type SeenCluster,
  type SeenFleet,
  seenByIstiod,
  tampered,
  type UnseenFleet,
  withWritten,
} from '../src/istiod/fleet.ts';
import { proxyOf } from '../src/istiod/reported.ts';
import { type Answering, answering } from '../src/istiod/who-answers.ts';
import { isInForce, statusesOf } from '../src/statuses.ts';

/** Number of random fleets. */
const RUNS = scaledRuns(30);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_125);
const REQUEST: Request = { path: '/', method: 'GET', headers: {}, query: {} };

interface Asking {
  readonly fleetState: Fixture;
  readonly reported: ReadonlyMap<string, ComputedStatus>;
  readonly pods: readonly Pod[];
  readonly fleet: UnseenFleet;
}

/** A pod behind a Service. */
interface Pod {
  readonly cluster: string;
  readonly app: string;
  readonly version: string;
  readonly address: string;
}

const plugins = loadPlugins([{ module: 'istio', plugin: istioPlugin }]);

function askingOf(fleet: Fixture, at: number): Asking {
  const inputs = expandFleet(fleetSpec(fleet), { type: 'istio', fixture });
  const plane = buildFleet({ ...inputs, plugins, hash: sha256 });
  return {
    fleetState: fleet,
    reported: statusesOf(plane, inputs.management),
    pods: inputs.clusters.flatMap(({ name, objects }) => objects.flatMap((object) => podOf(object, name))),
    fleet: { name: `fleet ${at}`, clusters: withWritten(inputs.clusters, plane) },
  };
}

function podOf({ kind, metadata: { labels = {} }, ...rest }: KubeObject, cluster: string): Pod[] {
  if (kind !== 'Pod') return [];
  const { status } = rest as { readonly status?: { readonly podIP?: string } };
  return [{ cluster, app: labels['app'] ?? '', version: labels['version'] ?? '', address: status?.podIP ?? '' }];
}

/** The pods of a Service, or of one of its subsets, with the port at which they receive requests. */
function podsOf({ pods }: Asking, { name, clusterName }: Service, version?: string): string[] {
  return pods
    .filter((pod) => pod.cluster === clusterName && pod.app === name)
    .filter((pod) => version === undefined || pod.version === version)
    .map(({ address }) => `${clusterName} ${address}:${POD_PORT}`)
    .sort();
}

function isThere({ fleetState: fleet }: Asking, { name, clusterName }: Service): boolean {
  return clusterIn(fleet, clusterName)[name] !== undefined;
}

/** Whether callers of a cluster know the Service. */
function isKnown(asking: Asking, of: Service, caller: ClusterName): boolean {
  if (!isThere(asking, of)) return false;
  const { selected } = asking.fleetState;
  return (
    of.clusterName === caller || selected === undefined || (selected.name === of.name && selected.to.includes(caller))
  );
}

/** Existing members of a virtual destination, in its order. */
function membersOf(asking: Asking, name: VirtualName): Service[] {
  return (asking.fleetState.virtual[name]?.members ?? []).filter((member) => isThere(asking, member));
}

/**
 * Members that callers of a cluster reach. Istio adds no endpoints with host names to a Service of the cluster itself:
 * the status reports that.
 */
function reachedMembers(asking: Asking, name: VirtualName, caller: ClusterName): Service[] {
  const members = membersOf(asking, name);
  if (name !== 'own' || !isThere(asking, { name: 'data', clusterName: caller })) return members;
  return members.filter((member) => member.clusterName === caller || !isBehindName(asking, member, caller));
}

/** In a flat network, gateways are for Services that are not federated. */
function isBehindName(asking: Asking, member: Service, caller: ClusterName): boolean {
  const { gateway } = clusterIn(asking.fleetState, member.clusterName);
  return gateway === 'name' && !(asking.fleetState.isFlat && isKnown(asking, member, caller));
}

type Shares = ReadonlyArray<readonly [weight: number, pods: readonly string[]]>;

/**
 * The expected share of each target in the requests for a Service. Without a policy's effect if the caller does not
 * know one of the targets.
 */
function expectedText(asking: Asking, of: Service, caller: ClusterName): Shares {
  const { shifts } = asking.fleetState;
  const at = shifts.findIndex((shift) => shift.of.name === of.name && shift.of.clusterName === of.clusterName);
  const shift = shifts[at];
  const isWhole = shift?.targets.every((target) => 'virtual' in target || isKnown(asking, target, caller));
  if (shift === undefined || !isWhole || !isInForce(asking.reported.get(`shift-${at}`)))
    return [[100, podsOf(asking, of)]];
  return sharesOf(shift).map(([weight, target]) => [
    weight,
    'virtual' in target
      ? membersOf(asking, target.virtual).flatMap((one) => podsOf(asking, one))
      : podsOf(asking, target, target.version),
  ]);
}

/** Targets with the same pods count as one share. */
function inWords(shares: Shares): string {
  const byPods = new Map<string, number>();
  for (const [weight, pods] of shares) {
    const text = [...new Set(pods)].sort().join(', ');
    byPods.set(text, (byPods.get(text) ?? 0) + weight);
  }
  return [...byPods]
    .map(([pods, weight]) => `${weight}% to ${pods}`)
    .sort()
    .join('; ');
}

/** The share of each target in the requests that a cluster's `front/web` sends to a host. */
class Asker {
  readonly #fleet: SeenFleet;
  readonly #caller: SeenCluster;

  constructor(fleet: SeenFleet, caller: SeenCluster) {
    this.#fleet = fleet;
    this.#caller = caller;
  }

  /** Undefined if the name is unknown there. */
  ask(host: string): ReadonlyArray<readonly [weight: number, who: Answering]> | undefined {
    const proxy = proxyOf(this.#caller.reported.proxies, 'web', 'front');
    const name = `outbound|${HTTP_PORT}||${host}`;
    if (proxy.clusters?.every((one) => one.name !== name)) return undefined;
    const route = routeOf(proxy.routes ?? [], host, HTTP_PORT, REQUEST);
    if (route === undefined) throw new Error(`${this.#caller.name} has no route for ${host}`);
    return sharesIn(route).map(([target, weight]) => [
      weight,
      answering(this.#fleet, this.#caller, proxy, target, GATEWAYS),
    ]);
  }
}

type Found = ReturnType<Asker['ask']>;

/** The share of each target, as text. */
function foundInWords(found: Found): string {
  return found === undefined ? 'no answer' : inWords(found.map(([weight, levels]) => [weight, levels.flat()]));
}

/** The first levels that callers of a cluster must try, one after the other; undefined where nothing is promised. */
function requestedLevels(asking: Asking, name: VirtualName, caller: ClusterName): string[][] | undefined {
  if (isReported(asking, name)) return undefined;
  const members = membersOf(asking, name);
  if (asking.fleetState.virtual[name]?.isOrdered === true) return members.map((one) => podsOf(asking, one));
  const regionOf = (cluster: ClusterName) => clusterIn(asking.fleetState, cluster).region;
  const own = members.filter(({ clusterName }) => clusterName === caller);
  const near = members.filter(({ clusterName }) => regionOf(clusterName) === regionOf(caller));
  const [first] = [own, near].filter((some) => some.length > 0);
  return first === undefined ? undefined : [first.flatMap((one) => podsOf(asking, one)).sort()];
}

/** Whether reports exist, other than for members that do not exist yet. */
function isReported({ reported }: Asking, name: string): boolean {
  const { reports = [], targets = [] } = reported.get(name) ?? {};
  return [...reports, ...targets.flatMap((target) => target.reports)].some(({ code }) => code !== 'REF_NOT_FOUND');
}

/** A query about callers of a cluster, and its result. */
interface Evaluated {
  readonly about: 'who' | 'order';
  readonly question: string;
  readonly expected: string;
  readonly got: string;
}

function evaluated(asking: Asking, fleet: SeenFleet): Evaluated[] {
  return fleet.clusters.flatMap((cluster, position) => {
    const caller = CLUSTERS[position] as ClusterName;
    const asker = new Asker(fleet, cluster);
    return [...evaluatedServices(asking, asker, caller), ...evaluatedVirtual(asking, asker, caller)].map((one) => ({
      ...one,
      question: `${fleet.name}, ${caller} asks ${one.question}`,
    }));
  });
}

function evaluatedServices(asking: Asking, asker: Asker, caller: ClusterName): Evaluated[] {
  const services = CLUSTERS.flatMap((clusterName) => SERVICES.map((name) => ({ name, clusterName })));
  return services.flatMap((of): Evaluated[] => {
    const host = hostOf(of, caller, asking.fleetState);
    if (!isThere(asking, of) || (host === OWN_NAME && asking.fleetState.virtual.own !== undefined)) return [];
    const expected = isKnown(asking, of, caller) ? inWords(expectedText(asking, of, caller)) : 'no answer';
    return [{ about: 'who', question: host, expected: expected, got: foundInWords(asker.ask(host)) }];
  });
}

function evaluatedVirtual(asking: Asking, asker: Asker, caller: ClusterName): Evaluated[] {
  return VIRTUAL.flatMap((name): Evaluated[] => {
    const members = membersOf(asking, name);
    if (members.length === 0) return [];
    const host = virtualHost(name);
    const reached = reachedMembers(asking, name, caller);
    if (reached.length < members.length) assert.ok(isReported(asking, name), `nothing is reported about ${host}`);
    const all = inWords([[100, reached.flatMap((one) => podsOf(asking, one))]]);
    const levels = requestedLevels(asking, name, caller);
    const found = asker.ask(host);
    return [
      { about: 'who', question: host, expected: all, got: foundInWords(found) },
      ...(levels === undefined ? [] : [ordered(host, levels, found?.[0]?.[1] ?? [])]),
    ];
  });
}

function ordered(host: string, levels: Answering, found: Answering): Evaluated {
  const got = JSON.stringify(found.slice(0, levels.length));
  return { about: 'order', question: `${host} first`, expected: JSON.stringify(levels), got };
}

function wrongOf(all: readonly Evaluated[]): string[] {
  return all
    .filter((one) => one.expected !== one.got)
    .map(({ question, expected, got }) => `${question}: wanted ${expected}, got ${got}`);
}

const askings = fc.sample(fleets, { numRuns: RUNS, seed: SEED }).map(askingOf);

test('control: another subset, and another order, are detected', () => {
  const few = askings.slice(0, 20);
  const wrongWith = (what: RegExp, by: string): string[] => {
    const seen = seenByIstiod(few.map(({ fleet }) => tampered(fleet, what, by)));
    return few.flatMap((asking, at) => wrongOf(evaluated(asking, seen[at] as SeenFleet)));
  };
  assert.is.not(wrongWith(/"labels":\{"version":"v1"\}/g, '"labels":{"version":"v2"}').length, 0);
  assert.is.not(wrongWith(/\/failover-1"\]/g, '/none"]').length, 0);
});

test(`responding endpoints in ${RUNS} random fleets (seed ${SEED})`, () => {
  const seen = seenByIstiod(askings.map(({ fleet }) => fleet));
  const all = askings.flatMap((asking, at) => evaluated(asking, seen[at] as SeenFleet));
  assert.equal(wrongOf(all).slice(0, 8), []);
  const orders = all.filter(({ about }) => about === 'order').length;
  assert.ok(all.length > RUNS * 12 && orders > RUNS, `${all.length} compared, ${orders} of them orders`);
});

test.run();
