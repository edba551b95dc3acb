/** Fleets on this machine: simulated clusters, with the real server and agents as processes. */
export {
  type ClusterPlan,
  joinCluster,
  NAMESPACE,
  type RunningCluster,
  startCluster,
} from './cluster.ts';
export { type AppliedObject, applied, type Converged, converge, type Expectation } from './converge.ts';
export { type EnvoyFiles, envoyFiles } from './envoy-files.ts';
export { type LogLine, Program, type ProgramPlan, type Runtime } from './program.ts';
export {
  type AgentSpec,
  type ElectionTimes,
  type ReplicaSpec,
  type ServerSpec,
  startAgent,
  startServer,
} from './replicas.ts';
export { RunFolder } from './run-folder.ts';
export {
  type ClusterItem,
  type Convergence,
  type Item,
  type OutputItem,
  type PolicyItem,
  ServerApi,
} from './server-api.ts';
export { NotConverged, until, type WaitOptions } from './wait.ts';
