/** Maintains the streams to the management server. */
import { NAMESPACE } from '@meshrelay/relay-core';
import type { Handlers } from '@meshrelay/relay-protocol';
import type { ClusterContext } from '../cluster-context.ts';
import { DISCOVERED_KINDS, POLICY_KINDS } from '../input/kinds.ts';
import { agentStateHandler } from '../invoke/agent-state.ts';
import type { Term } from '../leadership/term.ts';
import { RelayWork } from '../relay/relay-work.ts';
import type { ServerTransport } from '../relay/server-transport.ts';
import type { ClusterWork } from './cluster-work.ts';

export interface StreamOptions {
  readonly transport: ServerTransport;
  /** Handlers of further server calls. */
  readonly handlers?: Handlers;
}

/** @param cluster is what the streams push from and apply to */
export function startStreams(
  { config, program, tracer, logger }: ClusterContext,
  term: Term,
  cluster: ClusterWork,
  { transport, handlers = {} }: StreamOptions,
): RelayWork {
  const { ledger, table, kinds, outputs, refused, loop } = cluster;
  return new RelayWork({
    cluster: config.relay.cluster,
    transport,
    term: term.number,
    table,
    pushed: [...DISCOVERED_KINDS, ...POLICY_KINDS, NAMESPACE, ...kinds.reported],
    written: kinds.taken,
    applier: outputs.applier,
    refused,
    vector: () => ledger.vector,
    vectorMoved: (vector) => ledger.note(vector),
    // According to the Lease, no other replica leads: the ledger was lost, and a higher term is needed.
    outdated: term.stop,
    handlers: (streams) => ({
      'agent.state': agentStateHandler({
        cluster: config.relay.cluster,
        program,
        term: term.number,
        work: cluster,
        streams,
      }),
      ...handlers,
    }),
    program,
    failedPlugins: loop.failedPlugins,
    tracer,
    logger: logger.child('relay'),
  });
}
