/** Agent fields of a KubernetesCluster's status: correct in degraded operation, and unchanged while nothing changes. */
import type { Condition, KubernetesClusterStatus } from '@meshrelay/api';
import type { Unheard } from '../relay/connections.ts';
import type { ClusterRecord } from './cluster-record.ts';
import { lagStep } from './lag-step.ts';
import type { NotSent } from './not-sent.ts';

export type AgentStatus = Pick<
  KubernetesClusterStatus,
  | 'connectedReplica'
  | 'certificateExpiry'
  | 'lag'
  | 'inputLag'
  | 'inputVersion'
  | 'lastConnectedTime'
  | 'lastReplica'
  | 'agentVersion'
  | 'capabilities'
>;
export type UntimedCondition = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>;

/** Next action for each condition, as the end of its message; conditions that are not listed need none. */
const NEXT_ACTIONS: Readonly<Record<string, string>> = {
  ReplicaSilent: 'check that this replica of the server runs, and see its log for Redis',
  SafeMode: 'reconnect the agent of the named cluster, or set spec.suspended of its KubernetesCluster',
  StoreUnreachable: 'check that every replica of the server reaches Redis',
  AgentNeverConnected: 'check that its agent runs, and see its log',
  AgentDisconnected: 'check that its agent runs; its log has each rejection with the reason and the next action',
  InputsRejected: 'the server deletes nothing in the cluster until they arrive or are deleted',
  NotSynced: 'if this persists, see the log of the agent for failing watches',
  UsingLastKnownGood: 'correct them as their messages say',
  Lagging: 'if this persists, check the load of this server and the network to the agent',
  ServerInputsStale: 'reconnect the agent of the named cluster, or set spec.suspended of its KubernetesCluster',
  OutputsRejected: 'meshctl check lists the policies, which report the next action',
  PluginFailed:
    'correct the plugin, or remove it from the configuration; until then objects whose source was not seen deleted stay',
};

/** The status fields derived from a cluster's record. */
export function agentStatus(record: ClusterRecord): AgentStatus {
  const { connected, replica, certificateExpiry, lastConnectedTime, program, capabilities, inputs, outputs } = record;
  const version = inputs.version === undefined ? {} : { inputVersion: `${inputs.version.term}/${inputs.version.seq}` };
  const common = { ...version, ...(program === '' ? {} : { agentVersion: program }), capabilities };
  if (!connected)
    return { ...common, ...(lastConnectedTime === undefined ? {} : { lastConnectedTime }), lastReplica: replica };
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
  const lastConnectedTime = connectedReplica === undefined ? before.lastConnectedTime : until.toISOString();
  return {
    ...(inputVersion === undefined ? {} : { inputVersion }),
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(lastConnectedTime === undefined ? {} : { lastConnectedTime }),
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
  { unheard, agent: { lastReplica, lastConnectedTime } = {}, notSent }: Omit<ClusterCircumstances, 'problem'>,
): UntimedCondition[] {
  const unknown = (reason: string, message: string): UntimedCondition[] =>
    ['Connected', 'InputsComplete', 'OutputsCurrent'].map((type) =>
      type === 'OutputsCurrent' && notSent !== undefined
        ? condition(type, 'False', notSent.reason, notSent.message)
        : condition(type, 'Unknown', reason, message),
    );
  const last =
    lastReplica === undefined ? '' : `; it was last connected to replica ${lastReplica}, until ${lastConnectedTime}`;
  if (unheard !== undefined) {
    const { silentReplica, since } = unheard;
    const time = since.toISOString().replace(/\.\d+Z$/, 'Z');
    if (silentReplica !== undefined)
      return unknown(
        'ReplicaSilent',
        `replica ${silentReplica}, to which the agent was connected, has sent nothing since ${time}; the state of the cluster is of that time`,
      );
    const known =
      record === undefined
        ? `no agent of this cluster connected to this replica before${last}; one may be connected to another replica`
        : `the agent was connected to replica ${record.replica} then, and the state of the cluster is of that time`;
    return unknown('StoreUnreachable', `Redis is unreachable since ${time}: ${known}`);
  }
  if (record === undefined)
    return unknown('AgentNeverConnected', `no agent of this cluster has connected since this server started${last}`);
  return [connected(record), inputsComplete(record), outputsCurrent(record, notSent), ...pluginsWork(record)];
}

function connected({ connected: is, replica, lastConnectedTime }: ClusterRecord): UntimedCondition {
  if (is) return condition('Connected', 'True', 'AgentConnected', `the agent is connected to replica ${replica}`);
  const since = lastConnectedTime === undefined ? '' : ` since ${lastConnectedTime}`;
  const words = `the agent is disconnected${since}; the cluster keeps its current configuration, and discovered data may be stale`;
  return condition('Connected', 'False', 'AgentDisconnected', words);
}

function inputsComplete({ inputs: { complete, missing, missingCount, lag } }: ClusterRecord): UntimedCondition {
  const type = 'InputsComplete';
  if (!complete && missingCount > 0) {
    const words = `the server rejects ${missingCount} objects, such as ${missing.join(', ')}`;
    return condition(type, 'False', 'InputsRejected', words);
  }
  if (!complete) return condition(type, 'False', 'NotSynced', 'the agent has not sent all watched kinds yet');
  if (missingCount > 0) {
    const words = `for ${missingCount} objects an earlier state stays applied, such as ${missing.join(', ')}`;
    return condition(type, 'True', 'UsingLastKnownGood', words);
  }
  if (lagStep(lag) === '0s') return condition(type, 'True', 'Synced', 'the server has everything that the agent sent');
  return condition(type, 'True', 'Lagging', `the agent has had unsent changes for ${lagStep(lag)}`);
}

/** Only while a plugin fails. */
function pluginsWork({ failedPlugins = [] }: ClusterRecord): readonly UntimedCondition[] {
  if (failedPlugins.length === 0) return [];
  const words = `discovery fails in these plugins, and the others continue: ${failedPlugins.join(', ')}`;
  return [condition('PluginsWork', 'False', 'PluginFailed', words)];
}

function outputsCurrent(
  { connected: is, outputs: { behind, refused, lag } }: ClusterRecord,
  notSent: NotSent | undefined,
): UntimedCondition {
  const type = 'OutputsCurrent';
  if (notSent !== undefined) return condition(type, 'False', notSent.reason, notSent.message);
  if (!is)
    return condition(
      type,
      'Unknown',
      'AgentDisconnected',
      'the state of the cluster is unknown while its agent is disconnected',
    );
  if (behind.length > 0) {
    const words = `the agent has newer inputs than this server (${behind.join(', ')}), and accepts no outputs until this server has them, too`;
    return condition(type, 'False', 'ServerInputsStale', words);
  }
  if (refused > 0) return condition(type, 'False', 'OutputsRejected', `${refused} objects were rejected`);
  if (lagStep(lag) !== '0s')
    return condition(type, 'False', 'Lagging', `outputs have not been acknowledged for ${lagStep(lag)}`);
  return condition(type, 'True', 'Acknowledged', 'the agent has acknowledged everything sent to it');
}

function condition(type: string, status: Condition['status'], reason: string, message: string): UntimedCondition {
  const next = NEXT_ACTIONS[reason];
  return { type, status, reason, message: next === undefined ? message : `${message}; ${next}` };
}
