/** The answer to `agent.state`: how the leader stands, as it sees itself. */
import type { AgentRefusal, AgentState, Handler } from '@meshrelay/relay-protocol';
import type { Reign } from '../leadership/reign.ts';
import { PROGRAM } from '../status/program.ts';

const MOST_REFUSALS = 50;

/** What of a reign is told. */
export type StateSource = Pick<
  Reign,
  'term' | 'table' | 'desired' | 'repairs' | 'refused' | 'ledger' | 'inputs' | 'relay'
>;

export function agentStateHandler(cluster: string, reign: StateSource): Handler<'agent.state'> {
  return { read: () => ({}), run: () => agentState(cluster, reign) };
}

export function agentState(cluster: string, reign: StateSource): AgentState {
  const { term, table, desired, repairs, refused, ledger, inputs, relay } = reign;
  return {
    cluster,
    program: PROGRAM,
    term,
    applied: Object.fromEntries([...(ledger?.vector ?? [])].map(([name, version]) => [name, textOf(version)])),
    pushed: {
      objects: table.content.size,
      bytes: table.content.bytes,
      waiting: relay?.depth ?? 0,
      unknown: inputs?.unknown() ?? ['the watches are not begun yet'],
    },
    outputs: { desired: desired.size, complete: desired.complete, contested: repairs.contested },
    refused: [...refused.values()].slice(0, MOST_REFUSALS) satisfies readonly AgentRefusal[],
    refusedCount: refused.size,
    serverCapabilities: relay?.serverCapabilities ?? [],
  };
}

function textOf(version: 'gone' | { readonly term: number; readonly seq: number }): string {
  return version === 'gone' ? version : `${version.term}/${version.seq}`;
}
