/**
 * Virtual destinations in each mesh that can use them. There a name belongs to one virtual destination: the one
 * accepted first.
 */
import type { PolicyState, Report } from '@meshrelay/api';
import { type Collection, type Index, type Key, key, type MeshFacts, type Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { comparePrecedence, type Precedence } from '../../store/precedence.ts';
import type { Federation } from '../federation/mod.ts';
import type { Destinations } from '../inventory/mod.ts';
import type { VirtualMeshes } from '../virtual-meshes/mod.ts';
import { owns } from '../workspaces/mod.ts';
import {
  backendOf,
  federatedAs,
  federatedName,
  gatewayHostnameFor,
  ownService,
  serviceName,
  takenBy,
} from './hostname.ts';
import type { VirtualPlan } from './plan.ts';
import { inScope } from './scope.ts';

/** A virtual destination in one mesh. */
export interface VirtualConsumer {
  readonly virtualDestination: Key;
  readonly consumer: Key;
  readonly hostname: string;
  /** Why it has no effect there. */
  readonly rejection?: { readonly state: PolicyState; readonly report: Report };
  /** The Service of that cluster that has the same name. */
  readonly sameName?: Key;
}

export interface VirtualConsumers {
  /** Under {@link consumerKey}. */
  readonly all: Collection<VirtualConsumer>;
  /** The effective ones, by virtual destination. */
  readonly effective: Index<VirtualConsumer>;
  /** The effective ones, by the Service that has the same name. */
  readonly bySameName: Index<VirtualConsumer>;
}

interface Claim extends Precedence {
  readonly virtualDestination: Key;
  readonly consumer: Key;
  readonly hostname: string;
}

export function consumerKey(virtualDestination: Key, consumer: Key): Key {
  return key(virtualDestination, consumer);
}

export function virtualConsumers(
  graph: Graph,
  plans: Collection<VirtualPlan>,
  resolveContext: {
    readonly meshes: Collection<MeshFacts>;
    readonly destinations: Destinations;
    readonly virtualMeshes: VirtualMeshes;
    readonly federation: Federation;
  },
): VirtualConsumers {
  const pairs = graph.match('resolve/virtual-scopes', plans, resolveContext.virtualMeshes.memberships, {
    candidateBuckets: ({ scope }) => (scope.virtualMesh === undefined ? [] : [scope.virtualMesh]),
    bucketsOf: ({ virtualMesh }) => [virtualMesh],
    matches: (plan, { mesh }) => inScope(plan.scope, plan, mesh),
  });
  const claims = graph.derive('resolve/virtual-claims', pairs, ({ left, right }, read): Claim | undefined => {
    const plan = read.get(plans, left);
    if (plan === undefined) return undefined;
    const { ref, sequence, spec } = plan;
    return { virtualDestination: left, consumer: right, hostname: spec.hostname, ref, sequence };
  });
  const claimants = graph.group(
    'resolve/virtual-claimants',
    claims,
    (claim): Array<readonly [Key, Claim]> => [[key(claim.hostname, claim.consumer), claim]],
    comparePrecedence,
  );
  const all = graph.derive('resolve/virtual-consumers', claims, (claim, read): VirtualConsumer | undefined => {
    const { virtualDestination, consumer, hostname } = claim;
    const plan = read.get(plans, virtualDestination);
    const mesh = read.get(resolveContext.meshes, consumer);
    if (plan === undefined || mesh === undefined) return undefined;
    const one = { virtualDestination, consumer, hostname };
    const [winner] = read.get(claimants, key(hostname, consumer)) ?? [];
    if (winner !== undefined && winner.virtualDestination !== virtualDestination)
      return refused(one, takenBy(hostname, winner.ref, mesh));
    return evaluated(one, plan, mesh, read, resolveContext);
  });
  return {
    all,
    effective: graph.index(all, 'resolve/effective-virtual-consumers', ({ virtualDestination, rejection }) =>
      rejection === undefined ? [virtualDestination] : [],
    ),
    bySameName: graph.index(all, 'resolve/virtual-consumers-by-service', ({ sameName }) =>
      sameName === undefined ? [] : [sameName],
    ),
  };
}

function evaluated(
  one: VirtualConsumer,
  plan: VirtualPlan,
  mesh: MeshFacts,
  read: Read,
  { destinations, federation }: Parameters<typeof virtualConsumers>[2],
): VirtualConsumer {
  if (one.hostname.endsWith(`.${plan.gatewayHostnames}`))
    return refused(one, gatewayHostnameFor(plan.gatewayHostnames));
  const service = ownService(one.hostname, mesh, read, destinations);
  if (service !== undefined)
    return backendOf(plan, service.key) && owns(plan.authority, service)
      ? { ...one, sameName: service.key }
      : refused(one, serviceName(one.hostname, service));
  const federated = federatedAs(one.hostname, read, federation);
  return federated === undefined ? one : refused(one, federatedName(one.hostname, federated));
}

function refused(one: VirtualConsumer, report: Report): VirtualConsumer {
  return { ...one, rejection: { state: 'CONFLICT', report } };
}
