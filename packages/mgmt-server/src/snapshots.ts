/** Dumps the server's inputs and outputs, object by object and without secrets, for users on its machine. */
import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MANAGEMENT_CLUSTER } from '@meshrelay/relay-core';
import type { SnapshotStore, StoredObject } from '@meshrelay/store';
import { type HealthOptions, type HealthRoute, redactWhole } from '@meshrelay/telemetry';
import { isLocalHostHeader, isLoopback } from './http/local-only.ts';
import type { Fleet } from './store/fleet.ts';

export interface SnapshotSources {
  readonly fleet: Pick<Fleet, 'fleetState' | 'controlPlane'>;
  readonly store: Pick<SnapshotStore, 'clusters' | 'read'>;
}

/**
 * `/snapshots/input` and `/snapshots/output`: one line of JSON per object, streamed. Served to loopback clients only,
 * with a local Host header.
 */
export function snapshotRoutes(sources: SnapshotSources): NonNullable<HealthOptions['routes']> {
  return {
    '/snapshots/input': linesOf(() => inputLines(sources)),
    '/snapshots/output': linesOf(() => outputLines(sources)),
  };
}

function linesOf(lines: () => AsyncIterable<object>): HealthRoute {
  return async ({ method, socket, headers }, response) => {
    const isFromHere = isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, ''));
    if (!isFromHere || !isLocalHostHeader(headers.host)) {
      response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('snapshots are available on this machine only: use kubectl port-forward and localhost\n');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
    if (method === 'HEAD') {
      response.end();
      return;
    }
    try {
      await pipeline(Readable.from(texts(lines())), response);
    } catch (error) {
      if (!response.destroyed) throw error;
    }
  };
}

async function* texts(lines: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(redactWhole(line))}\n`;
}

/**
 * Objects of the management cluster, then a line about each cluster before its objects. Some objects have only a hash.
 */
async function* inputLines({ fleet: { fleetState }, store }: SnapshotSources): AsyncGenerator<object> {
  for (const source of [fleetState.settings, fleetState.ledgers])
    for (const [, object] of source.entries()) yield { cluster: MANAGEMENT_CLUSTER, object };
  for (const [, facts] of fleetState.clusters.entries()) yield { cluster: MANAGEMENT_CLUSTER, registered: facts };
  for (const [, { ref, object }] of fleetState.policies.entries())
    if (ref.cluster === MANAGEMENT_CLUSTER) yield { cluster: MANAGEMENT_CLUSTER, object };
  for (const cluster of await store.clusters()) {
    const snapshot = await store.read(cluster);
    if (snapshot === undefined) continue;
    const { version, complete, kinds } = snapshot;
    const known = kinds.map(({ objects, digest: _, ...kind }) => ({ ...kind, objects: objects.length }));
    yield { cluster, version, complete, kinds: known };
    for (const stored of kinds.flatMap(({ objects }) => objects)) yield { cluster, ...shown(stored) };
  }
}

function shown({ body, ...known }: StoredObject): object {
  if (body.byteLength === 0) return { known };
  try {
    return { object: JSON.parse(Buffer.from(body).toString('utf8')) as unknown };
  } catch (error) {
    return { known, unreadable: (error as Error).message };
  }
}

/** Every desired object of a cluster, with its source policies. */
async function* outputLines({ fleet: { controlPlane } }: SnapshotSources): AsyncGenerator<object> {
  for (const [, { cluster, plugin, sourcePolicies, object }] of controlPlane.desired.entries())
    yield { cluster, plugin, sourcePolicies, object };
}
