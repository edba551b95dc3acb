/** Small messages that other messages contain. */
import {
  core,
  create,
  type Duration,
  DurationSchema,
  type MessageInitShape,
  type matcher,
  type as types,
} from '@meshrelay/envoy-api';
import type { StringMatchView } from '@meshrelay/plugin';
import { literal } from './literal.ts';

type StringMatcherInit = MessageInitShape<typeof matcher.StringMatcherSchema>;

/** @param ms whole milliseconds */
export function duration(ms: number): Duration {
  return create(DurationSchema, { seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1_000_000 });
}

/**
 * A share of all requests: Envoy counts in integers, so per million.
 * @param percent 0 to 100; omitted: all
 */
export function share(percent: number = 100): types.FractionalPercent {
  return create(types.FractionalPercentSchema, {
    numerator: Math.round(percent * 10_000),
    denominator: types.FractionalPercent_DenominatorType.MILLION,
  });
}

/** The same for fields with a runtime key, which Meshrelay never sets. */
export function runtimeShare(percent?: number): core.RuntimeFractionalPercent {
  return create(core.RuntimeFractionalPercentSchema, { defaultValue: share(percent) });
}

/** The source of separately served resources: the agent, with an initial fetch timeout of five seconds. */
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

/** A text match of a policy, for fields that Envoy matches as a whole. */
export function stringMatcher(match: StringMatchView): StringMatcherInit {
  const { ignoreCase } = match;
  if ('exact' in match) return { matchPattern: { case: 'exact', value: match.exact }, ignoreCase };
  if ('prefix' in match) return { matchPattern: { case: 'prefix', value: match.prefix }, ignoreCase };
  if ('suffix' in match) return { matchPattern: { case: 'suffix', value: match.suffix }, ignoreCase };
  return { matchPattern: { case: 'safeRegex', value: { regex: insensitive(match.regex, ignoreCase) } } };
}

/** A regular expression that ignores case if requested. */
export function insensitive(regex: string, ignoreCase: boolean): string {
  return ignoreCase ? `(?i)${regex}` : regex;
}

/** A regular expression for texts with a suffix. */
export function endsWith(suffix: string): string {
  return `.*${literal(suffix)}`;
}
