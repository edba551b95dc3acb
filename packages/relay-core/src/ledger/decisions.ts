/** Decisions that wait to be made: which policies have their turn to be remembered, which hosts need a virtual IP. */
import type { LedgerCluster, LedgerPolicy, LedgerVip } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { Hasher } from '../input/canonical.ts';
import { compareRefs } from '../resolve/precedence.ts';
import type { Resolved } from '../resolve/resolve.ts';
import type { JudgedPolicy } from '../status/policy-status.ts';
import type { World } from '../store/world.ts';
import { allocateVirtualIps } from './virtual-ips.ts';

export interface Undecided {
  /** Policies in force that have no acceptance sequence. */
  readonly policies: Collection<JudgedPolicy>;
  /** Federated hosts without an address, under `key(host)`. */
  readonly hosts: Collection<string>;
}

/** New entries for the ledger. */
export interface Decisions {
  readonly policies: readonly LedgerPolicy[];
  readonly vips: readonly LedgerVip[];
  /** Clusters that have synced for the first time. */
  readonly clusters: readonly LedgerCluster[];
}

export function undecided(
  graph: Graph,
  world: World,
  resolved: Resolved,
  statuses: Collection<JudgedPolicy>,
): Undecided {
  const hosts = graph.group(
    'ledger/hosts',
    resolved.federation.exported,
    ({ hostname }): Array<readonly [Key, string]> => [[key(hostname), hostname]],
  );
  return {
    policies: graph.derive('ledger/undecided-policies', statuses, (judged, read, policy) =>
      judged.inForce && !read.has(world.ledgerPolicies, policy) ? judged : undefined,
    ),
    hosts: graph.derive('ledger/undecided-hosts', hosts, ([host], read, hostKey) =>
      read.has(world.ledgerVips, hostKey) ? undefined : host,
    ),
  };
}

/** Decides everything that waits, in a fixed order. Undefined when nothing does. Only the holder of the Lease writes the result. */
export function decide(world: World, waiting: Undecided, hash: Hasher): Decisions | undefined {
  if (waiting.policies.size === 0 && waiting.hosts.size === 0) return undefined;
  let sequence = 0;
  if (waiting.policies.size > 0)
    for (const [, known] of world.ledgerPolicies.entries()) sequence = Math.max(sequence, known.sequence);
  const policies = [...waiting.policies.entries()]
    .map(([policy, { ref }]) => ({ ref, uid: world.policies.get(policy)?.object.metadata.uid }))
    .sort((a, b) => compareRefs(a.ref, b.ref))
    .map(({ ref, uid }): LedgerPolicy => {
      sequence += 1;
      return {
        kind: ref.kind,
        cluster: ref.cluster,
        namespace: ref.namespace,
        name: ref.name,
        ...(uid === undefined ? {} : { uid }),
        sequence,
      };
    });
  const taken = new Set([...world.ledgerVips.entries()].map(([, { address }]) => address));
  const hosts = [...waiting.hosts.entries()].map(([, host]) => host);
  return { policies, vips: allocateVirtualIps(hosts, taken, hash), clusters: [] };
}
