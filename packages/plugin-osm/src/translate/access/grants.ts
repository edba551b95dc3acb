/** Access rules in OSM's terms: which accounts may send which requests to which ports. */
import type { AccessRuleView, DestinationFacts, Output, PolicyRef } from '@meshrelay/plugin';
import { fallShort, serviceText } from '../../reports.ts';
import type { ServiceAccount } from '../../service-account.ts';
import { reportMethods } from './allowed-methods.ts';
import { portsOf } from './allowed-ports.ts';
import { type RequestMatch, requestsOf } from './requests.ts';
import { accountsOf } from './source-selector.ts';

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
