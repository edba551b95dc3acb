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
} from '../../src/istiod/answer-fleets.ts';
import { type Request, routeOf, sharesIn } from '../../src/istiod/envoy-request.ts';
import {
  type IstioFleet,
  type ProcessedCluster,
  type ProcessedFleet,
  processByIstiod,
  tampered,
  withWritten,
} from '../../src/istiod/fleet.ts';
import { proxyOf } from '../../src/istiod/reported.ts';
import { type Answering, answering } from '../../src/istiod/who-answers.ts';
import { isApplied, statusesOf } from '../../src/statuses.ts';

/** Number of random fleets. */
const RUNS = scaledRuns(30);
const SEED = Number(process.env['MESHRELAY_SEED'] ?? 20_261_125);
const REQUEST: Request = { path: '/', method: 'GET', headers: {}, query: {} };

interface RandomCase {
  readonly fleetState: Fixture;
  readonly reported: ReadonlyMap<string, ComputedStatus>;
  readonly pods: readonly Pod[];
  readonly fleet: IstioFleet;
}

/** A pod behind a Service. */
interface Pod {
  readonly cluster: string;
  readonly app: string;
  readonly version: string;
  readonly address: string;
}

const plugins = loadPlugins([{ module: 'istio', plugin: istioPlugin }]);

