/** A fleet in which every member of every field of a TrafficPolicy is set, each for a separate destination. */
import { bookshop, probePolicies } from '../capability/probe-fleet.ts';
import { TRAFFIC_VALUES } from '../capability/traffic/mod.ts';
import type { PolicySpec } from '../fleet/policy-object.ts';
import type { TestedPlugin } from '../tested-plugin.ts';
import type { TestFleet } from './property.ts';

const BUYER = { name: 'buyer', namespace: 'shop', clusterName: 'cluster-1' };

/**
 * Two clusters, federated, and a caller that every destination admits, since some meshes configure each known caller.
 */
export function allPolicyRulesFleet(tested: TestedPlugin): TestFleet {
  const names = TRAFFIC_VALUES.map((_, index) => `whole-${index}`);
  const fleet = bookshop(tested, names);
  const policies = TRAFFIC_VALUES.map((rule, index): PolicySpec => {
    const name = names[index] ?? '';
    const service = { name, namespace: 'shop', clusterName: 'cluster-1' };
    const destinationSelector = [{ kubeServiceRefs: { services: [service] } }];
    return { TrafficPolicy: name, spec: { destinationSelector, policy: rule(name) } };
  });
  const sourceSelector = [{ kubeServiceAccountRefs: { serviceAccounts: [BUYER] } }];
  const around: readonly PolicySpec[] = [
    { VirtualMesh: 'whole-mesh', spec: { federation: { mode: 'ALL' } } },
    { AccessPolicy: 'whole-caller', spec: { sourceSelector } },
  ];
  return {
    name: 'every value of every rule',
    fleet: { ...fleet, management: probePolicies([...around, ...policies], fleet, tested) },
  };
}
