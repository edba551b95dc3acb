/**
 * The cluster through which an Envoy sends logs and metrics to its agent: every bootstrap defines it, and loggers
 * reference it.
 */
export const AGENT_CLUSTER = 'meshrelay-agent';
