/**
 * Access rules of a destination. OSM expresses them by pairs of ServiceAccounts: a TrafficTarget for each caller and
 * callee. Several Services may select pods of one account, so their views contribute to the same objects.
 */
import type { DestinationView, Output, PolicyRef } from '@meshrelay/plugin';
import { HTTP_ROUTE_GROUP, osmObject, TCP_ROUTE, TRAFFIC_TARGET } from '../../kinds.ts';
import { grantName, portsName, requestsName } from '../../names.ts';
import { accountId, type ServiceAccount } from '../../service-account.ts';
import { type Grant, grantOf, reportNoAccount } from './grants.ts';
import {
  reportDottedAccounts,
  reportMixedPorts,
  reportOverlaps,
  reportPermissive,
  reportSharedAccounts,
} from './limits.ts';
import type { RequestsPart, TargetPart } from './parts.ts';
import { httpMatch, requestName } from './requests.ts';

/** Emits them, and returns the callers that are admitted by name. */
export function accessObjects(view: DestinationView, out: Output): readonly ServiceAccount[] {
  const { destination, access } = view;
  if (access.length === 0) return [];
  const grants = access.flatMap((rule) => grantOf(rule, destination, out) ?? []);
  reportPermissive(view, out);
  if (destination.serviceAccounts.length === 0) reportNoAccount(access, destination, out);
  else if (grants.length > 0) reportSharedAccounts(view, out);
  reportDottedAccounts(view, grants, out);
  reportOverlaps(grants, out);
  reportMixedPorts(grants, out);
  for (const account of destination.serviceAccounts) contribute(view, account, grants, out);
  portSets(view, grants, out);
  const callers = grants.flatMap(({ accounts }) => accounts);
  return [...new Map(callers.map((caller) => [accountId(caller), caller])).values()];
}

/** The destination's contribution to the requests that pods of one of its accounts admit. */
function contribute({ destination }: DestinationView, account: string, grants: readonly Grant[], out: Output): void {
  const { cluster, namespace, name: slot } = destination;
  const place = { cluster, namespace };
  const requests = { ...place, kind: HTTP_ROUTE_GROUP, name: requestsName(account) };
  const matches = new Map(grants.flatMap((grant) => grant.requests).map((one) => [requestName(one), httpMatch(one)]));
  if (matches.size === 0) return;
  const part: RequestsPart = { matches: [...matches.values()] };
  out.contribute(requests, { slot, value: part }, sourcePolicies(grants));
  for (const { caller, ports, grants: own } of byTarget(grants)) {
    const value: TargetPart = {
      destination: { namespace, name: account },
      source: caller,
      requests: [...new Set(own.flatMap((grant) => grant.requests.map(requestName)))],
      ports,
    };
    const target = { ...place, kind: TRAFFIC_TARGET, name: grantName(account, caller, ports) };
    out.contribute(target, { slot, value }, sourcePolicies(own));
  }
}

interface Target {
  readonly caller: ServiceAccount;
  readonly ports: readonly number[];
  readonly grants: Grant[];
}

/** Grants by caller and set of ports: OSM checks the ports per TrafficTarget. */
function byTarget(grants: readonly Grant[]): Target[] {
  const found = new Map<string, Target>();
  for (const grant of grants) {
    for (const caller of grant.accounts) {
      const id = `${accountId(caller)} ${grant.ports.join()}`;
      const known = found.get(id) ?? { caller, ports: grant.ports, grants: [] };
      known.grants.push(grant);
      found.set(id, known);
    }
  }
  return [...found.values()];
}

/** A TCPRoute for each set of ports. Destinations of a namespace with the same ports share the object. */
function portSets({ destination }: DestinationView, grants: readonly Grant[], out: Output): void {
  const { cluster, namespace, serviceAccounts } = destination;
  if (serviceAccounts.length === 0) return;
  const limited = new Map<string, Grant[]>();
  for (const grant of grants.filter(({ ports }) => ports.length > 0)) {
    limited.set(grant.ports.join(), [...(limited.get(grant.ports.join()) ?? []), grant]);
  }
  for (const own of limited.values()) {
    const ports = own[0]?.ports ?? [];
    out.emit(cluster, osmObject(TCP_ROUTE, namespace, portsName(ports), { matches: { ports } }), sourcePolicies(own));
  }
}

function sourcePolicies(grants: readonly Grant[]): PolicyRef[] {
  return grants.flatMap(({ from }) => from);
}
