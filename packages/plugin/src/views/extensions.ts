/** The extensions of workloads, and of the meshes that they are in. */

import type { AccessLogRuleView } from './access-log.ts';
import type { MeshFacts, WorkloadFacts } from './facts.ts';
import type { WasmFilterView } from './wasm.ts';

/** The extensions of a workload's proxies; only for workloads of a mesh that some policy extends. */
export interface WorkloadExtensionsView {
  readonly workload: WorkloadFacts;
  /**
   * An entry is logged if any rule requests it, with the names from all rules that request it. Equal rules are merged,
   * in order of precedence.
   */
  readonly accessLog: readonly AccessLogRuleView[];
  /** In the order in which requests pass the filters of one phase. */
  readonly wasm: readonly WasmFilterView[];
}

/** What the extensions of its workloads require of a mesh as a whole; only for meshes with such workloads. */
export interface MeshExtensionsView {
  readonly mesh: MeshFacts;
  /** The rules of all of its workloads, without duplicates. */
  readonly accessLog: readonly AccessLogRuleView[];
}
