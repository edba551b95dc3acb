/** ACK state of this replica's Envoys for the objects that contain their configuration. */
import type { XdsWorkloadCount } from '@meshrelay/api';
import type { ProxyState } from '@meshrelay/envoy-api/server';
import type { XdsKey } from '@meshrelay/envoy-api/xds';
import { RelayError } from '@meshrelay/relay-protocol';
import * as z from 'zod';
import type { DataPlane } from '../data-plane.ts';
import type { SeenXdsObject } from './xds-objects.ts';

/** Query to a replica. */
export interface EnvoyQuestion {
  /** Generations of objects, by their names. */
  readonly objects: Readonly<Record<string, number>>;
}

/** Answer of a replica, for its own Envoys. */
export interface EnvoyAnswer {
  /** Objects whose requested generation this replica has not observed yet. */
  readonly unseen: readonly string[];
  /** Objects that some of its Envoys have not acknowledged, with their workloads. */
  readonly waiting: Readonly<Record<string, readonly XdsWorkloadCount[]>>;
  /** Connected Envoys that have answered everything they were sent at least once. */
  readonly connected: readonly XdsWorkloadCount[];
}

/** Maximum number of objects per query, so it fits the size limit of replicas. */
export const MAX_REQUESTED_OBJECTS = 200;

const question = z.strictObject({
  objects: z
    .record(z.string().max(253), z.number().int())
    .refine((objects) => Object.keys(objects).length <= MAX_REQUESTED_OBJECTS),
});

/** @throws RelayError RELAY_E_PROTOCOL */
export function readEnvoyQuestion(given: unknown): EnvoyQuestion {
  const read = question.safeParse(given);
  if (read.success) return read.data;
  throw new RelayError(
    'RELAY_E_PROTOCOL',
    `objects: a map of at most ${MAX_REQUESTED_OBJECTS} generations is expected`,
  );
}

export type EnvoySources = Pick<DataPlane, 'proxies' | 'catalog' | 'routes' | 'extensions'>;

export function envoyAnswer(
  plane: EnvoySources,
  seen: ReadonlyMap<string, SeenXdsObject>,
  { objects }: EnvoyQuestion,
): EnvoyAnswer {
  const states = plane.proxies.states();
  const unseen: string[] = [];
  const waiting: Record<string, readonly XdsWorkloadCount[]> = {};
  for (const [name, generation] of Object.entries(objects)) {
    const object = seen.get(name);
    // The leader queries a newer generation once it has observed it too.
    if (object === undefined || object.generation < generation) {
      unseen.push(name);
      continue;
    }
    const keys = keysOf(plane, name);
    const late = states.filter(
      ({ answeredUpTo = -1, uses }) => answeredUpTo < object.step && keys.some((key) => uses(key)),
    );
    if (late.length > 0) waiting[name] = countByWorkload(late);
  }
  const connected = countByWorkload(states.filter(({ answeredUpTo }) => answeredUpTo !== undefined));
  return { unseen, waiting, connected };
}

/** Resource keys with which Envoys request the content of an object. */
function keysOf({ catalog, routes, extensions }: EnvoySources, object: string): readonly XdsKey[] {
  return [
    ...catalog.keysIn(object),
    ...routes.routesOf(object).map((name): XdsKey => ({ type: 'routeConfiguration', name })),
    ...extensions.namesIn(object).map((name): XdsKey => ({ type: 'extensionConfig', name })),
  ];
}

function countByWorkload(states: readonly ProxyState[]): readonly XdsWorkloadCount[] {
  return sumByWorkload(
    states.map(({ namespace, workload, serviceAccount }) => ({
      namespace,
      name: workload ?? serviceAccount,
      count: 1,
    })),
  );
}

/** Sorted by name. */
export function sumByWorkload(counts: Iterable<XdsWorkloadCount>): readonly XdsWorkloadCount[] {
  const sums = new Map<string, XdsWorkloadCount>();
  for (const { namespace, name, count } of counts) {
    const id = `${namespace}/${name}`;
    sums.set(id, { namespace, name, count: count + (sums.get(id)?.count ?? 0) });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}
