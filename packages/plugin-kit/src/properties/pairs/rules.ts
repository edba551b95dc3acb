/**
 * The rules that can apply to one Service's traffic together, each with a value. A rule has another value if two of its
 * values contradict each other.
 */
import type { ViewField } from '@meshrelay/plugin';
import { access, traffic, virtualDestination, virtualMesh } from '../../capability/probe.ts';
import { TRAFFIC_CONFLICTS } from '../../capability/traffic/mod.ts';
import type { PolicySpec } from '../../fleet/policy-object.ts';

/** A rule for the traffic of the destination of probes. */
export interface Rule {
  /** The rule is supported if the plugin's table declares it neither unsupported nor `always`. */
  readonly field: ViewField;
  /** The policy with the rule; `name` is the policy's. */
  readonly stated: (name: string) => PolicySpec;
  /** Its part of `spec.policy` of a TrafficPolicy; omitted: the rule is a policy of its own. */
  readonly part?: Readonly<Record<string, unknown>>;
  /**
   * The same rule with another value that cannot be effective together with the first; omitted: any number of such
   * policies can.
   */
  readonly contradicted?: (name: string) => PolicySpec;
  /**
   * True: endpoints of its targets remain if it contradicts another rule. They depend on no caller; otherwise one
   * cluster's callers would change another's gateways.
   */
  readonly endpointsRemain?: boolean;
}

/** Some rules in one TrafficPolicy. */
export function trafficPolicy(name: string, policy: object): PolicySpec {
  return { ...traffic({ policy }), TrafficPolicy: name };
}

const TRAFFIC_RULES: readonly Rule[] = TRAFFIC_CONFLICTS.map(({ capability, one, other }) => ({
  field: capability,
  part: one as Readonly<Record<string, unknown>>,
  stated: (policy) => trafficPolicy(policy, one),
  contradicted: (policy) => trafficPolicy(policy, other),
}));

function ofAccess(field: ViewField, action: string, names: readonly string[]): Rule {
  return { field, stated: (name) => ({ ...access({ action, sourceSelector: callers(names) }), AccessPolicy: name }) };
}

function callers(names: readonly string[]): readonly object[] {
  const serviceAccounts = names.map((name) => ({ name, namespace: 'shop', clusterName: 'cluster-1' }));
  return [{ kubeServiceAccountRefs: { serviceAccounts } }];
}

/** Two names with one hostname contradict each other. */
function ofName(field: ViewField, hostname: string): Rule {
  const target = { kubeService: { name: 'books', namespace: 'shop', clusterName: 'cluster-1' } };
  const named = (spec: Readonly<Record<string, unknown>>) => (name: string) => ({
    ...virtualDestination({ hostname, ...spec }),
    VirtualDestination: name,
  });
  return {
    field,
    stated: named({}),
    contradicted: named({ static: { destinations: [target] } }),
    endpointsRemain: true,
  };
}

/** All rules; each field of `spec.policy` and each action of an AccessPolicy has one. */
export const RULES: readonly Rule[] = [
  ...TRAFFIC_RULES,
  ofAccess('access.allow', 'ALLOW', ['buyer']),
  ofAccess('access.deny', 'DENY', ['books']),
  ofAccess('access.audit', 'AUDIT', ['buyer', 'books']),
  ofName('virtualDestination.static', 'books.anywhere'),
];

/** Added to every rule: a VirtualMesh for names, and a caller, since some meshes configure each known caller. */
export const BACKGROUND: readonly PolicySpec[] = [
  virtualMesh({}),
  { ...access({ sourceSelector: callers(['new-books']) }), AccessPolicy: 'background' },
];
