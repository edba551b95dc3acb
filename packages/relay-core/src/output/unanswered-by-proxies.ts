/**
 * Why some selected Envoys do not apply a policy, by the reports of their agents. They have not acknowledged it, are
 * not connected, or sent a NACK.
 */
import type { PolicyRef, XdsConfigStatus, XdsWorkloadCount } from '@meshrelay/api';
import { apiVersionOf, definitionOf } from '@meshrelay/api';
import { type Collection, type Key, key, type Read } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import { canonicalJson } from '../input/canonical.ts';
import type { PresentObject } from '../store/fleet-state.ts';
import type { PackedOutput } from '../translate/mod.ts';

const XDS_CONFIG = definitionOf('XdsConfig');
const API_VERSION = apiVersionOf(XDS_CONFIG);
const KIND = XDS_CONFIG.kind;

/** For one object. */
interface Unanswered {
  readonly cluster: string;
  /** Whether some Envoys have not acknowledged the current object. */
  readonly pending: boolean;
  /** Known workloads with Envoys that have not acknowledged it in time. */
  readonly waiting: readonly XdsWorkloadCount[];
  /** Replicas of the agent that do not report the responses of their Envoys. */
  readonly silentReplicas: readonly string[];
  /** Workloads with pods whose Envoys are not connected. */
  readonly disconnected: readonly XdsWorkloadCount[];
  /** Whether some Envoys reject a part of it. */
  readonly nacked: boolean;
}

/** The same for one of the source policies of the object. */
export interface PolicyUnanswered extends Unanswered {
  readonly policy: PolicyRef;
}

interface ClusterDisconnected {
  readonly cluster: string;
  readonly workloads: readonly XdsWorkloadCount[];
}

/**
 * @param present the existing objects of clusters, under the keys of `desired`
 * @returns policies that are not applied in all Envoys; empty if every policy is
 */
export function unansweredByProxies(
  graph: Graph,
  { present, desired }: { readonly present: Collection<PresentObject>; readonly desired: Collection<PackedOutput> },
): Collection<PolicyUnanswered> {
  const disconnected = graph.derive(
    'output/disconnected-proxies',
    present,
    (found): ClusterDisconnected | undefined => {
      const { disconnected: workloads = [] } = statusOf(found)?.acknowledgement ?? {};
      return workloads.length === 0 ? undefined : { cluster: found.cluster, workloads };
    },
  );
  const byCluster = graph.index(disconnected, 'output/disconnected-by-cluster', ({ cluster }) => [key(cluster)]);
  /** An object with listeners applies to its own proxies; one without applies to all proxies of the cluster. */
  const disconnectedFrom = ({ cluster, object }: PresentObject, read: Read, at: Key): readonly XdsWorkloadCount[] => {
    const { proxies = [] } = (object.value.spec ?? {}) as { proxies?: readonly { listeners: readonly string[] }[] };
    if (proxies.some(({ listeners }) => listeners.length > 0)) return read.get(disconnected, at)?.workloads ?? [];
    return read.by(byCluster, key(cluster)).flatMap(([, { workloads }]) => workloads);
  };
  return graph.deriveMany('output/unanswered', present, (found, read, at) => {
    if (!isXdsConfig(found)) return [];
    const by = read.get(desired, at);
    if (by === undefined) return [];
    const { nacked = {}, acknowledgement } = statusOf(found) ?? {};
    const { generation, waiting = [], silentReplicas = [] } = acknowledgement ?? {};
    const one: Unanswered = {
      cluster: found.cluster,
      pending: generation !== found.object.value.metadata.generation || !isAsDesired(found, by),
      waiting,
      silentReplicas,
      disconnected: disconnectedFrom(found, read, at),
      nacked: Object.keys(nacked).length > 0,
    };
    if (!one.pending && !one.nacked && one.disconnected.length === 0) return [];
    return by.about.sourcePolicies.map((policy, position): readonly [Key, PolicyUnanswered] => [
      key(at, String(position)),
      { ...one, policy },
    ]);
  });
}

/** Reports of agents about another version of the object do not count for the desired one. */
function isAsDesired({ object }: PresentObject, { value }: PackedOutput): boolean {
  return canonicalJson(object.value.spec ?? {}) === canonicalJson(value.object.spec ?? {});
}

function isXdsConfig({ object: { value } }: PresentObject): boolean {
  return value.kind === KIND && value.apiVersion === API_VERSION;
}

function statusOf(found: PresentObject): XdsConfigStatus | undefined {
  return isXdsConfig(found) ? (found.object.value['status'] as XdsConfigStatus | undefined) : undefined;
}
