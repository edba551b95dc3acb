/** Changing fleets: events, the resulting state, and the output of a control plane. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import fc from 'fast-check';
import { BASE, WORKLOADS } from './base-fleet.ts';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  canonicalJson,
  createControlPlane,
  createGraph,
  deleteObject,
  groupOf,
  type LoadedPlugin,
  type PageCodec,
  partsOf,
  setObject,
  setUnreadable,
} from './core.ts';
import { fakePlugin } from './fake-plugin.ts';
import { placedObject } from './fleet-objects.ts';
import { sha256 } from './hash.ts';
import type { Placed } from './placed.ts';

/** Sets an object, or deletes the one of its name. */
export interface Event extends Placed {
  readonly gone: boolean;
}

const events: fc.Arbitrary<Event[][]> = fc.array(
  fc.array(
    fc
      .record({ placed: placedObject, gone: fc.nat(4) })
      .map(({ placed, gone }) => plain({ ...placed, gone: gone === 0 })),
    { minLength: 1, maxLength: 12 },
  ),
  { minLength: 1, maxLength: 8 },
);

/** Commits of several events: additions, changes, repetitions and deletions, usually in a working fleet. */
export const histories: fc.Arbitrary<Event[][]> = fc
  .tuple(fc.boolean(), events)
  .map(([based, commits]) =>
    based ? [[...BASE, ...WORKLOADS].map((one) => ({ ...one, gone: false })), ...commits] : commits,
  );

/** As received over the wire: without the null prototypes of generated records. */
function plain(event: Event): Event {
  return JSON.parse(JSON.stringify(event)) as Event;
}

/** The final state. */
export function finalState(history: readonly (readonly Event[])[]): Placed[] {
  const state = new Map<string, Placed>();
  for (const { cluster, object, gone } of history.flat()) {
    const id = idOf(cluster, object);
    if (gone) state.delete(id);
    else state.set(id, { cluster, object });
  }
  return [...state.values()];
}

function idOf(cluster: string, { apiVersion, kind, metadata }: KubeObject): string {
  return canonicalJson([cluster, groupOf(apiVersion), kind, metadata.namespace, metadata.name]);
}

/** A control plane with an empty fleet. */
export function emptyPlane(plugin: LoadedPlugin = fakePlugin(), pages?: PageCodec): ControlPlane {
  const plane = sleepingPlane(plugin, pages === undefined ? {} : { pages });
  plane.shown.activate();
  return plane;
}

type PlaneOptions = Pick<ControlPlaneOptions, 'pages' | 'wholeStatuses'>;

/** The same, with inactive lazy collections. */
function sleepingPlane(plugin: LoadedPlugin = fakePlugin(), more: PlaneOptions = {}): ControlPlane {
  return createControlPlane(createGraph({ freeze: true }), { plugins: [plugin], hash: sha256, ...more });
}

/** Uncompressed pages, so small that the few objects of a random fleet fill several. */
export const smallPages: PageCodec = {
  pageLength: 1_000,
  pack: (text) => Buffer.from(text),
  unpack: (bytes) => Buffer.from(bytes).toString(),
};

/** Applies the events of one commit. */
export function apply({ graph, fleetState }: ControlPlane, events: readonly Event[]): void {
  graph.commit((transaction) => {
    for (const { cluster, object, gone } of events) {
      const { name, namespace = '' } = object.metadata;
      if (gone)
        deleteObject(transaction, fleetState, cluster, {
          group: groupOf(object.apiVersion),
          kind: object.kind,
          namespace,
          name,
        });
      else if (typeof (object as { readonly spec?: unknown }).spec === 'string')
        setUnreadable(transaction, fleetState, cluster, object, [
          { path: ['spec'], field: 'spec', message: 'spec must be an object' },
        ]);
      else setObject(transaction, fleetState, cluster, object);
    }
  });
}

/** A control plane that received everything in one commit, with inactive lazy collections. */
export function planeOf(state: readonly Placed[], plugin?: LoadedPlugin, options: PlaneOptions = {}): ControlPlane {
  const plane = sleepingPlane(plugin, options);
  apply(
    plane,
    state.map((one) => ({ ...one, gone: false })),
  );
  return plane;
}

/** The whole output of a control plane, as text, sorted by key. */
export function saidBy({ desired, statuses, shown, pendingDecisions }: ControlPlane): Record<string, string[]> {
  const lines = (collection: { entries(): Iterable<readonly [string, unknown]> }) =>
    [...collection.entries()].map(([key, value]) => `${key} ${canonicalJson(value)}`).sort();
  const fleet = shown.activate();
  return {
    desired: lines(desired),
    statuses: lines(statuses),
    discovered: lines(fleet.discovered),
    discoveredStatuses: lines(fleet.statuses),
    waitingPolicies: lines(pendingDecisions.policies),
    gonePolicies: lines(pendingDecisions.gone),
    waitingHosts: lines(pendingDecisions.hosts),
  };
}

/** The desired objects of these clusters only. */
export function desiredIn({ desired }: ControlPlane, clusters: readonly string[]): string[] {
  return [...desired.entries()]
    .filter(([key]) => clusters.includes(partsOf(key)[0] ?? ''))
    .map(([key, value]) => `${key} ${canonicalJson(value)}`)
    .sort();
}
