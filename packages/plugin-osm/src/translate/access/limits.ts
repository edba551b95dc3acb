/** Reports effects of access rules in OSM that their authors would not expect. */

import { shortList } from '@meshrelay/api';
import type { DestinationView, Output, PolicyRef } from '@meshrelay/plugin';
import { meshConfigOf, PERMISSIVE_MODE } from '../../mesh-config.ts';
import { fallShort, type Shortfall, serviceText } from '../../reports.ts';
import { accountId } from '../../service-account.ts';
import type { Grant } from './grants.ts';
import { type RequestMatch, requestName, requestsOverlap } from './requests.ts';

/** In permissive mode OSM ignores TrafficTargets. */
export function reportPermissive({ destination: { mesh }, access }: DestinationView, out: Output): void {
  if (meshConfigOf(mesh).permissive !== true) return;
  fallShort(
    out,
    access.flatMap(({ from }) => from),
    {
      code: 'NOT_ENFORCED',
      field: 'spec',
      message: `mesh ${mesh.namespace}/${mesh.name} of cluster ${mesh.cluster} is in permissive mode, which allows all requests; set globalAccessPolicy: ENABLED in its VirtualMesh, or ${PERMISSIVE_MODE}: false in its MeshConfig`,
    },
  );
}

/** TrafficTargets match the ServiceAccount of the pods, not the Service that was called. */
export function reportSharedAccounts({ destination, access, sharedAccounts }: DestinationView, out: Output): void {
  for (const { serviceAccount, services } of sharedAccounts) {
    for (const policy of access.flatMap(({ from }) => from)) {
      out.report(policy, {
        code: 'SHARED_SERVICE_ACCOUNT',
        severity: 'info',
        field: 'spec.destinationSelector',
        message: `pods of ${serviceText(destination)} run under the ServiceAccount ${serviceAccount}, as do those of ${services.join(', ')}; OSM decides access by ServiceAccount, so the policy applies to requests to those Services, too`,
      });
    }
  }
}

/**
 * OSM reads identities up to their first dot, so such accounts match no identity: OSM rejects what policies grant to
 * them, or to callers of their pods.
 */
export function reportDottedAccounts(
  { destination, access }: DestinationView,
  grants: readonly Grant[],
  out: Output,
): void {
  const own = destination.serviceAccounts.filter(isDotted);
  const policies = access.flatMap(({ from }) => from);
  if (own.length > 0) fallShort(out, distinctPolicies(policies), dotted('spec.destinationSelector', own));
  for (const { accounts, from } of grants) {
    const callers = accounts.filter(({ name }) => isDotted(name)).map(accountId);
    if (callers.length > 0) fallShort(out, from, dotted('spec.sourceSelector', callers));
  }
}

function isDotted(account: string): boolean {
  return account.includes('.');
}

function dotted(field: string, accounts: readonly string[]): Shortfall {
  return {
    code: 'SERVICE_ACCOUNT_NAME_UNSUPPORTED',
    field,
    message: `OSM does not support ServiceAccounts with a dot in their names, so requests from or to ${shortList(accounts, MAX_NAMED)} are denied; run those pods under one without a dot`,
  };
}

const MAX_NAMED = 5;

interface Allowed {
  readonly request: RequestMatch;
  readonly accounts: ReadonlySet<string>;
  readonly from: readonly PolicyRef[];
}

/**
 * If a request matches two rules, OSM applies one of them, in undefined order. If they allow different accounts, OSM
 * may reject some that a rule allows. It never admits an account that no rule allows.
 */
export function reportOverlaps(grants: readonly Grant[], out: Output): void {
  const all = byRequest(grants);
  const reported = new Map<string, { policy: PolicyRef; pair: string; more: number }>();
  for (const [position, one] of all.entries()) {
    for (const other of all.slice(position + 1)) {
      if (!requestsOverlap(one.request, other.request) || sameAccounts(one.accounts, other.accounts)) continue;
      const pair = `"${requestName(one.request)}" and "${requestName(other.request)}"`;
      for (const policy of distinctPolicies([...one.from, ...other.from])) {
        const known = reported.get(policyId(policy));
        reported.set(policyId(policy), {
          policy,
          pair: known?.pair ?? pair,
          more: known === undefined ? 0 : known.more + 1,
        });
      }
    }
  }
  for (const { policy, pair, more } of reported.values()) {
    fallShort(out, [policy], {
      code: 'OVERLAPPING_RULES',
      field: 'spec.allowedPaths',
      message: `OSM evaluates only one of ${pair} for a request that matches both, and does not define which, so callers that only the other allows may be denied${more === 0 ? '' : ` (${more} more such pairs)`}; let the rules allow the same ServiceAccounts, or paths and methods that do not overlap`,
    });
  }
}

function byRequest(grants: readonly Grant[]): Allowed[] {
  const found = new Map<string, { request: RequestMatch; accounts: Set<string>; from: PolicyRef[] }>();
  for (const { accounts, requests, from } of grants) {
    for (const request of requests) {
      const known = found.get(requestName(request)) ?? { request, accounts: new Set(), from: [] };
      for (const account of accounts) known.accounts.add(accountId(account));
      known.from.push(...from);
      found.set(requestName(request), known);
    }
  }
  return [...found.values()];
}

function sameAccounts(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((account) => b.has(account));
}

/**
 * OSM checks ports and requests separately: a caller with two rules may send the requests of either to the ports of
 * either.
 */
export function reportMixedPorts(grants: readonly Grant[], out: Output): void {
  const reported = new Map<string, { policy: PolicyRef; account: string }>();
  for (const [account, own] of byAccount(grants)) {
    if (own.some(isUnlimited) || distinct(own.map(portsId)) < 2 || distinct(own.map(requestsId)) < 2) continue;
    for (const policy of own.flatMap(({ from }) => from))
      if (!reported.has(policyId(policy))) reported.set(policyId(policy), { policy, account });
  }
  for (const { policy, account } of reported.values()) {
    fallShort(out, [policy], {
      code: 'PORTS_MIXED',
      field: 'spec.allowedPorts',
      message: `OSM checks ports separately from paths and methods, so ServiceAccount ${account} may send requests that one of its rules allows to the ports of the others, too; allow the same ports, or the same requests, in all rules`,
    });
  }
}

function distinctPolicies(policies: readonly PolicyRef[]): Iterable<PolicyRef> {
  return new Map(policies.map((policy) => [policyId(policy), policy])).values();
}

function policyId({ kind, cluster, namespace, name }: PolicyRef): string {
  return [kind, cluster, namespace, name].join('/');
}

function byAccount(grants: readonly Grant[]): Map<string, Grant[]> {
  const result = new Map<string, Grant[]>();
  for (const grant of grants) {
    for (const account of grant.accounts) {
      const id = accountId(account);
      result.set(id, [...(result.get(id) ?? []), grant]);
    }
  }
  return result;
}

function isUnlimited({ ports, requests }: Grant): boolean {
  return ports.length === 0 && requests.some(({ method, path }) => method === undefined && path === undefined);
}

function portsId({ ports }: Grant): string {
  return ports.join();
}

function requestsId({ requests }: Grant): string {
  return requests.map(requestName).sort().join('\n');
}

function distinct(values: readonly string[]): number {
  return new Set(values).size;
}
