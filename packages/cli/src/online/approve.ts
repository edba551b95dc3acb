/** Implements `meshctl approve`: lists held deletions, and approves them. */
import process from 'node:process';
import type { HeldDeletions, KubeObject, KubernetesCluster } from '@meshrelay/api';
import { type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import { APPROVE_ANNOTATION } from '@meshrelay/relay-core';
import { table } from '../output/table.ts';
import { InputError } from '../problem.ts';
import { changeObject } from './change-object.ts';
import type { ManagementOptions } from './management.ts';
import { waitUntil } from './wait-until.ts';

export interface ApproveOptions extends ManagementOptions {
  readonly list?: true;
  readonly digest?: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Lists the held deletions of one cluster or of all. */
export async function listHeld(management: KubeConnection, namespace: string, cluster?: string): Promise<void> {
  const clusters =
    cluster === undefined ? await clustersOf(management, namespace) : [await read(management, namespace, cluster)];
  const holding = clusters.filter(({ status }) => status?.heldDeletions !== undefined);
  if (holding.length === 0) process.stdout.write('no deletions are held\n');
  for (const { metadata, status } of holding)
    if (status?.heldDeletions !== undefined) show(metadata.name, status.heldDeletions);
}

/**
 * Approves the held deletions of a cluster, and waits for the server's confirmation.
 * @throws InputError
 */
export async function approveHeld(
  management: KubeConnection,
  cluster: string,
  { namespace, digest, timeout }: ApproveOptions,
): Promise<void> {
  const held = (await read(management, namespace, cluster)).status?.heldDeletions;
  if (held === undefined) return refuse(`no deletions are held in ${cluster}`);
  if (digest !== undefined && digest !== held.digest)
    return refuse(
      `the held deletions of ${cluster} have digest ${held.digest}, not ${digest}; review them with --list`,
    );
  show(cluster, held);
  await changeObject(management, 'KubernetesCluster', { namespace, name: cluster }, (object) => {
    const annotations = { ...object.metadata.annotations, [APPROVE_ANNOTATION]: held.digest };
    return { ...object, metadata: { ...object.metadata, annotations } };
  });
  process.stdout.write(`approved: these ${held.count} objects of ${cluster}, and no others, may be deleted\n`);
  await untilTaken(management, { cluster, namespace, digest: held.digest, timeout });
}

function refuse(message: string): void {
  process.stdout.write(`${message}\n`);
  process.exitCode = 2;
}

interface Waiting {
  readonly cluster: string;
  readonly namespace: string;
  readonly digest: string;
  readonly timeout: number;
}

async function untilTaken(management: KubeConnection, { cluster, namespace, digest, timeout }: Waiting): Promise<void> {
  if (timeout === 0) return;
  const taken = async (): Promise<boolean> =>
    (await read(management, namespace, cluster)).status?.heldDeletions?.digest !== digest;
  await waitUntil({ timeout }, taken, () => {
    return 'the server applies the approval; meshctl check shows whether a server leads';
  });
  process.stdout.write('the server has applied the approval\n');
}

function show(cluster: string, { digest, count, outputs }: HeldDeletions): void {
  process.stdout.write(`${cluster}: ${count} objects would be deleted, digest ${digest}\n`);
  const rows = outputs.map(({ kind, group, namespace, name }) => [`${kind}.${group}`, namespace || '-', name]);
  process.stdout.write(
    table(
      ['  KIND', 'NAMESPACE', 'NAME'],
      rows.map(([kind = '', ...rest]) => [`  ${kind}`, ...rest]),
    ),
  );
  const more = count - outputs.length;
  if (more > 0)
    process.stdout.write(
      `  and ${more} more; the server's HTTP API names all of them, at /api/v1/clusters/${cluster}\n`,
    );
}

async function clustersOf(management: KubeConnection, namespace: string): Promise<KubernetesCluster[]> {
  return (await management.objects(meshrelayKind('KubernetesCluster')).list({ namespace })) as KubernetesCluster[];
}

async function read(management: KubeConnection, namespace: string, name: string): Promise<KubernetesCluster> {
  const found: KubeObject | undefined = await management
    .objects(meshrelayKind('KubernetesCluster'))
    .read({ namespace, name });
  if (found === undefined)
    throw new InputError(`cluster ${name} is not registered; meshctl cluster list shows the registered clusters`);
  return found as KubernetesCluster;
}
