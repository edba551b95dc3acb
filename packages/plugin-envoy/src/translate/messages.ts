/** Small messages that many others are made of. */
import {
  core,
  create,
  type Duration,
  DurationSchema,
  type MessageInitShape,
  type matcher,
  type as types,
} from '@meshrelay/envoy-api';
import type { StringMatchView } from '@meshrelay/relay-core';
import { literal } from './literal.ts';

type StringMatcherInit = MessageInitShape<typeof matcher.StringMatcherSchema>;

/** @param ms whole milliseconds */
export function duration(ms: number): Duration {
  return create(DurationSchema, { seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1_000_000 });
}

/** A share of all requests: Envoy counts in whole numbers, so of a million. @param percent 0 to 100; omitted: all */
export function share(percent: number = 100): types.FractionalPercent {
  return create(types.FractionalPercentSchema, {
    numerator: Math.round(percent * 10_000),
    denominator: types.FractionalPercent_DenominatorType.MILLION,
  });
}

/** The same for fields that could be overridden at runtime, as none of ours is. */
export function runtimeShare(percent?: number): core.RuntimeFractionalPercent {
  return create(core.RuntimeFractionalPercentSchema, { defaultValue: share(percent) });
}

/** Where everything is asked for that is not in a message itself: from the agent, and after five seconds without it. */
export function fromAgent(): core.ConfigSource {
  return create(core.ConfigSourceSchema, {
    resourceApiVersion: core.ApiVersion.V3,
    configSourceSpecifier: { case: 'ads', value: {} },
    initialFetchTimeout: duration(5_000),
  });
}

/** A TCP address. */
export function address(host: string, port: number): core.Address {
  return create(core.AddressSchema, {
    address: {
      case: 'socketAddress',
      value: { address: host, portSpecifier: { case: 'portValue', value: port } },
    },
  });
}

/** Text as a policy matches it, for fields that are matched whole. */
export function stringMatcher(match: StringMatchView): StringMatcherInit {
  const { ignoreCase } = match;
  if ('exact' in match) return { matchPattern: { case: 'exact', value: match.exact }, ignoreCase };
  if ('prefix' in match) return { matchPattern: { case: 'prefix', value: match.prefix }, ignoreCase };
  if ('suffix' in match) return { matchPattern: { case: 'suffix', value: match.suffix }, ignoreCase };
  return { matchPattern: { case: 'safeRegex', value: { regex: insensitive(match.regex, ignoreCase) } } };
}

/** An expression that takes letters of either case where it is to. */
export function insensitive(regex: string, ignoreCase: boolean): string {
  return ignoreCase ? `(?i)${regex}` : regex;
}

/** An expression for texts with an ending. */
export function endsWith(suffix: string): string {
  return `.*${literal(suffix)}`;
}
