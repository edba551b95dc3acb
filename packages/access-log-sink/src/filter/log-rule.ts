/** Rules that select retained entries and shown headers, as an AccessLogRecord specifies them. */

/**
 * Matches a status that is equal, greater or equal, less or equal. A request without a response has the status 0; a TCP
 * entry has none and never matches.
 */
export interface StatusCodeMatcher {
  readonly value: number;
  readonly comparator: 'EQ' | 'GE' | 'LE';
}

/**
 * Matches a request header. Without a value or with an empty one, the header must be present; otherwise it must equal
 * the value or match it completely.
 */
export interface HeaderMatcher {
  /** Case-insensitive; `:method`, `:path`, `:authority` and `:scheme` too. */
  readonly name: string;
  readonly value?: string;
  /** Whether `value` is a regular expression. */
  readonly regex?: boolean;
  /** Inverts the match. */
  readonly invertMatch?: boolean;
}

/** Exactly one of the two. */
export interface LogFilter {
  readonly statusCodeMatcher?: StatusCodeMatcher;
  readonly headerMatcher?: HeaderMatcher;
}

/** Rule for the entries of a workload. Header names are in lower case. */
export interface LogRule {
  /** Name of the AccessLogRecord, for people. */
  readonly name: string;
  /** At least one must match; without filters, every entry is retained. */
  readonly filters: readonly LogFilter[];
  readonly includedRequestHeaders: readonly string[];
  readonly includedResponseHeaders: readonly string[];
  readonly includedResponseTrailers: readonly string[];
  readonly includedFilterStateObjects: readonly string[];
}
