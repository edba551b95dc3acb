/** Records about a cluster's Lease in the history. */

import { AGENT_LEASE } from '../fleet/fault-fleet.ts';
import type { Replica } from '../fleet/replica.ts';
import type { Write } from '../history/history.ts';
import type { Trial } from './trial.ts';

/** When a replica wrote the Lease of its cluster's agent, as holder. Milliseconds since 1970. */
export function renewals(writes: readonly Write[], { name }: Replica, cluster: string): number[] {
  return writes
    .filter(
      (write) =>
        write.cluster === cluster &&
        write.resource === 'leases' &&
        write.object.metadata.name === AGENT_LEASE &&
        write.actor !== undefined &&
        holderOf(write).startsWith(name),
    )
    .map(({ at }) => at);
}

/** One renewal of a Lease. */
export interface Renewal {
  /** The name and the number of the process that holds it. */
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Every renewal of the Lease of a cluster's agent, by any holder. */
export function holders(writes: readonly Write[], cluster: string): Renewal[] {
  return writes
    .filter(
      (write) => write.cluster === cluster && write.resource === 'leases' && write.object.metadata.name === AGENT_LEASE,
    )
    .map((write) => ({ holder: holderOf(write), at: write.at }))
    .filter(({ holder }) => holder !== '');
}

/** Measures from the last renewal of one leader to the first of the next. */
export function measureFailover(trial: Trial, before: Replica, after: Replica, cluster: string = before.cluster): void {
  const all = trial.fleet.history.since(0);
  const last = renewals(all, before, cluster).at(-1);
  const first = renewals(trial.writes(), after, cluster).find((at) => last === undefined || at > last);
  if (last === undefined || first === undefined) throw new Error(`no renewals of ${before.name} and ${after.name}`);
  trial.measure('new leader', first - last);
}

function holderOf({ object }: Write): string {
  return (object['spec'] as { readonly holderIdentity?: string } | undefined)?.holderIdentity ?? '';
}
