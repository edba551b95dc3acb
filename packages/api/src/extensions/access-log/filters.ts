// spec.filters of an AccessLogRecord
import type * as z from 'zod/mini';
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { exactlyOneOf } from '../../schema/rule.ts';
import { integer, oneOf } from '../../schema/scalar.ts';
import { type HeaderMatch, headerMatch } from '../../shared/http.ts';

/** EQ: exactly this status; GE: this or above; LE: this or below. */
export type StatusComparator = 'EQ' | 'GE' | 'LE';

/** Matches the status of a response; an entry without one, such as that of a TCP connection, never matches. */
export interface StatusCodeMatcher {
  /** 100 to 599; 0 if no response was sent. */
  readonly value: number;
  readonly comparator: StatusComparator;
}

/** Matches entries in exactly one way. */
export interface AccessLogFilter {
  readonly statusCodeMatcher?: StatusCodeMatcher;
  /** A header of the request; `:method`, `:path`, `:authority` and `:scheme` too. */
  readonly headerMatcher?: HeaderMatch;
}

/** An entry is logged when any of them matches; omitted or empty: every entry. */
export type AccessLogFilters = readonly AccessLogFilter[];

const statusCodeMatcher: z.ZodMiniType<StatusCodeMatcher> = object<StatusCodeMatcher>('StatusCodeMatcher', {
  required: { value: integer(0, 599), comparator: oneOf('EQ', 'GE', 'LE') },
  optional: {},
});

const filterFields = { required: {}, optional: { statusCodeMatcher, headerMatcher: headerMatch } } as const;

/**
 * An {@link AccessLogFilter} that was validated where it was written. API servers accept no rules in lists of unlimited
 * length.
 */
export const checkedFilter: z.ZodMiniType<AccessLogFilter> = object<AccessLogFilter>('AccessLogFilter', filterFields);

const accessLogFilter: z.ZodMiniType<AccessLogFilter> = object<AccessLogFilter>('AccessLogFilter', filterFields, [
  exactlyOneOf<AccessLogFilter>('statusCodeMatcher', 'headerMatcher'),
]);

export const filters: SpecField<AccessLogFilters> = {
  schema: list(accessLogFilter, { maximum: 100 }),
  examples: [
    [
      { statusCodeMatcher: { value: 500, comparator: 'GE' } },
      { headerMatcher: { name: 'x-debug', value: 'on|yes', regex: true, invertMatch: false } },
    ],
  ],
};
