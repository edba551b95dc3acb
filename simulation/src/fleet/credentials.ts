/**
 * The relay's certificates, created once by Meshrelay's own registration: generating keys takes longer than many whole
 * simulations.
 */

import type { KubeObject } from '@meshrelay/api';
import {
  CERTIFICATES_SECRET,
  createToken,
  readCertificateBook,
  TOKENS_KEY,
  TOKENS_SECRET,
  TokenRegistry,
} from '@meshrelay/pki';
import { ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import { EPOCH } from '../runtime/sim-process.ts';
import { MANAGEMENT, SimFleet } from './fleet.ts';
import { emptyCluster, kubernetesCluster, NAMESPACE } from './objects.ts';

/** The Secrets of each registered cluster, by host name. */
export type Credentials = Readonly<Record<string, readonly KubeObject[]>>;

/** Issued a day ago, so that clocks that are behind accept them. */
const DAY = 86_400_000;
/** Real milliseconds for registration, including all keys. */
const TIMEOUT_MS = 120_000;
/** Simulated milliseconds after which no program records anything more about new certificates. */
const NOTED = 60_000;
/** Milliseconds between two polls, in real and in simulated time. */
const STEP = 5;

/** Waits until a fleet has registered all of its clusters. @throws Error if registration does not complete */
export async function makeCredentials(clusters: number): Promise<Credentials> {
  const fleet = new SimFleet('credentials', { servers: 1, clusters, agents: 1, shared: false });
  fleet.timeOfDay = -DAY;
  fleet.put(MANAGEMENT, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } } as KubeObject);
  let book = new TokenRegistry([]);
  for (const [number, cluster] of fleet.clusters.entries()) {
    for (const object of emptyCluster(number)) fleet.put(cluster, object);
    fleet.put(MANAGEMENT, kubernetesCluster(cluster));
    const token = createToken();
    book = book.declare(token, cluster, new Date(EPOCH));
    fleet.put(cluster, secret(TOKEN_SECRET, { token: token.reveal() }));
  }
  fleet.put(MANAGEMENT, secret(TOKENS_SECRET, { [TOKENS_KEY]: JSON.stringify(book.records) }));
  let ended: unknown;
  fleet.onExit = (_, error) => {
    ended = error;
  };
  for (const name of fleet.places.keys()) fleet.start(name);
  const { scheduler } = fleet;
  const release = scheduler.hold();
  try {
    for (let waited = 0; !isRegistered(fleet); waited += STEP) {
      if (waited > TIMEOUT_MS) throw new Error('the clusters of the simulation did not register', { cause: ended });
      // Other threads generate keys, in real time.
      await new Promise((resume) => setTimeout(resume, STEP));
      const root = secretsOf(fleet, MANAGEMENT).find(({ metadata }) => metadata.name === ROOT_SECRET);
      if (root !== undefined) {
        const { 'ca.crt': roots } = (root as unknown as { data: Record<string, string> }).data;
        for (const cluster of fleet.clusters)
          if (fleet.api(cluster).get('/secrets', NAMESPACE, ROOT_SECRET) === undefined)
            fleet.put(cluster, secret(ROOT_SECRET, { 'ca.crt': atob(roots ?? '') }));
      }
      scheduler.runUntil(scheduler.now + STEP, () => true);
    }
    // Records that servers and agents still write must not depend on the time that keys took. A missing record would
    // change the course of every schedule.
    scheduler.runUntil(scheduler.now + NOTED, () => true);
    return Object.fromEntries([MANAGEMENT, ...fleet.clusters].map((host) => [host, secretsOf(fleet, host)]));
  } finally {
    release();
    fleet.end();
  }
}

/**
 * Whether every cluster has a certificate and has reported its trusted roots, which is the last record of a
 * registration.
 */
function isRegistered(fleet: SimFleet): boolean {
  const stored = fleet.api(MANAGEMENT).get('/secrets', NAMESPACE, CERTIFICATES_SECRET);
  const { data = {} } = (stored ?? {}) as { readonly data?: Readonly<Record<string, string>> };
  const book = readCertificateBook(Object.fromEntries(Object.entries(data).map(([name, text]) => [name, atob(text)])));
  return fleet.clusters.every((cluster) => book.of(cluster).trust?.issuer !== undefined);
}

function secretsOf(fleet: SimFleet, host: string): KubeObject[] {
  return fleet
    .api(host)
    .list('/secrets')
    .filter(({ metadata }) => metadata.name !== TOKEN_SECRET && metadata.name !== TOKENS_SECRET)
    .map(inOrder)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Sorts its fields by name, independent of the order of registration. */
function inOrder(object: KubeObject): KubeObject {
  const { data = {} } = object as { readonly data?: Readonly<Record<string, string>> };
  return {
    ...object,
    data: Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))),
  } as KubeObject;
}

function secret(name: string, data: Readonly<Record<string, string>>): KubeObject {
  const encoded = Object.entries(data).map(([field, value]) => [field, btoa(value)]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE },
    type: 'Opaque',
    data: Object.fromEntries(encoded),
  } as unknown as KubeObject;
}
