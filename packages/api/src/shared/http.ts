// How HTTP requests are matched and how their headers are changed.

/** Matches text in exactly one way. */
export interface StringMatch {
  readonly exact?: string;
  readonly prefix?: string;
  /** RE2 syntax, matched against the whole text. */
  readonly regex?: string;
  readonly suffix?: string;
  /** Letter case is ignored; not for `regex`. */
  readonly ignoreCase?: boolean;
}

/** Matches one request header. */
export interface HeaderMatch {
  readonly name: string;
  /** Omitted or empty: the header need only be present. */
  readonly value?: string;
  /** `value` is an RE2 expression. */
  readonly regex?: boolean;
  /** Requests that match are left out instead. */
  readonly invertMatch?: boolean;
}

/** Matches one parameter of the query string. */
export interface QueryParameterMatch {
  readonly name: string;
  /** Omitted or empty: the parameter need only be present. */
  readonly value?: string;
  /** `value` is an RE2 expression. */
  readonly regex?: boolean;
}

/** Matches requests; everything given must hold, `{}` matches all. */
export interface HttpMatcher {
  /** A word for reports and dashboards; has no effect on traffic. */
  readonly name?: string;
  /** The path without the query string. */
  readonly uri?: StringMatch;
  readonly headers?: readonly HeaderMatch[];
  readonly queryParameters?: readonly QueryParameterMatch[];
  /** Upper case, such as `GET`. */
  readonly method?: string;
}

/** Changes headers of requests and responses. */
export interface HeaderManipulation {
  readonly removeResponseHeaders?: readonly string[];
  readonly appendResponseHeaders?: Readonly<Record<string, string>>;
  readonly removeRequestHeaders?: readonly string[];
  readonly appendRequestHeaders?: Readonly<Record<string, string>>;
}
