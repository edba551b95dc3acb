/** The callers that AccessPolicies allow, read from their specs alone. */
import type { AccessPolicy, IdentitySelector } from '@meshrelay/api';
import type { InboundRequest } from './envoy-access.ts';

/** An identity in its parts. */
interface Identity {
  readonly trustDomain: string;
  readonly namespace: string;
  readonly account: string;
}

/** @param policies those applied to the destination, whose callers are of one trust domain */
export function isAllowed(policies: readonly AccessPolicy[], request: InboundRequest, trustDomain: string): boolean {
  const fitting = policies.filter(({ spec }) => isAbout(spec, request) && isFrom(spec, request, trustDomain));
  const of = (action: string) => (policy: AccessPolicy) => (policy.spec.action ?? 'ALLOW') === action;
  if (fitting.some(of('DENY'))) return false;
  return !policies.some(of('ALLOW')) || fitting.some(of('ALLOW'));
}

function isAbout(spec: AccessPolicy['spec'], { path, method, port }: InboundRequest): boolean {
  const {
    allowedPaths = [],
    allowedMethods = [],
    allowedPorts = [],
    notPaths = [],
    notMethods = [],
    notPorts = [],
  } = spec;
  const isPath = (pattern: string): boolean => {
    if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1));
    return pattern.startsWith('*') ? path.endsWith(pattern.slice(1)) : path === pattern;
  };
  return (
    (allowedPaths.length === 0 || allowedPaths.some(isPath)) &&
    (allowedMethods.length === 0 || allowedMethods.includes(method)) &&
    (allowedPorts.length === 0 || allowedPorts.includes(port)) &&
    !notPaths.some(isPath) &&
    !notMethods.includes(method) &&
    !notPorts.includes(port)
  );
}

function isFrom(
  { sourceSelector = [], unauthenticated = false }: AccessPolicy['spec'],
  { identity }: InboundRequest,
  trustDomain: string,
): boolean {
  if (unauthenticated) return true;
  const known = identityOf(identity);
  if (known === undefined || known.trustDomain !== trustDomain) return false;
  return sourceSelector.length === 0 || sourceSelector.some((selector) => selects(selector, known));
}

function identityOf(text = ''): Identity | undefined {
  const {
    trustDomain = '',
    namespace = '',
    account = '',
  } = /^spiffe:\/\/(?<trustDomain>[^/]+)\/ns\/(?<namespace>[^/]+)\/sa\/(?<account>[^/]+)$/.exec(text)?.groups ?? {};
  return account === '' ? undefined : { trustDomain, namespace, account };
}

function selects(
  { kubeIdentityMatcher, kubeServiceAccountRefs }: IdentitySelector,
  { namespace, account }: Identity,
): boolean {
  const { namespaces = [] } = kubeIdentityMatcher ?? {};
  const isOfNamespace = namespaces.length === 0 || namespaces.includes(namespace);
  const accounts = kubeServiceAccountRefs?.serviceAccounts ?? [];
  const isNamed = accounts.some(
    (one) => (one.name ?? account) === account && (one.namespace ?? namespace) === namespace,
  );
  if (kubeServiceAccountRefs === undefined) return isOfNamespace;
  return kubeIdentityMatcher === undefined ? isNamed : isNamed || isOfNamespace;
}
