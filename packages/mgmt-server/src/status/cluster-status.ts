/** Agent fields of a KubernetesCluster's status: correct in degraded operation, and unchanged while nothing changes. */
import type { Condition, KubernetesClusterStatus } from '@meshrelay/api';
import type { Unheard } from '../relay/connections.ts';
import type { ClusterRecord } from './cluster-record.ts';
import type { NotSent } from './not-sent.ts';

export type AgentStatus = Pick<
  KubernetesClusterStatus,
  | 'connectedReplica'
  | 'certificateExpiry'
  | 'lag'
  | 'inputLag'
  | 'inputVersion'
  | 'lastHeardAt'
  | 'lastReplica'
  | 'agentVersion'
  | 'capabilities'
>;
export type UntimedCondition = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>;

/** Next action for each condition, as the end of its message; conditions that are not listed need none. */
export const NEXT_ACTIONS: Readonly<Record<string, string>> = {
  ReplicaSilent: 'see that this replica of the server runs and what its log says of Redis',
  SafeMode: 'bring back the agent of a cluster that is named, or set spec.suspended of its KubernetesCluster',
  StoreUnreachable: 'see that every replica of the server reaches Redis',
  NotSeen: 'see that its agent runs and what its log says',
  AgentDisconnected: 'see that its agent runs and what its log says: a refusal is there with its reason and what to do',
  ObjectsMissing: 'nothing of the cluster is deleted before they get here or are gone',
  NotSynced: 'where that lasts, the log of the agent names the watch that fails',
  LastGood: 'mend them as each says',
  Lagging: 'where that lasts, see the load of this server and the network to the agent',
  ServerBehind: 'bring back the agent of a cluster that is named, or set spec.suspended of its KubernetesCluster',
  Refused: 'meshctl check names the policies, and those what to do',
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Steps of reported lags, so that a status is not written every second. */
const STEPS: ReadonlyArray<readonly [number, string]> = [
  [60 * MINUTE, '1h'],
  [10 * MINUTE, '10m'],
  [MINUTE, '1m'],
  [30 * SECOND, '30s'],
  [5 * SECOND, '5s'],
];

/** The step that a lag has reached, as a Go-style duration. */
export function lagStep(milliseconds: number): string {
  return STEPS.find(([least]) => milliseconds >= least)?.[1] ?? '0s';
}

/** The status fields derived from a cluster's record. */
export function agentStatus(record: ClusterRecord): AgentStatus {
  const { connected, replica, certificateExpiry, lastHeardAt, program, capabilities, inputs, outputs } = record;
  const version = inputs.version === undefined ? {} : { inputVersion: `${inputs.version.term}/${inputs.version.seq}` };
  const common = { ...version, ...(program === '' ? {} : { agentVersion: program }), capabilities };
  if (!connected) return { ...common, ...(lastHeardAt === undefined ? {} : { lastHeardAt }), lastReplica: replica };
  return {
    ...common,
    connectedReplica: replica,
    lag: lagStep(outputs.lag),
    inputLag: lagStep(inputs.lag),
    ...(certificateExpiry === undefined ? {} : { certificateExpiry }),
  };
}

/**
 * Last status of an agent whose present state is unknown, such as after a restart of all servers: its old fields,
 * marked as disconnected.
 * @param until until when it was connected, if it was reported as connected
 */
export function agentStatusBefore(before: AgentStatus, until: Date): AgentStatus {
  const { connectedReplica, lastReplica = connectedReplica, inputVersion, agentVersion, capabilities } = before;
  const lastHeardAt = connectedReplica === undefined ? before.lastHeardAt : until.toISOString();
  return {
    ...(inputVersion === undefined ? {} : { inputVersion }),
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(lastHeardAt === undefined ? {} : { lastHeardAt }),
    ...(lastReplica === undefined ? {} : { lastReplica }),
  };
}

/** Facts about a cluster that are not in its record. */
export interface ClusterCircumstances {
  /** Why the state of its agent is unknown. */
  readonly unheard?: Unheard | undefined;
  /** Last status of its agent, for a cluster without a record. */
  readonly agent?: AgentStatus | undefined;
  /** Why nothing is sent to it. */
  readonly notSent?: NotSent | undefined;
  /** Why the server cannot reach a directly registered cluster. */
  readonly problem?: string | undefined;
}

/** The present conditions of a cluster. */
export function clusterConditions(
  record: ClusterRecord | undefined,
  { problem, ...circumstances }: ClusterCircumstances = {},
): UntimedCondition[] {
  const conditions = agentConditions(record, circumstances);
  if (problem === undefined) return conditions;
  if (record?.connected === true) return [...conditions, condition('KubeconfigUsable', 'False', 'NotUsable', problem)];
  // The messages would be about an agent, which such a cluster does not have.
  const unknown = `the state of the cluster is unknown: ${problem}`;
  return conditions.map(({ type, status, ...others }) => {
    if (type === 'Connected') return condition(type, 'False', 'NotReached', problem);
    return status === 'Unknown' ? condition(type, status, 'NotReached', unknown) : { type, status, ...others };
  });
}

function agentConditions(
  record: ClusterRecord | undefined,
  { unheard, agent: { lastReplica, lastHeardAt } = {}, notSent }: Omit<ClusterCircumstances, 'problem'>,
): UntimedCondition[] {
  const unknown = (reason: string, message: string): UntimedCondition[] =>
    ['Connected', 'InputsComplete', 'OutputsCurrent'].map((type) =>
      type === 'OutputsCurrent' && notSent !== undefined
        ? condition(type, 'False', notSent.reason, notSent.message)
        : condition(type, 'Unknown', reason, message),
    );
  const last =
    lastReplica === undefined ? '' : `; it was last connected to replica ${lastReplica}, until ${lastHeardAt}`;
  if (unheard !== undefined) {
    const { silentReplica, since } = unheard;
    const time = since.toISOString().replace(/\.\d+Z$/, 'Z');
    if (silentReplica !== undefined)
      return unknown(
        'ReplicaSilent',
        `replica ${silentReplica}, which the agent was connected to, has not been heard of since ${time}: what is known of the cluster is of that time`,
      );
    const known =
      record === undefined
        ? `no agent of this cluster has been here before${last}; one may be connected to another replica`
        : `the agent was connected to replica ${record.replica} then, and what is known of the cluster is of that time`;
    return unknown('StoreUnreachable', `Redis is not reached since ${time}: ${known}`);
  }
  if (record === undefined)
    return unknown('NotSeen', `no agent of this cluster has been here since this server began${last}`);
  return [connected(record), inputsComplete(record), outputsCurrent(record, notSent)];
}

function connected({ connected: is, replica, lastHeardAt }: ClusterRecord): UntimedCondition {
  if (is) return condition('Connected', 'True', 'AgentConnected', `the agent is connected to replica ${replica}`);
  const since = lastHeardAt === undefined ? '' : ` since ${lastHeardAt}`;
  const words = `the agent has not been connected${since}; its cluster keeps what it has, and what is known of it grows old`;
  return condition('Connected', 'False', 'AgentDisconnected', words);
}

function inputsComplete({ inputs: { complete, missing, missingCount, lag } }: ClusterRecord): UntimedCondition {
  const type = 'InputsComplete';
  if (!complete && missingCount > 0) {
    const words = `${missingCount} objects do not get here, such as ${missing.join(', ')}`;
    return condition(type, 'False', 'ObjectsMissing', words);
  }
  if (!complete) return condition(type, 'False', 'NotSynced', 'the agent has not told all of its cluster yet');
  if (missingCount > 0) {
    const words = `of ${missingCount} objects an earlier state is in force, such as ${missing.join(', ')}`;
    return condition(type, 'True', 'LastGood', words);
  }
  if (lagStep(lag) === '0s') return condition(type, 'True', 'Synced', 'everything the agent tells of is known');
  return condition(type, 'True', 'Lagging', `the agent has changes that it could not tell for ${lagStep(lag)}`);
}

function outputsCurrent(
  { connected: is, outputs: { behind, refused, lag } }: ClusterRecord,
  notSent: NotSent | undefined,
): UntimedCondition {
  const type = 'OutputsCurrent';
  if (notSent !== undefined) return condition(type, 'False', notSent.reason, notSent.message);
  if (!is)
    return condition(type, 'Unknown', 'AgentDisconnected', 'what the cluster has cannot be told without its agent');
  if (behind.length > 0) {
    const words = `the agent has seen newer inputs than this server (${behind.join(', ')}), and takes nothing until it has them too`;
    return condition(type, 'False', 'ServerBehind', words);
  }
  if (refused > 0) return condition(type, 'False', 'Refused', `${refused} objects were not taken`);
  if (lagStep(lag) !== '0s')
    return condition(type, 'False', 'Lagging', `outputs have not been acknowledged for ${lagStep(lag)}`);
  return condition(type, 'True', 'Acknowledged', 'the agent has acknowledged everything sent to it');
}

function condition(type: string, status: Condition['status'], reason: string, message: string): UntimedCondition {
  const next = NEXT_ACTIONS[reason];
  return { type, status, reason, message: next === undefined ? message : `${message}; ${next}` };
}
