// How HTTP requests are matched and how their headers are changed.
import type * as z from 'zod/mini';
import { list, mapOf } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { exactlyOneOf, type Rule, withRules } from '../schema/rule.ts';
import {
  changeableHeaderName,
  flag,
  headerValue,
  matchableHeaderName,
  method,
  name,
  regex,
  requestPath,
  text,
} from '../schema/scalar.ts';
import { re2Problem } from '../text/re2.ts';

/** Matches text in exactly one way. */
export interface StringMatch {
  /** The whole text. */
  readonly exact?: string;
  /** The prefix of the text. */
  readonly prefix?: string;
  /** RE2 syntax, matched against the whole text. */
  readonly regex?: string;
  /** The suffix of the text. */
  readonly suffix?: string;
  /** Letter case is ignored; not for `regex`. */
  readonly ignoreCase?: boolean;
}

/** Matches one request header. */
export interface HeaderMatch {
  /** Name of the header, letter case ignored. */
  readonly name: string;
  /** Omitted or empty: the header need only be present. */
  readonly value?: string;
  /** `value` is an RE2 expression, not exact text. Default: false. */
  readonly regex?: boolean;
  /** Inverts the match. Default: false. */
  readonly invertMatch?: boolean;
}

/** Matches one parameter of the query string. */
export interface QueryParameterMatch {
  /** Name of the parameter. */
  readonly name: string;
  /** Omitted or empty: the parameter need only be present. */
  readonly value?: string;
  /** `value` is an RE2 expression. */
  readonly regex?: boolean;
}

/** Matches requests; all given fields must match, `{}` matches all. */
export interface HttpMatcher {
  /** A label for reports and dashboards; has no effect on traffic. */
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
  /** Names of headers removed from responses. */
  readonly removeResponseHeaders?: readonly string[];
  /** Values added to responses, by name of the header. */
  readonly appendResponseHeaders?: Readonly<Record<string, string>>;
  /** Names of headers removed from requests. */
  readonly removeRequestHeaders?: readonly string[];
  /** Values added to requests, by name of the header. */
  readonly appendRequestHeaders?: Readonly<Record<string, string>>;
}

/** Schema of {@link StringMatch}. */
export const stringMatch: z.ZodMiniType<StringMatch> = matchOf(text, name);

/** The same for the path of requests, which always begins with a slash. */
const pathMatch: z.ZodMiniType<StringMatch> = matchOf(requestPath, requestPath);

function matchOf(exact: z.ZodMiniType<string>, prefix: z.ZodMiniType<string>): z.ZodMiniType<StringMatch> {
  return object<StringMatch>(
    'StringMatch',
    { required: {}, optional: { exact, prefix, regex, suffix: name, ignoreCase: flag } },
    [
      exactlyOneOf<StringMatch>('exact', 'prefix', 'regex', 'suffix'),
      {
        message: 'does not work with regex; begin the expression with (?i) instead',
        holds: ({ regex: expression, ignoreCase }) => expression === undefined || ignoreCase !== true,
        cel: '!has(self.regex) || !has(self.ignoreCase) || !self.ignoreCase',
        field: 'ignoreCase',
      },
    ],
  );
}

/** Schema of {@link HeaderMatch}. */
export const headerMatch: z.ZodMiniType<HeaderMatch> = object<HeaderMatch>(
  'HeaderMatch',
  { required: { name: matchableHeaderName }, optional: { value: headerValue, regex: flag, invertMatch: flag } },
  [valueIsRegex()],
);

const queryParameterMatch: z.ZodMiniType<QueryParameterMatch> = object<QueryParameterMatch>(
  'QueryParameterMatch',
  { required: { name }, optional: { value: text, regex: flag } },
  [valueIsRegex()],
);

/** Schema of {@link HttpMatcher}. */
export const httpMatcher: z.ZodMiniType<HttpMatcher> = object<HttpMatcher>('HttpMatcher', {
  required: {},
  optional: {
    name: text,
    uri: pathMatch,
    headers: list(headerMatch),
    queryParameters: list(queryParameterMatch),
    method,
  },
});

const headerValues = withHeaderNames(mapOf(headerValue));

/** Schema of {@link HeaderManipulation}. */
export const headerManipulation: z.ZodMiniType<HeaderManipulation> = object<HeaderManipulation>('HeaderManipulation', {
  required: {},
  optional: {
    removeResponseHeaders: list(changeableHeaderName),
    appendResponseHeaders: headerValues,
    removeRequestHeaders: list(changeableHeaderName),
    appendRequestHeaders: headerValues,
  },
});

function valueIsRegex(): Rule<{ readonly value?: string; readonly regex?: boolean }> {
  return {
    message: 'must be a regular expression in RE2 syntax, as regex is true',
    holds: (match) => match.regex !== true || re2Problem(match.value ?? '') === undefined,
    field: 'value',
  };
}

function withHeaderNames<T>(
  schema: z.ZodMiniType<Readonly<Record<string, T>>>,
): z.ZodMiniType<Readonly<Record<string, T>>> {
  return withRules(schema, [
    {
      message: 'must have names of HTTP headers as its keys, and not Host, which proxies do not let change',
      holds: (headers) => Object.keys(headers).every((key) => changeableHeaderName.safeParse(key).success),
    },
  ]);
}
