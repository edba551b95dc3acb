/**
 * Clusters for the online commands: simulated API servers with Meshrelay's CRDs, and the objects that a server and an
 * agent create.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@meshrelay/api';
import { crds } from '@meshrelay/api/crds';
import { connect, type KubeConnection, Secrets, secretKind } from '@meshrelay/kube';
import { type KubeSim, type KubeSimOptions, startKubeSim } from '@meshrelay/kube-sim';
import { CERTIFICATES_SECRET, readCertificateBook, writeCertificateBook } from '@meshrelay/pki';
import { CLIENT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import { temporaryFolder } from '@meshrelay/testing';
import { type AgentIdentity, issueIdentity } from './agent-identity.ts';

export const NAMESPACE = 'meshrelay';
export const ROOT_CA = '-----BEGIN CERTIFICATE-----\nroot\n-----END CERTIFICATE-----\n';

export interface TestCluster extends AsyncDisposable {
  readonly sim: KubeSim;
  readonly connection: KubeConnection;
  /** A temporary folder that contains the kubeconfig. */
  readonly folder: string;
  readonly kubeconfig: string;
}

type SimObject = NonNullable<KubeSimOptions['objects']>[number];

async function startCluster(name: string, objects: readonly unknown[]): Promise<TestCluster> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(temporaryFolder());
  const sim = cleanup.use(await startKubeSim({ name, controllers: false, objects: objects as readonly SimObject[] }));
  const kubeconfig = join(folder.path, 'kubeconfig');
  writeFileSync(kubeconfig, sim.kubeconfig, { mode: 0o600 });
  const connection = cleanup.use(connect({ file: kubeconfig }));
  const running = cleanup.move();
  return {
    sim,
    connection,
    folder: folder.path,
    kubeconfig,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A cluster in which the server has started, unless specified otherwise: its root CA exists. */
export function managementCluster({ started = true, withCrds = true } = {}): Promise<TestCluster> {
  return startCluster('management', [
    ...(withCrds ? crds : []),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    ...(started ? [secret('relay-root-tls-secret', { 'ca.crt': ROOT_CA })] : []),
  ]);
}

/** An empty cluster, without the namespace. */
export function workloadCluster(): Promise<TestCluster> {
  return startCluster('workload', []);
}

/** Acts as server and agent with a token of `cluster`: issues and records a certificate, and removes the token. */
export async function actAsAgent(
  { management, workload }: Readonly<Record<'management' | 'workload', TestCluster>>,
  cluster: string,
  now: Date,
): Promise<AgentIdentity> {
  const identity = await issueIdentity(cluster, now);
  await new Secrets(management.connection, NAMESPACE).update(CERTIFICATES_SECRET, (before) =>
    writeCertificateBook(readCertificateBook(before).supersede(cluster, identity.facts, now)),
  );
  const secrets = new Secrets(workload.connection, NAMESPACE);
  await secrets.update(CLIENT_SECRET, () => ({ 'tls.crt': identity.certificate, 'tls.key': identity.key }));
  await workload.connection.objects(secretKind).delete({ namespace: NAMESPACE, name: TOKEN_SECRET });
  return identity;
}

function secret(name: string, data: Readonly<Record<string, string>>): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE },
    type: 'Opaque',
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, btoa(value)])),
  } as unknown as KubeObject;
}
