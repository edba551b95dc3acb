/** What is logged of the requests of a workload. */
import type { PolicyRef } from '@meshrelay/api';
import type { MeshFacts, WorkloadFacts } from './facts.ts';
import type { NamedValueMatch } from './route.ts';
import type { WasmFilterView } from './wasm.ts';

/** Met by an entry in one way: by the status of its response, or by a header of its request. */
export type AccessLogFilterView =
  /** An entry without a status, as of a TCP connection, is never met; 0 is that of a request without a response. */
  | { readonly status: { readonly value: number; readonly comparator: 'EQ' | 'GE' | 'LE' } }
  /** The name in lower case; `:method`, `:path`, `:authority` and `:scheme` too. */
  | { readonly header: NamedValueMatch };

/** One wish for entries. Names of headers and trailers are in lower case; all lists of names are sorted, each name once. */
export interface AccessLogRuleView {
  /** An entry is logged when any of them is met; empty: every entry. */
  readonly filters: readonly AccessLogFilterView[];
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: readonly string[];
  readonly responseTrailers: readonly string[];
  /** Names of objects of Envoy's filter state. */
  readonly filterState: readonly string[];
  readonly from: readonly PolicyRef[];
}

/** What extends the proxies of a workload; only of workloads of a mesh that some policy extends. */
export interface WorkloadExtensionsView {
  readonly workload: WorkloadFacts;
  /** An entry is logged that any rule asks for, with the names of all rules that ask for it. Wishes that are equal are one, in order of precedence. */
  readonly accessLog: readonly AccessLogRuleView[];
  /** In the order in which requests meet those of one phase. */
  readonly wasm: readonly WasmFilterView[];
}

/** What the extensions of its workloads ask of a mesh as a whole; only of meshes with such workloads. */
export interface MeshExtensionsView {
  readonly mesh: MeshFacts;
  /** Those of any of its workloads, without what is equal. */
  readonly accessLog: readonly AccessLogRuleView[];
}
