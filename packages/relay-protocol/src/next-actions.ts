/** The next action for each error code of the relay. Messages hold the details; logs have both. */
import type { RelayErrorCode } from './errors.ts';

/** A sentence each: the next action, or that none is needed. */
export const NEXT_ACTIONS: Readonly<Record<RelayErrorCode, string>> = {
  RELAY_E_PROTOCOL: 'Run server and agents in versions that fit together: upgrade the older.',
  RELAY_E_UNAUTHENTICATED:
    'Check that a KubernetesCluster declares the cluster, and register it again: meshctl cluster register NAME; in TLS-only mode, give its agent a token of meshctl token create NAME --standing.',
  RELAY_E_UNDECLARED: 'Create a KubernetesCluster of that name; the agent keeps its token and asks again.',
  RELAY_E_IDENTITY:
    'Set relay.cluster of the agent to the cluster that its credential is for, or register it under the other name.',
  RELAY_E_REGISTERED: 'Where the key of its certificate is lost: meshctl cluster register NAME --replace.',
  RELAY_E_OLD_TERM: 'Nothing is to be done: a newer leader of the same agent has taken over.',
  RELAY_E_SUPERSEDED:
    'Nothing is to be done, unless it comes again and again: then find the second agent that uses this name.',
  RELAY_E_LIMIT:
    'Ask for less where the reason names a question; else run server and agents in versions that fit together.',
  RELAY_E_STALE:
    'No action needed: the agent reopens the stream. If it repeats, check the network between agent and server.',
  RELAY_E_DRAINING: 'No action needed: another replica answers.',
  RELAY_E_UNAVAILABLE:
    'Try again, as programs do by themselves. Where it goes on, see that the other side runs and is reached: by agents with relay.serverAddress, relay.authority and the root in relay-root-tls-secret.',
  RELAY_E_UNIMPLEMENTED: 'Upgrade the side that does not offer it, or configure it there.',
  RELAY_E_INTERNAL: 'Look at the log of the side that failed for the cause, and report it.',
};
