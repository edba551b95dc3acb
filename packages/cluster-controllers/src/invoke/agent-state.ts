/** Answers `agent.state`: the state of the leader as it sees itself. */
import type { AgentRejection, AgentState, Handler } from '@meshrelay/relay-protocol';
import type { ClusterWork } from '../controllers/cluster-work.ts';
import type { RelayWork } from '../relay/relay-work.ts';

const MAX_REJECTIONS = 50;

export interface StateSources {
  readonly cluster: string;
  readonly program: string;
  readonly term: number;
  readonly work: Pick<ClusterWork, 'table' | 'desired' | 'outputs' | 'refused' | 'ledger' | 'inputs'>;
  readonly streams: Pick<RelayWork, 'depth' | 'serverCapabilities'>;
}

export function agentStateHandler(sources: StateSources): Handler<'agent.state'> {
  return { read: () => ({}), run: () => agentState(sources) };
}

function agentState({ cluster, program, term, work, streams }: StateSources): AgentState {
  const { table, desired, outputs, refused, ledger, inputs } = work;
  return {
    cluster,
    program,
    term,
    applied: Object.fromEntries([...ledger.vector].map(([name, version]) => [name, textOf(version)])),
    pushed: {
      objects: table.content.size,
      bytes: table.content.bytes,
      waiting: streams.depth,
      unknown: inputs.unknown(),
    },
    outputs: { desired: desired.size, complete: desired.complete, contested: outputs.repairs.contested },
    rejected: [...refused.values()].slice(0, MAX_REJECTIONS) satisfies readonly AgentRejection[],
    rejectedCount: refused.size,
    serverCapabilities: streams.serverCapabilities,
  };
}

function textOf(version: 'gone' | { readonly term: number; readonly seq: number }): string {
  return version === 'gone' ? version : `${version.term}/${version.seq}`;
}
