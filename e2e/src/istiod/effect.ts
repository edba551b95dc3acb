/** The handling of a request, as text: as policies specify it, and as an Envoy route has it. */
import type { TrafficRules } from '@meshrelay/api';
import { type EnvoyRoute, type FractionalPercent, sharesIn } from './envoy-request.ts';

/** By the field of `spec.policy` that causes it; absent if there is no handling. */
export type Effect = Readonly<Record<string, string>>;

/** The Envoy cluster that receives a Service's requests. */
export type ClusterOf = (service: {
  readonly name: string;
  readonly namespace: string;
  readonly clusterName: string;
  readonly port?: number;
}) => string;

/** As specified, for a destination that is itself a Service. */
export function effectOf(rules: TrafficRules, destination: Parameters<ClusterOf>[0], clusterOf: ClusterOf): Effect {
  const { requestTimeout, retries, faultInjection, mirror, headerManipulation, corsPolicy, trafficShift } = rules;
  const targets = trafficShift?.destinations.map(
    ({ weight = 1, kubeService }) => [kubeService === undefined ? '' : clusterOf(kubeService), weight] as const,
  );
  return given({
    requestTimeout,
    retries: retries?.attempts,
    faultInjection: faultInWords(
      faultInjection?.fixedDelay,
      faultInjection?.abort?.httpStatus,
      faultInjection?.percentage,
    ),
    mirror: mirror === undefined ? undefined : clusterOf(mirror.kubeService),
    headerManipulation: wordsOf(headerManipulation?.appendRequestHeaders),
    corsPolicy: corsPolicy?.allowOrigins?.map(({ exact }) => exact).join(),
    trafficShift: targets === undefined ? clusterOf(destination) : routeTargetsOf(targets),
  });
}

/** As Envoy would do it. */
export function effectIn(one: EnvoyRoute): Effect {
  const { route = {}, requestHeadersToAdd = [], typedPerFilterConfig = {} } = one;
  const { timeout, retryPolicy, requestMirrorPolicies = [] } = route;
  const fault = typedPerFilterConfig['envoy.filters.http.fault'];
  const origins = typedPerFilterConfig['envoy.filters.http.cors']?.allowOriginStringMatch;
  return given({
    requestTimeout: timeout === '0s' ? undefined : timeout,
    // Istio's default if no policy sets one.
    retries: retryPolicy?.numRetries === ISTIO_RETRIES ? undefined : (retryPolicy?.numRetries ?? 0),
    faultInjection: faultInWords(
      fault?.delay?.fixedDelay,
      fault?.abort?.httpStatus,
      percentOf((fault?.delay ?? fault?.abort)?.percentage),
    ),
    mirror: requestMirrorPolicies.length === 0 ? undefined : requestMirrorPolicies.map((one) => one.cluster).join(),
    headerManipulation: wordsOf(
      Object.fromEntries(requestHeadersToAdd.map(({ header: { key, value } }) => [key, value])),
    ),
    corsPolicy: origins?.map(({ exact }) => exact).join(),
    trafficShift: routeTargetsOf(sharesIn(one)),
  });
}

/** Istio's default number of retries. */
const ISTIO_RETRIES = 2;

/** @param percent of the requests; all of them if unset */
function faultInWords(delay?: string, abort?: number, percent = 100): string | undefined {
  return delay === undefined && abort === undefined ? undefined : JSON.stringify({ delay, abort, percent });
}

const DENOMINATORS = { HUNDRED: 100, TEN_THOUSAND: 10_000, MILLION: 1_000_000 };

/** Envoy's FractionalPercent; none of the requests if unset. */
function percentOf({ numerator = 0, denominator = 'HUNDRED' }: FractionalPercent = {}): number {
  return (100 * numerator) / DENOMINATORS[denominator];
}

function routeTargetsOf(all: ReadonlyArray<readonly [cluster: string, weight: number]>): string {
  const targets = all.filter(([, weight]) => weight > 0);
  const [first] = targets;
  if (first !== undefined && targets.length === 1) return first[0];
  return targets
    .map(([cluster, weight]) => `${weight} ${cluster}`)
    .sort()
    .join();
}

function wordsOf(headers: Readonly<Record<string, string>> = {}): string | undefined {
  const words = Object.entries(headers).map(([name, value]) => `${name}=${value}`);
  return words.length === 0 ? undefined : words.sort().join();
}

function given(words: Readonly<Record<string, string | number | undefined>>): Effect {
  return Object.fromEntries(
    Object.entries(words).flatMap(([name, word]) => (word === undefined ? [] : [[name, String(word)]])),
  );
}
