/** Which entries are kept, and which headers are shown of them: what an AccessLogRecord asks for. */

/** Met by a status that is equal, greater or equal, less or equal. A request without a response has the status 0; an entry of TCP has none, and meets none. */
export interface StatusCodeMatcher {
  readonly value: number;
  readonly comparator: 'EQ' | 'GE' | 'LE';
}

/** Met by a request's header: present where no value is given or it is empty, else equal to the value or matching the whole of it. */
export interface HeaderMatcher {
  /** Letter case ignored; `:method`, `:path`, `:authority` and `:scheme` too. */
  readonly name: string;
  readonly value?: string;
  /** Whether `value` is a regular expression. */
  readonly regex?: boolean;
  /** Met where the above is not. */
  readonly invertMatch?: boolean;
}

/** One of both. */
export interface LogFilter {
  readonly statusCodeMatcher?: StatusCodeMatcher;
  readonly headerMatcher?: HeaderMatcher;
}

/** What is asked of the entries of a workload. Names of headers in lower case. */
export interface LogRule {
  /** For people: the name of the AccessLogRecord. */
  readonly name: string;
  /** Any of them must be met; without any, every entry is kept. */
  readonly filters: readonly LogFilter[];
  readonly includedRequestHeaders: readonly string[];
  readonly includedResponseHeaders: readonly string[];
  readonly includedResponseTrailers: readonly string[];
  readonly includedFilterStateObjects: readonly string[];
}
