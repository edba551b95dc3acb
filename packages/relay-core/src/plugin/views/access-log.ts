/** The access log of a workload. */
import type { PolicyRef } from '@meshrelay/api';
import type { AccessLogRuleParts } from '../../fields/access-log/mod.ts';
import type { MeshFacts, WorkloadFacts } from './facts.ts';
import type { WasmFilterView } from './wasm.ts';

/**
 * One rule for log entries. Names of headers and trailers are in lower case; all lists of names are sorted, each name
 * once.
 */
export interface AccessLogRuleView extends AccessLogRuleParts {
  readonly from: readonly PolicyRef[];
}

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
