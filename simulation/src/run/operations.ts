/** What may happen to a fleet: each operation is data, so that a schedule can be kept, shrunk and run again. */
import type { KubeObject } from '@meshrelay/api';
import type { Invariants } from '../check/invariants.ts';
import { isManaged } from '../check/managed.ts';
import { MANAGEMENT, type SimFleet } from '../fleet/fleet.ts';
import { kubernetesCluster, NAMESPACE, service, timeoutPolicy, virtualMesh } from '../fleet/objects.ts';
import type { ApiFaults } from '../network/internet.ts';
import { REDIS } from '../redis/connect-redis.ts';
import { between, oneOf, type Random } from '../runtime/random.ts';

/** One thing that happens, at a moment in simulated milliseconds. Durations are milliseconds too. */
export type Operation = { readonly at: number } & (
  | { readonly do: 'put-service'; readonly cluster: string; readonly name: string; readonly port: number }
  | { readonly do: 'delete-service'; readonly cluster: string; readonly name: string }
  | { readonly do: 'put-policy'; readonly name: string; readonly service: string; readonly seconds: number }
  | { readonly do: 'delete-policy'; readonly name: string }
  | { readonly do: 'put-virtual-mesh'; readonly clusters: readonly string[] }
  | { readonly do: 'delete-virtual-mesh' }
  | { readonly do: 'crash'; readonly place: string; readonly down: number }
  | { readonly do: 'stop'; readonly place: string; readonly down: number }
  | { readonly do: 'freeze'; readonly place: string; readonly how: 'stopped' | 'suspended'; readonly lasts: number }
  | {
      readonly do: 'partition';
      readonly from: string;
      readonly to: string;
      readonly both: boolean;
      readonly lasts: number;
    }
  | { readonly do: 'double'; readonly place: string; readonly frozen: number; readonly both: number }
  | { readonly do: 'drift'; readonly cluster: string; readonly pick: number; readonly how: 'delete' | 'edit' }
  | { readonly do: 'lease'; readonly cluster: string; readonly how: 'delete' | 'steal' }
  | { readonly do: 'api-down'; readonly host: string; readonly lasts: number }
  | { readonly do: 'api-errors'; readonly host: string; readonly share: number; readonly lasts: number }
  | { readonly do: 'silent-watches'; readonly host: string; readonly lasts: number }
  | { readonly do: 'compact'; readonly host: string; readonly reset: boolean }
  | { readonly do: 'slow'; readonly from: string; readonly to: string; readonly by: number; readonly lasts: number }
  | { readonly do: 'rate'; readonly place: string; readonly rate: number }
  | { readonly do: 'wall'; readonly place: string; readonly by: number }
  | { readonly do: 'suspend'; readonly cluster: string; readonly suspended: boolean }
  | { readonly do: 'deregister'; readonly cluster: string }
  | { readonly do: 'register'; readonly cluster: string }
  | { readonly do: 'redis'; readonly how: 'flush' | 'restart' | 'save' | 'roll-back' }
  | { readonly do: 'redis-down'; readonly lasts: number }
  | { readonly do: 'tamper'; readonly pick: number }
);

const LEASES = 'coordination.k8s.io/leases';

/** What an operation acts on. */
export interface Stage {
  readonly fleet: SimFleet;
  readonly invariants: Invariants;
}

