/** What TrafficPolicies specify for a caller's request, read from their specs alone. */
import { isDeepStrictEqual } from 'node:util';
import type { HttpMatcher, TrafficPolicy, TrafficRules, WorkloadSelector } from '@meshrelay/api';
import type { Request } from './envoy-request.ts';
import { matchesWhole } from './matches-whole.ts';

/** A sender of requests. */
export interface Caller {
  readonly cluster: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A request, and its sender. */
export interface Call {
  readonly caller: Caller;
  readonly request: Request;
}

/** The calls that one matcher of a policy selects, by index, and its rules for them. */
interface Saying {
  readonly policy: string;
  readonly rules: TrafficRules;
  /** The selector of callers and the matcher, as text. */
  readonly scope: string;
  readonly calls: ReadonlySet<number>;
  /** Whether it names the clusters of callers. */
  readonly ofClusters: boolean;
}

/** The rules for one call. */
export interface Requested {
  readonly rules: TrafficRules;
  /** The policies that set each field, by field. */
  readonly by: ReadonlyMap<string, readonly string[]>;
  /** Those of them for which no other policy selects fewer calls. */
  readonly from: ReadonlyMap<string, readonly string[]>;
  /** Fields for which two policies differ, and neither selects fewer calls than the other. */
  readonly disputed: readonly string[];
  /** Pairs of policies that set a field differently for exactly the same selector and matcher. */
  readonly contradictory: ReadonlyArray<readonly [string, string]>;
}

type Field = keyof TrafficRules;

/** For each of the calls, which come from one cluster. @param policies those applied to the one destination */
export function expectedAnswers(policies: readonly TrafficPolicy[], calls: readonly Call[]): Requested[] {
  const sayings = policies.flatMap(({ metadata, spec }) =>
    orAny(spec.sourceSelector)
      .flatMap(oneByOne)
      .flatMap((source) =>
        orAny(spec.httpRequestMatchers).map(
          (matcher): Saying => ({
            policy: metadata.name,
            rules: spec.policy ?? {},
            scope: JSON.stringify([source, matcher]),
            ofClusters: (source.kubeWorkloadMatcher?.clusters ?? []).length > 0,
            calls: new Set(
              calls.flatMap(({ caller, request }, at) =>
                selects(source, caller) && matches(matcher, request) ? [at] : [],
              ),
            ),
          }),
        ),
      ),
  );
  return calls.map((_, at) => settled(sayings.filter((saying) => saying.calls.has(at))));
}

/** For each field, the policy that selects the fewest calls wins. */
function settled(sayings: readonly Saying[]): Requested {
  const fields = [...new Set(sayings.flatMap(({ rules }) => Object.keys(rules) as Field[]))];
  const narrowest = fields.map((field) => {
    const all = sayings.filter(({ rules }) => rules[field] !== undefined);
    const deciding = all.filter((saying) => !all.some((other) => isNarrower(other, saying)));
    const [value, ...others] = deciding.map(({ rules }) => rules[field]);
    const isDisputed = others.some((other) => !isDeepStrictEqual(other, value));
    return { field, by: all.map(nameOf), from: deciding.map(nameOf), value, isDisputed };
  });
  return {
    rules: Object.fromEntries(narrowest.map(({ field, value }) => [field, value])),
    by: new Map(narrowest.map(({ field, by }) => [field, by])),
    from: new Map(narrowest.map(({ field, from }) => [field, from])),
    disputed: narrowest.filter(({ isDisputed }) => isDisputed).map(({ field }) => field),
    contradictory: fields.flatMap((field) => contradictory(sayings, field)),
  };
}

function contradictory(sayings: readonly Saying[], field: Field): Array<readonly [string, string]> {
  const all = sayings.filter(({ rules }) => rules[field] !== undefined);
  return all.flatMap((one, at) =>
    all
      .slice(at + 1)
      .filter(({ scope, rules }) => scope === one.scope && !isDeepStrictEqual(rules[field], one.rules[field]))
      .map(({ policy }) => [one.policy, policy] as const),
  );
}

function nameOf({ policy }: Saying): string {
  return policy;
}

/** Clusters are a tie-break only between policies that select the same calls. */
function isNarrower(one: Saying, other: Saying): boolean {
  const isWithin = one.calls.size <= other.calls.size && [...one.calls].every((call) => other.calls.has(call));
  return isWithin && (one.calls.size < other.calls.size || (one.ofClusters && !other.ofClusters));
}

/** Namespaces in a list equal separate selectors. */
function oneByOne(source: WorkloadSelector): WorkloadSelector[] {
  const { kubeWorkloadMatcher } = source;
  const { namespaces = [] } = kubeWorkloadMatcher ?? {};
  if (namespaces.length < 2) return [source];
  return namespaces.map((one) => ({ kubeWorkloadMatcher: { ...kubeWorkloadMatcher, namespaces: [one] } }));
}

function orAny<T extends object>(list: readonly T[] = []): ReadonlyArray<T | Record<string, never>> {
  return list.length === 0 ? [{}] : list;
}

function selects({ kubeWorkloadMatcher = {} }: WorkloadSelector, { cluster, namespace, labels }: Caller): boolean {
  const { clusters = [], namespaces = [], labels: expected = {} } = kubeWorkloadMatcher;
  return (
    (clusters.length === 0 || clusters.includes(cluster)) &&
    (namespaces.length === 0 || namespaces.includes(namespace)) &&
    Object.entries(expected).every(([name, value]) => labels[name] === value)
  );
}

function matches({ uri, headers = [], queryParameters = [], method }: HttpMatcher, request: Request): boolean {
  return (
    (method === undefined || method === request.method) &&
    (uri === undefined || isText(uri, request.path)) &&
    headers.every(
      ({ name, value, regex, invertMatch = false }) =>
        isValue(request.headers[name.toLowerCase()], value, regex) !== invertMatch,
    ) &&
    queryParameters.every(({ name, value, regex }) => isValue(request.query[name], value, regex))
  );
}

function isText(
  { exact, prefix, suffix, regex, ignoreCase = false }: NonNullable<HttpMatcher['uri']>,
  path: string,
): boolean {
  const cased = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  if (exact !== undefined) return cased(path) === cased(exact);
  if (prefix !== undefined) return cased(path).startsWith(cased(prefix));
  if (suffix !== undefined) return cased(path).endsWith(cased(suffix));
  return matchesWhole(regex ?? '', path);
}

function isValue(found: string | undefined, value = '', regex = false): boolean {
  if (found === undefined) return false;
  if (value === '') return true;
  return regex ? matchesWhole(value, found) : found === value;
}
