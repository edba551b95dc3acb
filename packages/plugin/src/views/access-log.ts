/** Which entries a proxy logs, and with which names. */
import type { PolicyRef } from '@meshrelay/api';
import type { NamedValueMatch } from './match.ts';

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
