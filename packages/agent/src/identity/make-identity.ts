/** Creates the configured identity. */
import type { AgentContext } from '../agent-context.ts';
import { ClientIdentity } from './client-identity.ts';
import { ProvidedIdentity } from './provided-identity.ts';
import type { RelayIdentity } from './relay-identity.ts';
import { TokenIdentity } from './token-identity.ts';

export function makeIdentity(agent: AgentContext): RelayIdentity {
  const { config, token, program } = agent;
  const options = { ...agent, namespace: config.namespace, logger: agent.logger.child('identity') };
  const { mode, clientCertificate: certificate } = config.relay;
  if (mode === 'tls') return new TokenIdentity({ ...options, token });
  if (certificate !== undefined) return new ProvidedIdentity({ ...options, certificate });
  return new ClientIdentity({ ...options, relay: config.relay, program });
}
