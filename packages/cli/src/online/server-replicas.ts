/** The replicas of the management server, from their Leases. */
import type { KubeConnection } from '@meshrelay/kube';
import { PROBLEMS_ANNOTATION, PROGRAM_ANNOTATION, REPLICA_LEASES } from '@meshrelay/relay-core';
import { readLease } from './lease.ts';
import type { ServerPlace } from './server-lease.ts';
import { areNeighbours } from './versions.ts';

export interface ServerReplica {
  readonly name: string;
  /** Name and version of its program. */
  readonly program: string;
  /** Its problems, each a sentence; empty if it is healthy. */
  readonly problems: readonly string[];
}

/**
 * Every replica that was not shut down cleanly, by name. A killed replica that runs again under its name counts once:
 * its earlier Lease is its own, and no problem.
 * @throws KubeError
 */
export async function serverReplicas(
  management: KubeConnection,
  { namespace, now }: ServerPlace,
): Promise<ServerReplica[]> {
  const running: ServerReplica[] = [];
  const silent: ServerReplica[] = [];
  for (const name of REPLICA_LEASES) {
    const lease = await readLease(management, { namespace, name }, now);
    // Replicas take the first free Lease, and none is deleted.
    if (lease === undefined) break;
    const { holder, renewTime, isHeld, annotations } = lease;
    if (holder === undefined) continue;
    const replica = replicaOf(holder);
    const program = annotations[PROGRAM_ANNOTATION] ?? 'a program of unknown version';
    if (isHeld) {
      const noted = annotations[PROBLEMS_ANNOTATION];
      running.push({ name: replica, program, problems: noted === undefined ? [] : [`${replica}: ${noted}`] });
    } else {
      const problem = `${replica} has not renewed the Lease ${namespace}/${name} since ${renewTime}: it is frozen, disconnected or stopped`;
      silent.push({ name: replica, program, problems: [problem] });
    }
  }
  const gone = silent.filter(({ name }) => !running.some((other) => other.name === name));
  return [...running, ...gone].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The holder of a Lease is named REPLICA_UUID. */
function replicaOf(holder: string): string {
  const end = holder.lastIndexOf('_');
  return end > 0 ? holder.slice(0, end) : holder;
}

/** Problems with the combination of versions: only neighbouring releases may run together, during an upgrade. */
export function versionProblems(replicas: readonly ServerReplica[]): string[] {
  const programs = [...new Set(replicas.map(({ program }) => program))].sort();
  if (programs.every((program) => programs.every((other) => areNeighbours(program, other)))) return [];
  return [`versions that may not run together: ${programs.join(', ')}`];
}
