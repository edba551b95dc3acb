/** What an explanation uses besides the graph. */
import type { Key } from '@meshrelay/plugin';
import type { ComputedStatus, EvaluatedPolicy } from '../status/mod.ts';

/** Facts that only a host with agents knows. */
export interface ExplainContext {
  /** The status with the responses of agents. */
  readonly statusOf?: (evaluated: EvaluatedPolicy) => ComputedStatus;
  /** Why an object could not be applied. */
  readonly rejectionOf?: (cluster: string, output: Key) => string | undefined;
  /** Why nothing is currently sent to a cluster, so that desired and actual state differ; undefined if it is sent. */
  readonly notSentTo?: (cluster: string) => string | undefined;
}
