// Schemas of single values: numbers with a range, names, durations and other text with a syntax.
import * as z from 'zod/mini';
import { parseGoDuration } from '../text/duration.ts';
import { HTTP_METHODS } from '../text/http-method.ts';
import { re2Problem } from '../text/re2.ts';
import { withMeta } from './meta.ts';

const INT32_MAX = 2 ** 31 - 1;

/** Any text. */
export const text: z.ZodMiniType<string> = z.string();
export const flag: z.ZodMiniType<boolean> = z.boolean();

/** A whole number in a range; without one, 0 to 2147483647. */
export function integer(minimum = 0, maximum: number = INT32_MAX): z.ZodMiniType<number> {
  return z.int().check(z.gte(minimum), z.lte(maximum));
}

/** A whole number that may exceed 32 bits, such as a generation. */
export const count: z.ZodMiniType<number> = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER));

const TOO_SMALL_A_SHARE = 'must be 0 or at least 0.0001, the smallest share that proxies support';

/** 0 to 100, fractions allowed. */
export const percentage: z.ZodMiniType<number> = withMeta(
  z.number().check(
    z.gte(0),
    z.lte(100),
    z.refine((value) => value <= 0 || value >= 0.0001, { error: TOO_SMALL_A_SHARE }),
  ),
  { 'x-kubernetes-validations': [{ rule: 'self <= 0.0 || self >= 0.0001', message: TOO_SMALL_A_SHARE }] },
);

/** A TCP port. */
export const port: z.ZodMiniType<number> = integer(1, 65535);

/** One of the words. */
export function oneOf<const Word extends string>(...words: readonly [Word, ...Word[]]): z.ZodMiniType<Word> {
  return z.enum(words);
}

interface Syntax {
  /** Completes "<field> must be ..."; */
  readonly expected: string;
  /** In the syntax common to JavaScript and RE2; copied to the CRD. */
  readonly pattern: RegExp;
  readonly maxLength?: number;
  /** Conditions that the pattern cannot express. */
  readonly holds?: (value: string) => boolean;
  /** The same over `self`, for the API server; omitted if CEL cannot express it. */
  readonly cel?: string;
}

/** Text with a syntax; all its faults make one report. */
export function textLike({ expected, pattern, maxLength, holds, cel }: Syntax): z.ZodMiniType<string> {
  const message = `must be ${expected}`;
  const length = maxLength === undefined ? {} : { maxLength };
  const rules = cel === undefined ? {} : { 'x-kubernetes-validations': [{ rule: cel, message }] };
  const fits = (value: string) =>
    value.length <= (maxLength ?? value.length) && pattern.test(value) && (holds?.(value) ?? true);
  const schema = z
    .string({ error: ({ input }) => (input === undefined || fits(String(input)) ? undefined : message) })
    .check(z.refine(fits, { error: message }));
  return withMeta(schema, { ...length, pattern: pattern.source, ...rules });
}

/** The name of an object; only its presence is checked here, the resolver checks what it refers to. */
export const name: z.ZodMiniType<string> = z.string().check(z.minLength(1), z.maxLength(253));

/** A DNS name in lower case. */
export const dnsName: z.ZodMiniType<string> = textLike({
  expected: 'a DNS name: lower case letters, digits, - and .',
  pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  maxLength: 253,
});

/** One part of a DNS name. */
export const dnsLabel: z.ZodMiniType<string> = textLike({
  expected: 'a DNS label: lower case letters, digits and -, at most 63 characters',
  pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  maxLength: 63,
});

/** A Go-style duration of at least one millisecond, the smallest unit of any proxy. */
export const duration: z.ZodMiniType<string> = textLike({
  expected: 'a duration of at least 1ms, such as 250ms, 1.5s or 1m30s',
  pattern: /^((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/,
  maxLength: 64,
  holds: (value) => (parseGoDuration(value) ?? 0) >= 1,
  cel: "duration(self) >= duration('1ms')",
});

/** The path of requests, or its prefix. */
export const requestPath: z.ZodMiniType<string> = textLike({
  expected: 'a path such as /reviews, without a query string',
  pattern: /^\/[^?]*$/,
  maxLength: 8192,
});

/** An HTTP method. */
export const method: z.ZodMiniType<string> = textLike({
  expected: 'an HTTP method in upper case, such as GET',
  pattern: /^[A-Z][A-Z-]*$/,
  maxLength: 32,
  holds: (value) => HTTP_METHODS.has(value),
});

const HEADER_TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";

/** The name of an HTTP header. */
export const headerName: z.ZodMiniType<string> = textLike({
  expected: 'the name of an HTTP header',
  pattern: new RegExp(`^${HEADER_TOKEN}$`),
  maxLength: 256,
});

/**
 * The name of an HTTP header that proxies can change. For a route that changes Host, proxies reject the whole
 * configuration.
 */
export const changeableHeaderName: z.ZodMiniType<string> = textLike({
  expected: 'the name of an HTTP header other than Host, which proxies do not let change',
  pattern: new RegExp(`^${HEADER_TOKEN}$`),
  maxLength: 256,
  holds: (value) => value.toLowerCase() !== 'host',
});

/** The name of an HTTP header or of a pseudo-header of requests. */
export const matchableHeaderName: z.ZodMiniType<string> = textLike({
  expected: 'the name of an HTTP header, or :authority, :method, :path or :scheme',
  pattern: new RegExp(`^(:(authority|method|path|scheme)|${HEADER_TOKEN})$`),
  maxLength: 256,
});

/** The value of an HTTP header. */
export const headerValue: z.ZodMiniType<string> = textLike({
  expected: 'the value of an HTTP header, on one line',
  pattern: /^[^\p{Cc}]*$/u,
  maxLength: 8192,
});

/** A regular expression in RE2 syntax. */
export const regex: z.ZodMiniType<string> = z.string().check(
  z.minLength(1),
  z.maxLength(1024),
  z.superRefine((value, context) => {
    const problem = re2Problem(value);
    if (problem !== undefined) context.addIssue(`must be a regular expression in RE2 syntax: ${problem}`);
  }),
);