/** Makes it happen. */
export function perform({ fleet, invariants }: Stage, operation: Operation): void {
  const { scheduler, network } = fleet;
  switch (operation.do) {
    case 'put-service':
      for (const object of service(operation.name, operation.port)) fleet.put(operation.cluster, object);
      break;
    case 'delete-service':
      for (const object of service(operation.name, 80)) fleet.drop(operation.cluster, object);
      break;
    case 'put-policy':
      fleet.put(MANAGEMENT, timeoutPolicy(operation.name, operation.service, operation.seconds));
      break;
    case 'delete-policy':
      fleet.drop(MANAGEMENT, timeoutPolicy(operation.name, '', 1));
      break;
    case 'put-virtual-mesh':
      fleet.put(MANAGEMENT, virtualMesh('all', operation.clusters));
      break;
    case 'delete-virtual-mesh':
      fleet.drop(MANAGEMENT, virtualMesh('all', []));
      break;
    case 'crash':
    case 'stop': {
      const { place, down } = operation;
      if (operation.do === 'crash') fleet.crash(place);
      else fleet.stop(place);
      scheduler.after(down, undefined, () => fleet.start(place));
      break;
    }
    case 'double':
      fleet.double(operation.place, operation.frozen, operation.both);
      break;
    case 'freeze':
      freeze(fleet, invariants, operation);
      break;
    case 'partition': {
      const { from, to, both, lasts } = operation;
      network.block(from, to);
      if (both) network.block(to, from);
      scheduler.after(lasts, undefined, () => {
        network.heal(from, to);
        if (both) network.heal(to, from);
      });
      break;
    }
    case 'drift':
      drift(fleet, operation);
      break;
    case 'lease':
      tamper(fleet, operation);
      invariants.unfence(operation.cluster);
      break;
    case 'api-down':
      during(fleet, operation.lasts, operation.host, { down: true });
      for (const reset of [...(fleet.apis.get(operation.host)?.connections ?? [])]) reset();
      break;
    case 'api-errors':
      during(fleet, operation.lasts, operation.host, { errors: operation.share });
      break;
    case 'silent-watches':
      during(fleet, operation.lasts, operation.host, { silent: true });
      break;
    case 'compact':
      fleet.api(operation.host).compact();
      if (operation.reset) for (const reset of [...(fleet.apis.get(operation.host)?.connections ?? [])]) reset();
      break;
    case 'slow': {
      const { from, to, by, lasts } = operation;
      network.delay(from, to, by);
      scheduler.after(lasts, undefined, () => network.delay(from, to, 0));
      break;
    }
    case 'rate': {
      const place = fleet.places.get(operation.place);
      if (place === undefined) break;
      place.rate = operation.rate;
      place.process?.setRate(operation.rate, scheduler.now);
      break;
    }
    case 'wall':
      fleet.places.get(operation.place)?.process?.stepWall(operation.by);
      break;
    case 'suspend':
    case 'register': {
      const suspended = operation.do === 'suspend' && operation.suspended;
      fleet.put(MANAGEMENT, kubernetesCluster(operation.cluster, suspended ? { suspended } : {}));
      break;
    }
    case 'deregister':
      fleet.drop(MANAGEMENT, kubernetesCluster(operation.cluster));
      break;
    case 'redis':
      changeRedis(fleet, operation.how);
      break;
    case 'redis-down': {
      const { redis } = fleet;
      if (redis === undefined) break;
      redis.down = true;
      redis.restart();
      scheduler.after(operation.lasts, undefined, () => {
        redis.down = false;
      });
      break;
    }
    case 'tamper':
      fleet.redis?.tamper((size) => Math.floor(operation.pick * size));
      break;
    default:
      operation satisfies never;
  }
}

function changeRedis({ redis }: SimFleet, how: Extract<Operation, { do: 'redis' }>['how']): void {
  switch (how) {
    case 'flush':
      redis?.flush();
      break;
    case 'restart':
      redis?.flush();
      redis?.restart();
      break;
    case 'save':
      redis?.save();
      break;
    case 'roll-back':
      redis?.rollBack();
      break;
    default:
      how satisfies never;
  }
}

/** How an API server behaves for a while. */
function during({ apis, scheduler }: SimFleet, lasts: number, host: string, changes: Partial<ApiFaults>): void {
  const faults = apis.get(host)?.faults;
  if (faults === undefined) return;
  Object.assign(faults, changes);
  scheduler.after(lasts, undefined, () => {
    for (const name of Object.keys(changes)) Object.assign(faults, { [name]: WELL[name as keyof ApiFaults] });
  });
}

const WELL: ApiFaults = { down: false, errors: 0, silent: false };

function freeze(
  { places, scheduler }: SimFleet,
  invariants: Invariants,
  { place: name, how, lasts }: Extract<Operation, { do: 'freeze' }>,
): void {
  const place = places.get(name);
  const process = place?.process;
  if (place === undefined || process?.alive !== true || process.frozen !== 'no') return;
  process.freeze(how, scheduler.now);
  if (how === 'suspended') invariants.unfence(place.api);
  scheduler.after(lasts, undefined, () => {
    if (process.alive && process.frozen !== 'no') scheduler.thaw(process);
  });
}

function drift(fleet: SimFleet, { cluster, pick, how }: Extract<Operation, { do: 'drift' }>): void {
  const ours = [...fleet.api(cluster).all()].filter(([, object]) => isManaged(object));
  const [, object] = ours[Math.floor(pick * ours.length)] ?? [];
  if (object === undefined) return;
  if (how === 'delete') fleet.drop(cluster, object);
  else fleet.put(cluster, { ...object, spec: { view: 'edited by hand' } } as KubeObject);
}

