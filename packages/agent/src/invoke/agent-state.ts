/** Answers `agent.state`: the state of the leader as it sees itself. */
import type { AgentRejection, AgentState, Handler } from '@meshrelay/relay-protocol';
import type { LeaderTerm } from '../leadership/leader-term.ts';
import { PROGRAM } from '../status/program.ts';

const MAX_REJECTIONS = 50;

/** The part of a leader term that the answer contains. */
export type StateSource = Pick<
  LeaderTerm,
  'term' | 'table' | 'desired' | 'repairs' | 'refused' | 'ledger' | 'inputs' | 'relay'
>;

export function agentStateHandler(cluster: string, leaderTerm: StateSource): Handler<'agent.state'> {
  return { read: () => ({}), run: () => agentState(cluster, leaderTerm) };
}

export function agentState(cluster: string, leaderTerm: StateSource): AgentState {
  const { term, table, desired, repairs, refused, ledger, inputs, relay } = leaderTerm;
  return {
    cluster,
    program: PROGRAM,
    term,
    applied: Object.fromEntries([...(ledger?.vector ?? [])].map(([name, version]) => [name, textOf(version)])),
    pushed: {
      objects: table.content.size,
      bytes: table.content.bytes,
      waiting: relay?.depth ?? 0,
      unknown: inputs?.unknown() ?? ['the watches have not started yet'],
    },
    outputs: { desired: desired.size, complete: desired.complete, contested: repairs.contested },
    rejected: [...refused.values()].slice(0, MAX_REJECTIONS) satisfies readonly AgentRejection[],
    rejectedCount: refused.size,
    serverCapabilities: relay?.serverCapabilities ?? [],
  };
}

function textOf(version: 'gone' | { readonly term: number; readonly seq: number }): string {
  return version === 'gone' ? version : `${version.term}/${version.seq}`;
}
