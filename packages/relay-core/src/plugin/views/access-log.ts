/** The access log of a workload. */
import type { PolicyRef } from '@meshrelay/api';
import type { MeshFacts, WorkloadFacts } from './facts.ts';
import type { NamedValueMatch } from './route.ts';
import type { WasmFilterView } from './wasm.ts';

/** Matches an entry by one property: the status of its response, or a header of its request. */
export type AccessLogFilterView =
  /**
   * Never matches an entry without a status, such as that of a TCP connection; 0 is the status of a request without a
   * response.
   */
  | { readonly status: { readonly value: number; readonly comparator: 'EQ' | 'GE' | 'LE' } }
  /** The name in lower case; `:method`, `:path`, `:authority` and `:scheme` too. */
  | { readonly header: NamedValueMatch };

/**
 * One rule for log entries. Names of headers and trailers are in lower case; all lists of names are sorted, each name
 * once.
 */
export interface AccessLogRuleView {
  /** An entry is logged if any of them matches; empty: every entry. */
  readonly filters: readonly AccessLogFilterView[];
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: readonly string[];
  readonly responseTrailers: readonly string[];
  /** Names of objects in Envoy's filter state. */
  readonly filterState: readonly string[];
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
