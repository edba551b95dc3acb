/**
 * The cost of a fleet is linear in its size: twice the destinations, twice the work. Measured in calls, and in time
 * relative to the smaller fleet.
 */
import process from 'node:process';
import type { LoadedPlugin } from '@meshrelay/relay-core';
import { expandFleet, type Fleet } from '../fleet/expand-fleet.ts';
import { policyObject } from '../fleet/policy-object.ts';
import { loaded, type TestedPlugin } from '../tested-plugin.ts';
import { built } from './outcome.ts';

/** The larger of the two fleets. */
const DESTINATIONS = 10_000;
/** Two is linear; the rest allows for other work of the machine. */
const MAX_GROWTH = 2.3;
/** For the plugin's own share, which is small: a plugin that scans all other destinations takes four times as long. */
const MAX_OF_ITS_OWN = 3;
/** As a fraction of the total time: a smaller share is mostly noise. */
const REPORTED_SHARE = 0.2;
/** Noise only adds time, so the minimum of several runs counts. */
const TRIES = 3;

/** @throws Error with the figures if calls or time grow faster than the fleet */
export function linear(tested: TestedPlugin): void {
  const [half, whole] = [fleetOf(tested, DESTINATIONS / 2), fleetOf(tested, DESTINATIONS)];
  const ratios: number[] = [];
  let [own, ownOfHalf, ownOfWhole] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // Warm-up: the first run is slow, and would make the half look slower.
  measured(half, tested);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const [one, two] = [measured(half, tested), measured(whole, tested)];
    if (two.calls > 2.01 * one.calls)
      throw new Error(`${one.calls} calls for ${DESTINATIONS / 2} destinations, ${two.calls} for twice as many`);
    ratios.push(two.cpu / one.cpu);
    [ownOfHalf, ownOfWhole] = [Math.min(ownOfHalf, one.own), Math.min(ownOfWhole, two.own)];
    own = ownOfWhole * 1000 < REPORTED_SHARE * two.cpu ? 0 : ownOfWhole / ownOfHalf;
    if (two.cpu <= MAX_GROWTH * one.cpu && own <= MAX_OF_ITS_OWN) return;
  }
  if (own > MAX_OF_ITS_OWN)
    throw new Error(
      `twice the destinations take its translations ${own.toFixed(2)} times the time, of at most ${MAX_OF_ITS_OWN}; translate each view without reading what was written for other views`,
    );
  const times = ratios.map((ratio) => ratio.toFixed(2)).join(', ');
  throw new Error(`twice the destinations take ${times} times the CPU, of at most ${MAX_GROWTH}`);
}

interface Measured {
  readonly calls: number;
  readonly cpu: number;
  /** Milliseconds within the plugin's translations. */
  readonly own: number;
}

function measured(fleet: Fleet, tested: TestedPlugin): Measured {
  let [calls, own] = [0, 0];
  const plugins = loaded(tested).map((one) =>
    counted(one, (took) => {
      calls += 1;
      own += took;
    }),
  );
  const before = process.cpuUsage();
  built(fleet, plugins);
  const { user, system } = process.cpuUsage(before);
  return { calls, cpu: user + system, own };
}

/** The plugin with a counter of its translations and the milliseconds of each. */
function counted({ plugin, settings }: LoadedPlugin, count: (took: number) => void): LoadedPlugin {
  const guarded = new Proxy(plugin, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || !String(name).startsWith('translate')) return member;
      return (...args: readonly unknown[]): unknown => {
        const before = performance.now();
        const result: unknown = member.apply(target, args);
        count(performance.now() - before);
        return result;
      };
    },
  });
  return { plugin: guarded, settings };
}

/** One cluster with the given number of Services, each with one pod and with a policy that selects it. */
function fleetOf({ plugin, fixture }: TestedPlugin, destinations: number): Fleet {
  const services = Object.fromEntries(
    Array.from({ length: destinations }, (_, index) => [`s-${index}.n-${index % 100}`, { ports: ['http:80:8080'] }]),
  );
  const { clusters } = expandFleet(
    { about: '', clusters: { 'cluster-1': { services } } },
    { type: plugin.name, fixture },
  );
  const policies = [
    { AccessPolicy: 'all', spec: { sourceSelector: BUYER } },
    { TrafficPolicy: 'all', spec: { policy: { connectionPool: { tcp: { maxConnections: 1 } } } } },
  ];
  return { clusters, management: policies.map(policyObject) };
}

const BUYER = [
  { kubeServiceAccountRefs: { serviceAccounts: [{ name: 's-1', namespace: 'n-1', clusterName: 'cluster-1' }] } },
];
