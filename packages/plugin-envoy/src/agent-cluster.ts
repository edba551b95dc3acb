/** The cluster by which an Envoy sends logs and metrics to its agent: every bootstrap defines it, and loggers name it. */
export const AGENT_CLUSTER = 'meshrelay-agent';
