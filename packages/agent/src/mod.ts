/** The Meshrelay agent: one per workload cluster. */
export { type Agent, type AgentDependencies, startAgent } from './agent.ts';
export { AGENT_FIELDS, type AgentConfig, agentConfig } from './config/config.ts';
