/** Ranges of durations. */
import type { Duration } from '@bufbuild/protobuf/wkt';
import type { DurationRules } from '../gen/validate/validate_pb.ts';

/** The fault of a duration, if any. */
export function durationProblem(rules: DurationRules, value: Duration): string | undefined {
  const bounds: readonly [Duration | undefined, string, (left: bigint, right: bigint) => boolean][] = [
    [rules.const, 'must be', (left, right) => left === right],
    [rules.lt, 'must be less than', (left, right) => left < right],
    [rules.lte, 'must be at most', (left, right) => left <= right],
    [rules.gt, 'must be greater than', (left, right) => left > right],
    [rules.gte, 'must be at least', (left, right) => left >= right],
  ];
  for (const [bound, words, holds] of bounds) {
    if (bound !== undefined && !holds(nanos(value), nanos(bound))) return `${words} ${text(bound)}, is ${text(value)}`;
  }
  return undefined;
}

function nanos({ seconds, nanos: rest }: Duration): bigint {
  return seconds * 1_000_000_000n + BigInt(rest);
}

function text(duration: Duration): string {
  return `${Number(nanos(duration)) / 1e9}s`;
}
