/** What agents refused or could not apply, by the policies it was for: a mesh's "no" belongs on the policy. */
import type { Report } from '@meshrelay/api';
import { type ControlPlane, desiredKey, type Key, policyKey } from '@meshrelay/relay-core';
import type { Connections } from '../relay/connections.ts';

/** Reports under the keys of policies, about one cluster. */
export function refusalsByPolicy(
  { desired }: ControlPlane,
  connections: Connections,
  cluster: string,
): Map<Key, Report[]> {
  const result = new Map<Key, Report[]>();
  for (const { key: object, code, reason } of connections.of(cluster).refused.values()) {
    const wanted = desired.get(desiredKey(cluster, object, object.namespace, object.name));
    for (const policy of wanted?.because ?? []) {
      const report: Report = {
        code,
        severity: 'error',
        message: `${object.kind} ${object.namespace}/${object.name} could not be applied in cluster ${cluster}: ${reason}`,
      };
      result.set(policyKey(policy), [...(result.get(policyKey(policy)) ?? []), report]);
    }
  }
  return result;
}