function caseOf(fleet: Fixture, at: number): RandomCase {
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
function podsOf({ pods }: RandomCase, { name, clusterName }: Service, version?: string): string[] {
  return pods
    .filter((pod) => pod.cluster === clusterName && pod.app === name)
    .filter((pod) => version === undefined || pod.version === version)
    .map(({ address }) => `${clusterName} ${address}:${POD_PORT}`)
    .sort();
}

function isThere({ fleetState: fleet }: RandomCase, { name, clusterName }: Service): boolean {
  return clusterIn(fleet, clusterName)[name] !== undefined;
}

/** Whether callers of a cluster know the Service. */
function isKnown(randomCase: RandomCase, of: Service, caller: ClusterName): boolean {
  if (!isThere(randomCase, of)) return false;
  const { selected } = randomCase.fleetState;
  return (
    of.clusterName === caller || selected === undefined || (selected.name === of.name && selected.to.includes(caller))
  );
}

/** Existing members of a virtual destination, in its order. */
function membersOf(randomCase: RandomCase, name: VirtualName): Service[] {
  return (randomCase.fleetState.virtual[name]?.members ?? []).filter((member) => isThere(randomCase, member));
}

/**
 * Members that callers of a cluster reach. Istio adds no endpoints with host names to a Service of the cluster itself:
 * the status reports that.
 */
function reachedMembers(randomCase: RandomCase, name: VirtualName, caller: ClusterName): Service[] {
  const members = membersOf(randomCase, name);
  if (name !== 'own' || !isThere(randomCase, { name: 'data', clusterName: caller })) return members;
  return members.filter((member) => member.clusterName === caller || !isBehindName(randomCase, member, caller));
}

/** In a flat network, gateways are for Services that are not federated. */
function isBehindName(randomCase: RandomCase, member: Service, caller: ClusterName): boolean {
  const { gateway } = clusterIn(randomCase.fleetState, member.clusterName);
  return gateway === 'name' && !(randomCase.fleetState.isFlat && isKnown(randomCase, member, caller));
}

type Shares = ReadonlyArray<readonly [weight: number, pods: readonly string[]]>;

/**
 * The expected share of each target in the requests for a Service. Without a policy's effect if the caller does not
 * know one of the targets.
 */
function expectedText(randomCase: RandomCase, of: Service, caller: ClusterName): Shares {
  const { shifts } = randomCase.fleetState;
  const at = shifts.findIndex((shift) => shift.of.name === of.name && shift.of.clusterName === of.clusterName);
  const shift = shifts[at];
  const isWhole = shift?.targets.every((target) => 'virtual' in target || isKnown(randomCase, target, caller));
  if (shift === undefined || !isWhole || !isApplied(randomCase.reported.get(`shift-${at}`)))
    return [[100, podsOf(randomCase, of)]];
  return sharesOf(shift).map(([weight, target]) => [
    weight,
    'virtual' in target
      ? membersOf(randomCase, target.virtual).flatMap((one) => podsOf(randomCase, one))
      : podsOf(randomCase, target, target.version),
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
  readonly #fleet: ProcessedFleet;
  readonly #caller: ProcessedCluster;

  constructor(fleet: ProcessedFleet, caller: ProcessedCluster) {
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
function requestedLevels(randomCase: RandomCase, name: VirtualName, caller: ClusterName): string[][] | undefined {
  if (isReported(randomCase, name)) return undefined;
  const members = membersOf(randomCase, name);
  if (randomCase.fleetState.virtual[name]?.isOrdered === true) return members.map((one) => podsOf(randomCase, one));
  const regionOf = (cluster: ClusterName) => clusterIn(randomCase.fleetState, cluster).region;
  const own = members.filter(({ clusterName }) => clusterName === caller);
  const near = members.filter(({ clusterName }) => regionOf(clusterName) === regionOf(caller));
  const [first] = [own, near].filter((some) => some.length > 0);
  return first === undefined ? undefined : [first.flatMap((one) => podsOf(randomCase, one)).sort()];
}

/** Whether reports exist, other than for members that do not exist yet. */
function isReported({ reported }: RandomCase, name: string): boolean {
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

function evaluated(randomCase: RandomCase, fleet: ProcessedFleet): Evaluated[] {
  return fleet.clusters.flatMap((cluster, position) => {
    const caller = CLUSTERS[position] as ClusterName;
    const asker = new Asker(fleet, cluster);
    return [...evaluatedServices(randomCase, asker, caller), ...evaluatedVirtual(randomCase, asker, caller)].map(
      (one) => ({
        ...one,
        question: `${fleet.name}, ${caller} asks ${one.question}`,
      }),
    );
  });
}

function evaluatedServices(randomCase: RandomCase, asker: Asker, caller: ClusterName): Evaluated[] {
  const services = CLUSTERS.flatMap((clusterName) => SERVICES.map((name) => ({ name, clusterName })));
  return services.flatMap((of): Evaluated[] => {
    const host = hostOf(of, caller, randomCase.fleetState);
    if (!isThere(randomCase, of) || (host === OWN_NAME && randomCase.fleetState.virtual.own !== undefined)) return [];
    const expected = isKnown(randomCase, of, caller) ? inWords(expectedText(randomCase, of, caller)) : 'no answer';
    return [{ about: 'who', question: host, expected: expected, got: foundInWords(asker.ask(host)) }];
  });
}

function evaluatedVirtual(randomCase: RandomCase, asker: Asker, caller: ClusterName): Evaluated[] {
  return VIRTUAL.flatMap((name): Evaluated[] => {
    const members = membersOf(randomCase, name);
    if (members.length === 0) return [];
    const host = virtualHost(name);
    const reached = reachedMembers(randomCase, name, caller);
    if (reached.length < members.length) assert.ok(isReported(randomCase, name), `nothing is reported about ${host}`);
    const all = inWords([[100, reached.flatMap((one) => podsOf(randomCase, one))]]);
    const levels = requestedLevels(randomCase, name, caller);
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

const cases = fc.sample(fleets, { numRuns: RUNS, seed: SEED }).map(caseOf);

test('control: another subset, and another order, are detected', () => {
  const few = cases.slice(0, 20);
  const wrongWith = (what: RegExp, by: string): string[] => {
    const seen = processByIstiod(few.map(({ fleet }) => tampered(fleet, what, by)));
    return few.flatMap((randomCase, at) => wrongOf(evaluated(randomCase, seen[at] as ProcessedFleet)));
  };
  assert.is.not(wrongWith(/"labels":\{"version":"v1"\}/g, '"labels":{"version":"v2"}').length, 0);
  assert.is.not(wrongWith(/\/failover-1"\]/g, '/none"]').length, 0);
});

test(`responding endpoints in ${RUNS} random fleets (seed ${SEED})`, () => {
  const seen = processByIstiod(cases.map(({ fleet }) => fleet));
  const all = cases.flatMap((randomCase, at) => evaluated(randomCase, seen[at] as ProcessedFleet));
  assert.equal(wrongOf(all).slice(0, 8), []);
  const orders = all.filter(({ about }) => about === 'order').length;
  assert.ok(all.length > RUNS * 12 && orders > RUNS, `${all.length} compared, ${orders} of them orders`);
});

test.run();
