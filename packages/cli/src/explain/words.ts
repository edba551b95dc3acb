/** Short text for parts of explanations in tables, the same in all tables. */
import type { PolicyRef, ResourceRef } from '@meshrelay/api';
import {
  type AccessRuleView,
  type EffectiveField,
  type ExplainedCallers,
  type MeshLocation,
  type NamedValueMatch,
  type OutputLocation,
  percentShares,
  type RouteMatchView,
  type RouteTarget,
  type StringMatchView,
} from '@meshrelay/relay-core';

/** `TrafficPolicy meshrelay/reviews-canary`, with the cluster unless it is the management cluster. */
export function policyText({ kind, cluster, namespace, name }: PolicyRef): string {
  return `${kind} ${namespace}/${name}${cluster === '' ? '' : ` of ${cluster}`}`;
}

export function policiesText(refs: readonly PolicyRef[]): string {
  return refs.map(policyText).join(', ');
}

/** `Destination bookshop/reviews of cluster-1` */
export function targetText({ kind, cluster, namespace, name }: ResourceRef): string {
  return `${kind} ${namespace}/${name} of ${cluster}`;
}

export function meshText({ cluster, namespace, name, type }: MeshLocation): string {
  return `${type} mesh ${namespace}/${name} of ${cluster}`;
}

export function outputText({ kind, namespace, name, cluster }: OutputLocation): string {
  return `${kind} ${namespace}/${name} of ${cluster}`;
}

/** The requests that a route matches. */
export function matchText(match: RouteMatchView | undefined): string {
  if (match === undefined) return '';
  const { method, uri, headers, queryParameters, sourceLabels, sourceNamespace } = match;
  const words = [
    ...(method === undefined ? [] : [method]),
    ...(uri === undefined ? [] : [stringMatchText(uri)]),
    ...headers.map((header) => `header ${namedText(header)}`),
    ...queryParameters.map((parameter) => `query ${namedText(parameter)}`),
    ...(sourceNamespace === undefined ? [] : [`from namespace ${sourceNamespace}`]),
    ...(sourceLabels === undefined ? [] : [`from ${labelsText(sourceLabels)}`]),
  ];
  return words.length === 0 ? 'any' : words.join(' ');
}

function stringMatchText(match: StringMatchView): string {
  const ignoring = match.ignoreCase ? ' (any case)' : '';
  if ('exact' in match) return `${match.exact}${ignoring}`;
  if ('prefix' in match) return `${match.prefix}*${ignoring}`;
  if ('suffix' in match) return `*${match.suffix}${ignoring}`;
  return `~${match.regex}${ignoring}`;
}

function namedText({ name, value, regex, invert }: NamedValueMatch): string {
  const what = value === undefined ? name : `${name}${regex ? '~' : '='}${value}`;
  return invert ? `not ${what}` : what;
}

export function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}

/** `bookshop/reviews of cluster-1`, without the cluster if it is the management cluster. */
export function placeText({ namespace, name, cluster }: ResourceRef): string {
  return `${namespace}/${name}${cluster === '' ? '' : ` of ${cluster}`}`;
}

/** The selected callers: `2: shop/cart of c1, shop/till of c1`, or why the policy selects none. */
export function callersText({ count, workloads, outsideMeshes, likely }: ExplainedCallers): string {
  const outside = outsideMeshes === 0 ? '' : `${outsideMeshes} outside every mesh, which no mesh can identify`;
  if (count === 0) {
    if (outside !== '') return `none, but ${outside}`;
    return `none is running${likely === undefined ? '' : ` (did you mean ${likely}?)`}`;
  }
  const named = workloads.map(placeText);
  const more = count - named.length;
  const all = `${count}: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return outside === '' ? all : `${all}; and ${outside}`;
}

/** A field's value in one line. */
export function valueText({ field, value, match }: EffectiveField): string {
  switch (field) {
    case 'requestTimeout':
      return `${Number(value)} ms`;
    case 'trafficShift':
      return shiftText(value as readonly RouteTarget[]);
    case 'access':
      return accessText(value as AccessRuleView);
    case 'route':
      return `route ${matchText(match)}`;
    default:
      return compact(value);
  }
}

function shiftText(targets: readonly RouteTarget[]): string {
  const shares = percentShares(targets.map(({ weight }) => weight));
  return targets.map((target, nth) => `${percentText(shares[nth] ?? 0, target)} ${routeTargetText(target)}`).join(', ');
}

/** A small positive share is not rounded to 0%. */
function percentText(share: number, { weight }: RouteTarget): string {
  return share === 0 && weight > 0 ? '<1%' : `${share}%`;
}

function routeTargetText({ hostname, port, subset }: RouteTarget): string {
  return `${hostname}:${port}${subset === undefined ? '' : ` {${labelsText(subset.labels)}}`}`;
}

/** The callers and requests of an access rule. */
export function accessText(rule: AccessRuleView): string {
  const { action, sources, paths, methods, ports, notPaths, notMethods, notPorts } = rule;
  const who = 'principals' in sources ? (sources.principals as readonly string[]).join(', ') : sources.kind;
  const except = [...notPaths, ...notMethods, ...notPorts.map(String)];
  return [
    action,
    who,
    ...(methods.length === 0 ? [] : [methods.join(',')]),
    ...(paths.length === 0 ? [] : [paths.join(',')]),
    ...(ports.length === 0 ? [] : [`ports ${ports.join(',')}`]),
    ...(except.length === 0 ? [] : [`except ${except.join(',')}`]),
  ].join(' ');
}

/** Short text for plain data: `attempts=3, perTryTimeoutMs=500`. */
export function compact(value: unknown): string {
  if (Array.isArray(value)) return value.map(nested).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .filter(([, member]) => member !== undefined && !isEmpty(member))
    .map(([name, member]) => `${name}=${nested(member)}`)
    .join(', ');
}

function nested(value: unknown): string {
  return typeof value === 'object' && value !== null ? `(${compact(value)})` : String(value);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
