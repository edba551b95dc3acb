/** What keeps a policy from being in force at the Envoys it is for, as far as their agents know: they have not answered, are not connected, or refuse. */
import type { PolicyRef, XdsConfigStatus, XdsWorkloadCount } from '@meshrelay/api';
import { apiVersionOf, definitionOf } from '@meshrelay/api';
import type { Collection, Graph, Read } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import { canonicalJson } from '../input/canonical.ts';
import type { PresentObject } from '../store/fleet-state.ts';
import type { PackedOutput } from './packed-output.ts';

const XDS_CONFIG = definitionOf('XdsConfig');
const API_VERSION = apiVersionOf(XDS_CONFIG);
const KIND = XDS_CONFIG.kind;

/** Of one object. */
interface Unanswered {
  readonly cluster: string;
  /** Whether some have not answered the object as it is. */
  readonly pending: boolean;
  /** Workloads with Envoys that are late with that, as far as they are known. */
  readonly waiting: readonly XdsWorkloadCount[];
  /** Replicas of the agent that do not say what their Envoys answered. */
  readonly silentReplicas: readonly string[];
  /** Workloads with pods whose Envoys are not connected. */
  readonly disconnected: readonly XdsWorkloadCount[];
  /** Whether some refuse a part of it. */
  readonly refused: boolean;
}

/** The same for one of the policies behind the object. */
export interface PolicyUnanswered extends Unanswered {
  readonly policy: PolicyRef;
}

interface ClusterDisconnected {
  readonly cluster: string;
  readonly workloads: readonly XdsWorkloadCount[];
}

/** @param present what clusters have, under the keys of `desired` @returns what is not in force at all Envoys; nothing where all is well */
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
  /** An object that no proxy starts from is for all that there are. */
  const disconnectedFrom = ({ cluster, object }: PresentObject, read: Read, at: Key): readonly XdsWorkloadCount[] => {
    const { proxies = [] } = (object.value.spec ?? {}) as { proxies?: readonly { listeners: readonly string[] }[] };
    if (proxies.some(({ listeners }) => listeners.length > 0)) return read.get(disconnected, at)?.workloads ?? [];
    return read.by(byCluster, key(cluster)).flatMap(([, { workloads }]) => workloads);
  };
  return graph.deriveMany('output/unanswered', present, (found, read, at) => {
    if (!isXdsConfig(found)) return [];
    const by = read.get(desired, at);
    if (by === undefined) return [];
    const { refused = {}, acknowledgement } = statusOf(found) ?? {};
    const { generation, waiting = [], silentReplicas = [] } = acknowledgement ?? {};
    const one: Unanswered = {
      cluster: found.cluster,
      pending: generation !== found.object.value.metadata.generation || !isAsDesired(found, by),
      waiting,
      silentReplicas,
      disconnected: disconnectedFrom(found, read, at),
      refused: Object.keys(refused).length > 0,
    };
    if (!one.pending && !one.refused && one.disconnected.length === 0) return [];
    return by.about.sourcePolicies.map((policy, position): readonly [Key, PolicyUnanswered] => [
      key(at, String(position)),
      { ...one, policy },
    ]);
  });
}

/** What agents say of another object than the one that is desired says nothing of this one. */
function isAsDesired({ object }: PresentObject, { value }: PackedOutput): boolean {
  return canonicalJson(object.value.spec ?? {}) === canonicalJson(value.object.spec ?? {});
}

function isXdsConfig({ object: { value } }: PresentObject): boolean {
  return value.kind === KIND && value.apiVersion === API_VERSION;
}

function statusOf(found: PresentObject): XdsConfigStatus | undefined {
  return isXdsConfig(found) ? (found.object.value['status'] as XdsConfigStatus | undefined) : undefined;
}
