/** Access rules in OSM's terms: which accounts may send which requests to which ports. */
import { type PolicyRef, shortList } from '@meshrelay/api';
import type { AccessRuleView, DestinationFacts, Output } from '@meshrelay/relay-core';
import { fallShort, serviceText } from '../../reports.ts';
import { accountOf, type ServiceAccount } from '../../service-account.ts';
import { isHttpPort, podPort } from '../ports.ts';
import { METHODS, type RequestMatch, requestsOf } from './requests.ts';

export interface Grant {
  readonly accounts: readonly ServiceAccount[];
  readonly requests: readonly RequestMatch[];
  /** Ports on the pods, sorted; empty: all. */
  readonly ports: readonly number[];
  readonly from: readonly PolicyRef[];
}

/** The grant of a rule; undefined if OSM can express no part of it. Reports the parts that OSM cannot express. */
export function grantOf(rule: AccessRuleView, destination: DestinationFacts, out: Output): Grant | undefined {
  const accounts = accountsOf(rule, destination, out);
  reportMethods(rule, out);
  const requests = requestsOf(rule);
  const ports = portsOf(rule, destination);
  if (accounts.length === 0 || requests.length === 0 || ports === undefined) return undefined;
  return { accounts, requests, ports, from: rule.from };
}

const MAX_SHOWN = 5;

/** OSM supports only ServiceAccounts of the mesh's own trust domain. */
function accountsOf({ sources, from }: AccessRuleView, { mesh }: DestinationFacts, out: Output): ServiceAccount[] {
  if (sources.kind === 'anyone') return [];
  const reported = sources.principals.map((principal) => ({
    principal,
    account: accountOf(principal, mesh.trustDomain),
  }));
  const untold = reported.filter(({ account }) => account === undefined).map(({ principal }) => principal);
  if (untold.length > 0) {
    fallShort(out, from, {
      code: 'UNSUPPORTED',
      field: 'spec.sourceSelector',
      message: `OSM allows ServiceAccounts of its own mesh only (trust domain ${mesh.trustDomain} of cluster ${mesh.cluster}), so these sources are not allowed: ${shortList(untold, MAX_SHOWN)}; select ServiceAccounts of that mesh`,
    });
  }
  return reported.flatMap(({ account }) => account ?? []);
}

function reportMethods({ methods, from }: AccessRuleView, out: Output): void {
  const unknown = methods.filter((method) => !METHODS.has(method));
  if (unknown.length === 0) return;
  fallShort(out, from, {
    code: 'UNSUPPORTED',
    field: 'spec.allowedMethods',
    message: `HTTPRouteGroups do not support the methods ${unknown.join(', ')}, so these requests are not allowed`,
  });
}

/**
 * The ports of a rule; undefined if it allows none. OSM checks ports and requests separately, and checks only the port
 * if it is not HTTP. So a rule with paths or methods must name the HTTP ports, or it would open the other ports
 * completely.
 */
function portsOf({ ports, paths, methods }: AccessRuleView, destination: DestinationFacts): number[] | undefined {
  const aboutRequests = paths.length + methods.length > 0;
  const blind = new Set(destination.ports.filter((port) => !isHttpPort(port)).map(podPort));
  if (!aboutRequests || blind.size === 0) return inOrder(ports);
  const seen = destination.ports.filter(isHttpPort).map(podPort);
  const open = (ports.length === 0 ? seen : ports).filter((port) => !blind.has(port));
  return open.length === 0 ? undefined : inOrder(open);
}

function inOrder(ports: readonly number[]): number[] {
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** A destination of a mesh has pods, but agents older than this plugin do not send their accounts. */
export function reportNoAccount(rules: readonly AccessRuleView[], destination: DestinationFacts, out: Output): void {
  fallShort(
    out,
    rules.flatMap(({ from }) => from),
    {
      code: 'NO_SERVICE_ACCOUNT',
      field: 'spec.destinationSelector',
      message: `OSM decides access by ServiceAccount, and no ServiceAccount of the pods of ${serviceText(destination)} is known; the policy takes effect when the agent of its cluster reports them`,
    },
  );
}
