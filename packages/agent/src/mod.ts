/** The Meshrelay agent: one per workload cluster. */
export { type Agent, type AgentDependencies, startAgent } from './agent.ts';
export { AGENT_FIELDS, type AgentConfig, agentConfig, type MemberConfig } from './config/config.ts';
export { ElectionLog, type ElectionTrouble } from './leadership/election-log.ts';
export { type Member, type MemberOptions, startMember } from './member.ts';
export type { ServerTransport, TransportStreams } from './relay/server-transport.ts';
export { type ApplyCounters, applyCounters } from './status/metrics.ts';