function tamper(fleet: SimFleet, { cluster, how }: Extract<Operation, { do: 'lease' }>): void {
  const [lease] = fleet.api(cluster).list(LEASES);
  if (lease === undefined) return;
  if (how === 'delete') fleet.api(cluster).drop(LEASES, NAMESPACE, lease.metadata.name);
  else fleet.put(cluster, { ...lease, spec: { ...(lease.spec as object), holderIdentity: 'somebody' } } as KubeObject);
}

/** The names of services that come and go. */
export const SERVICES = ['a', 'b', 'c'] as const;

/** Something that may happen to such a fleet. */
export function randomOperation(random: Random, fleet: Pick<SimFleet, 'clusters' | 'places'>, at: number): Operation {
  const places = [...fleet.places.values()];
  const cluster = (): string => oneOf(random, fleet.clusters);
  const name = (): string => oneOf(random, SERVICES);
  const place = (): string => oneOf(random, places).name;
  const host = (): string => oneOf(random, [MANAGEMENT, ...fleet.clusters]);
  /** From a program to an API server or a management server, or back. */
  const link = (): readonly [from: string, to: string] => {
    const { name: program, api } = oneOf(random, places);
    const servers = places.filter(({ api: of }) => of === MANAGEMENT).map(({ name: server }) => server);
    const peer = oneOf(random, api === MANAGEMENT ? [api, REDIS] : [api, ...servers]);
    return random() < 0.5 ? [program, peer] : [peer, program];
  };
  const lasts = (): number => between(random, 200, oneOf(random, [3_000, 12_000, 40_000]));
  const kinds: ReadonlyArray<readonly [weight: number, make: () => Operation]> = [
    [4, () => ({ at, do: 'put-service', cluster: cluster(), name: name(), port: between(random, 80, 90) })],
    [2, () => ({ at, do: 'delete-service', cluster: cluster(), name: name() })],
    [
      3,
      () => ({
        at,
        do: 'put-policy',
        name: oneOf(random, ['p', 'q']),
        service: name(),
        seconds: between(random, 1, 9),
      }),
    ],
    [1, () => ({ at, do: 'delete-policy', name: oneOf(random, ['p', 'q']) })],
    [1, () => ({ at, do: 'put-virtual-mesh', clusters: fleet.clusters.filter(() => random() < 0.7) })],
    [1, () => ({ at, do: 'delete-virtual-mesh' })],
    [5, () => ({ at, do: 'crash', place: place(), down: lasts() })],
    [2, () => ({ at, do: 'stop', place: place(), down: lasts() })],
    [2, () => ({ at, do: 'double', place: place(), frozen: lasts(), both: between(random, 500, 8_000) })],
    [3, () => ({ at, do: 'freeze', place: place(), how: oneOf(random, ['stopped', 'suspended']), lasts: lasts() })],
    [
      5,
      () => {
        const [from, to] = link();
        return { at, do: 'partition', from, to, both: random() < 0.6, lasts: lasts() };
      },
    ],
    [2, () => ({ at, do: 'drift', cluster: cluster(), pick: random(), how: oneOf(random, ['delete', 'edit']) })],
    [1, () => ({ at, do: 'api-down', host: host(), lasts: lasts() })],
    [2, () => ({ at, do: 'api-errors', host: host(), share: 0.1 + 0.8 * random(), lasts: lasts() })],
    [2, () => ({ at, do: 'silent-watches', host: host(), lasts: lasts() })],
    [2, () => ({ at, do: 'compact', host: host(), reset: random() < 0.7 })],
    [
      2,
      () => {
        const [from, to] = link();
        return { at, do: 'slow', from, to, by: oneOf(random, [50, 500, 4_000]), lasts: lasts() };
      },
    ],
    [2, () => ({ at, do: 'rate', place: place(), rate: oneOf(random, [0.85, 0.95, 1.05, 1.18]) })],
    [1, () => ({ at, do: 'wall', place: place(), by: between(random, -3_600_000, 600_000) })],
    [1, () => ({ at, do: 'suspend', cluster: cluster(), suspended: random() < 0.6 })],
    [1, () => ({ at, do: 'deregister', cluster: cluster() })],
    [1, () => ({ at, do: 'register', cluster: cluster() })],
    [2, () => ({ at, do: 'redis', how: oneOf(random, ['flush', 'restart', 'save', 'save', 'roll-back']) })],
    [1, () => ({ at, do: 'redis-down', lasts: lasts() })],
    [1, () => ({ at, do: 'tamper', pick: random() })],
    [2, () => ({ at, do: 'lease', cluster: cluster(), how: oneOf(random, ['delete', 'steal']) })],
  ];
  let rest = random() * kinds.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of kinds) {
    rest -= weight;
    if (rest < 0) return make();
  }
  throw new Error('no operation was chosen');
}
