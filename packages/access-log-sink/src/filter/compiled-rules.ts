/** Compiled rules: the fields they need of an entry, whether they retain it, and what they show of it. */
import type { AccessLogFields, FieldName, WritableFields } from '../entry/access-log-fields.ts';
import { fieldOf, headerOf } from './header-of.ts';
import type { HeaderMatcher, LogFilter, LogRule, StatusCodeMatcher } from './log-rule.ts';
import { patternTest } from './safe-pattern.ts';

type Test = (fields: AccessLogFields) => boolean;
type Names = readonly string[];

interface Ready {
  readonly rule: LogRule;
  readonly keeps: Test;
}

/** The rules of one workload. */
export interface CompiledRules {
  /** Constant result of `keeps`; undefined if it depends on the entry. */
  readonly always: boolean | undefined;
  /** The fields that `keeps` and `show` read. */
  readonly needs: readonly FieldName[];
  /** Whether any rule matches this entry. */
  keeps(fields: AccessLogFields): boolean;
  /** Removes headers, trailers and filter state that no matching rule includes. */
  show(fields: WritableFields): void;
}

/** For workloads without a rule, if their entries are retained: every entry with all that Envoy logged. */
export const KEEP_ALL: CompiledRules = { always: true, needs: [], keeps: () => true, show: () => undefined };

/** For workloads without a rule, if their entries are not retained. */
export const KEEP_NONE: CompiledRules = { always: false, needs: [], keeps: () => false, show: () => undefined };

/** @throws RangeError for a regular expression in which `patternProblem` finds one */
export function compileRules(rules: readonly LogRule[]): CompiledRules {
  const ready = rules.map((rule): Ready => ({ rule, keeps: anyOf(rule.filters.map(testOf)) }));
  const needs = new Set(rules.flatMap(({ filters }) => filters.flatMap(needOf)));
  const requested = (fields: AccessLogFields): readonly LogRule[] =>
    ready.filter(({ keeps }) => keeps(fields)).map(({ rule }) => rule);
  return {
    always: rules.length === 0 ? false : rules.some(({ filters }) => filters.length === 0) || undefined,
    needs: [...needs],
    keeps: anyOf(
      ready.map(({ keeps }) => keeps),
      false,
    ),
    show(fields) {
      if (!showsAnything(fields)) return;
      const requesting = requested(fields);
      fields.requestHeaders = only(
        fields.requestHeaders,
        requesting.flatMap((rule) => rule.includedRequestHeaders),
      );
      fields.responseHeaders = only(
        fields.responseHeaders,
        requesting.flatMap((rule) => rule.includedResponseHeaders),
      );
      fields.responseTrailers = only(
        fields.responseTrailers,
        requesting.flatMap((rule) => rule.includedResponseTrailers),
      );
      fields.filterState = only(
        fields.filterState,
        requesting.flatMap((rule) => rule.includedFilterStateObjects),
      );
    },
  };
}

function anyOf(tests: readonly Test[], whenNone = true): Test {
  if (tests.length === 0) return () => whenNone;
  return (fields) => tests.some((test) => test(fields));
}

function needOf({ statusCodeMatcher, headerMatcher }: LogFilter): FieldName[] {
  return [
    ...(statusCodeMatcher === undefined ? [] : (['status'] as const)),
    ...(headerMatcher === undefined ? [] : [fieldOf(headerMatcher.name.toLowerCase())]),
  ];
}

function testOf({ statusCodeMatcher, headerMatcher }: LogFilter): Test {
  const status = statusCodeMatcher === undefined ? undefined : statusTest(statusCodeMatcher);
  const header = headerMatcher === undefined ? undefined : headerTest(headerMatcher);
  return (fields) => status?.(fields) === true || header?.(fields) === true;
}

function statusTest({ value, comparator }: StatusCodeMatcher): Test {
  switch (comparator) {
    case 'EQ':
      return (fields) => statusOf(fields) === value;
    case 'GE':
      return (fields) => met(statusOf(fields), (status) => status >= value);
    case 'LE':
      return (fields) => met(statusOf(fields), (status) => status <= value);
    default:
      return comparator satisfies never;
  }
}

/**
 * Envoy writes no status for a request without a response, and treats it as 0 in its own filters. A connection has
 * none.
 */
function statusOf({ kind, status }: AccessLogFields): number | undefined {
  return status ?? (kind === 'http' ? 0 : undefined);
}

function met(status: number | undefined, test: (status: number) => boolean): boolean {
  return status !== undefined && test(status);
}

function headerTest({ name: given, value = '', regex = false, invertMatch = false }: HeaderMatcher): Test {
  const name = given.toLowerCase();
  const matches =
    value === '' ? () => true : regex ? patternTest(value) : (actual: string): boolean => actual === value;
  return (fields) => {
    const actual = headerOf(fields, name);
    return (actual !== undefined && matches(actual)) !== invertMatch;
  };
}

/** Whether a rule selects any named value; few rules do. */
function showsAnything({ requestHeaders, responseHeaders, responseTrailers, filterState }: AccessLogFields): boolean {
  return (requestHeaders ?? responseHeaders ?? responseTrailers ?? filterState) !== undefined;
}

/** The named values; undefined if none is present. */
function only<T>(all: Readonly<Record<string, T>> | undefined, names: Names): Record<string, T> | undefined {
  if (all === undefined) return undefined;
  const retained: Record<string, T> = Object.create(null);
  let some = false;
  for (const name of names) {
    const value = all[name];
    if (value === undefined) continue;
    retained[name] = value;
    some = true;
  }
  return some ? retained : undefined;
}
