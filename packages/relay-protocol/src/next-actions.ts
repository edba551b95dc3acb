/** The next action for each error code of the relay. Messages hold the details; logs have both. */
import type { RelayErrorCode } from './error-code.ts';

/** A sentence each: the next action, or that none is needed. */
export const NEXT_ACTIONS: Readonly<Record<RelayErrorCode, string>> = {
  RELAY_E_PROTOCOL: 'Run compatible versions of server and agents: upgrade the older side.',
  RELAY_E_UNAUTHENTICATED:
    'Check that a KubernetesCluster declares the cluster, and register it again: meshctl cluster register NAME; in TLS-only mode, give its agent a token of meshctl token create NAME --long-lived.',
  RELAY_E_CLUSTER_NOT_DECLARED: 'Create a KubernetesCluster of that name; the agent keeps its token and asks again.',
  RELAY_E_IDENTITY_MISMATCH:
    'Set relay.cluster of the agent to the cluster of its credential, or register it under the other name.',
  RELAY_E_ALREADY_REGISTERED: 'If the key of its certificate is lost: meshctl cluster register NAME --replace.',
  RELAY_E_FENCED: 'No action needed: a newer leader of the same agent has taken over.',
  RELAY_E_SUPERSEDED: 'No action needed. If it repeats, find the second agent that uses this name.',
  RELAY_E_RESOURCE_EXHAUSTED:
    'Request less if the reason names a call; otherwise run compatible versions of server and agents.',
  RELAY_E_TIMEOUT:
    'No action needed: the agent reopens the stream. If it repeats, check the network between agent and server.',
  RELAY_E_DRAINING: 'No action needed: another replica answers.',
  RELAY_E_UNAVAILABLE:
    'Try again, as programs do automatically. If it repeats, check that the other side runs and is reachable; agents need relay.serverAddress, relay.authority and the root in relay-root-tls-secret.',
  RELAY_E_UNIMPLEMENTED: 'Upgrade the side that does not offer it, or configure it there.',
  RELAY_E_INTERNAL: 'Find the cause in the log of the side that failed, and report it.',
};
