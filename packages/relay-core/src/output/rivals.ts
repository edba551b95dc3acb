/** Objects of users that are in the way of ours, by what they claim rather than by their names. */
import type { KubeObject, PolicyState, Report } from '@meshrelay/api';
import type { Collection, Graph, Index, Read } from '../graph/collection.ts';
import { key } from '../graph/key.ts';
import { groupOf, kindKey } from '../input/resource-kind.ts';
import type { Claim } from '../plugin/contract.ts';
import type { LoadedPlugin } from '../plugin/registry.ts';
import type { PresentObject } from '../store/world.ts';
import type { Proposal } from './desired.ts';

/** A user's object in the way of one of ours. */
export interface Rival {
  readonly claim: Claim;
  readonly object: KubeObject;
}

/** Finds the rivals of a proposal. Each look is recorded, so the choice is made again when a rival comes or goes. */
export type FindRivals = (proposal: Proposal, read: Read) => readonly Rival[];

const NONE: readonly never[] = [];

/** @param foreign what clusters have that is not ours */
export function rivalsAmong(
  graph: Graph,
  foreign: Collection<PresentObject>,
  plugins: readonly LoadedPlugin[],
): FindRivals {
  const claimants = plugins.map(({ plugin }) => plugin).filter(({ claims }) => claims !== undefined);
  const byName = new Map(claimants.map((plugin) => [plugin.name, plugin]));
  const byKind = new Map(claimants.flatMap((plugin) => plugin.writes.map((kind) => [kindKey(kind), plugin] as const)));
  const byClaim: Index<PresentObject> = graph.index(foreign, 'output/foreign-claims', ({ cluster, object }) => {
    const plugin = byKind.get(kindKey({ group: groupOf(object.apiVersion), kind: object.kind }));
    return (plugin?.claims?.(object) ?? []).map(({ what }) => key(cluster, object.kind, what));
  });
  // Where nobody but us has objects of a kind, which is so in most clusters, one look serves all of ours.
  const byKindOfCluster = graph.index(foreign, 'output/foreign-kinds', ({ cluster, object }) => [
    key(cluster, object.kind),
  ]);
  return ({ cluster, plugin, object }, read) => {
    const claims = byName.get(plugin)?.claims;
    if (claims === undefined || !read.any(byKindOfCluster, key(cluster, object.kind))) return NONE;
    return claims(object).flatMap((claim) =>
      read.by(byClaim, key(cluster, object.kind, claim.what)).map(([, found]) => ({ claim, object: found.object })),
    );
  };
}

/** What the policies behind a proposal are told of its rivals. */
export function rivalVerdict(
  { cluster, object }: Proposal,
  rivals: readonly Rival[],
): { readonly state: PolicyState; readonly report: Report } {
  const exclusive = rivals.some(({ claim }) => claim.exclusive);
  const [first] = rivals.filter(({ claim }) => claim.exclusive === exclusive);
  const related = rivals.slice(0, MAX_RELATED).map((rival) => {
    const { namespace = '', name } = rival.object.metadata;
    return { kind: rival.object.kind, namespace, name, cluster };
  });
  const [one] = related;
  const who = `${one?.kind} ${one?.namespace}/${one?.name} of cluster ${cluster} is not ours and`;
  return exclusive
    ? {
        state: 'CONFLICT',
        report: {
          code: 'CLAIMED',
          severity: 'error',
          message: `${who} has ${first?.claim.what}, which only one object can have; ${object.kind} ${object.metadata.name} is withheld until it is gone`,
          related,
        },
      }
    : {
        state: 'DEGRADED',
        report: {
          code: 'SHARED_CLAIM',
          severity: 'warning',
          message: `${who} speaks of ${first?.claim.what} too; which of both is in force is the mesh's choice, so remove one`,
          related,
        },
      };
}

const MAX_RELATED = 10;
