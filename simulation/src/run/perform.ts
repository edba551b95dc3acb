/** Performs operations. */
import type { KubeObject, KubernetesCluster } from '@meshrelay/api';
import { APPROVE_ANNOTATION } from '@meshrelay/relay-core';
import type { Invariants } from '../check/invariants.ts';
import { isManaged } from '../check/managed.ts';
import { MANAGEMENT, type SimFleet } from '../fleet/fleet.ts';
import { kubernetesCluster, NAMESPACE, numbered, service, timeoutPolicy, virtualMesh } from '../fleet/objects.ts';
import type { ApiFaults } from '../network/internet.ts';
import type { Operation } from './operation.ts';

const LEASES = 'coordination.k8s.io/leases';
export const CLUSTERS = 'multicluster.meshrelay.dev/kubernetesclusters';

/** The fleet and services on which an operation acts. */
export interface Stage {
  readonly fleet: SimFleet;
  readonly invariants: Invariants;
}

/** Performs an operation. */
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
    case 'failing-lists':
      during(fleet, operation.lasts, operation.host, { failingLists: operation.plural });
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
    case 'wait':
      break;
    case 'put-services':
      for (const object of numbered(operation.count)) fleet.put(operation.cluster, object);
      break;
    case 'delete-services':
      for (const object of numbered(operation.count)) fleet.drop(operation.cluster, object);
      break;
    case 'approve':
      approve({ fleet, invariants }, operation.cluster);
      break;
    case 'cut':
      network.cut(operation.from, operation.to, operation.after);
      break;
    case 'stale-lists': {
      const api = fleet.api(operation.host);
      api.keepLists();
      scheduler.after(operation.lasts, undefined, () => api.freshenLists());
      break;
    }
    default:
      operation satisfies never;
  }
}

/** Does the same as `meshctl approve`, for the deletions held now. @returns whether any deletion was held */
export function approve({ fleet, invariants }: Stage, cluster: string): boolean {
  const found = fleet.api(MANAGEMENT).get(CLUSTERS, NAMESPACE, cluster) as KubernetesCluster | undefined;
  const digest = found?.status?.heldDeletions?.digest;
  if (found === undefined || digest === undefined) return false;
  invariants.approved(cluster);
  const annotations = { ...found.metadata.annotations, [APPROVE_ANNOTATION]: digest };
  fleet.put(MANAGEMENT, { ...found, metadata: { ...found.metadata, annotations } });
  return true;
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

/** Sets faults of an API server for some time. */
function during({ apis, scheduler }: SimFleet, lasts: number, host: string, changes: Partial<ApiFaults>): void {
  const faults = apis.get(host)?.faults;
  if (faults === undefined) return;
  Object.assign(faults, changes);
  scheduler.after(lasts, undefined, () => {
    for (const name of Object.keys(changes)) Object.assign(faults, { [name]: WELL[name as keyof ApiFaults] });
  });
}

const WELL: ApiFaults = { down: false, errors: 0, failingLists: undefined, silent: false };

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
  const managed = [...fleet.api(cluster).all()].filter(([, object]) => isManaged(object));
  const [, object] = managed[Math.floor(pick * managed.length)] ?? [];
  if (object === undefined) return;
  if (how === 'delete') fleet.drop(cluster, object);
  else fleet.put(cluster, { ...object, spec: { view: 'edited by hand' } } as KubeObject);
}

function tamper(fleet: SimFleet, { cluster, how }: Extract<Operation, { do: 'lease' }>): void {
  const [lease] = fleet.api(cluster).list(LEASES);
  if (lease === undefined) return;
  if (how === 'delete') fleet.api(cluster).drop(LEASES, NAMESPACE, lease.metadata.name);
  else fleet.put(cluster, { ...lease, spec: { ...(lease.spec as object), holderIdentity: 'another' } } as KubeObject);
}
