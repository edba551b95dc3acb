/** Objects that policies name one by one, by field. */
import type {
  AccessPolicy,
  ClusterObjectRef,
  DestinationSelector,
  ObjectRef,
  Policy,
  Report,
  TrafficPolicy,
} from '@meshrelay/api';
import type { NamedTarget } from '../../fields/traffic/field.ts';
import { targetsOf } from '../../fields/traffic/mod.ts';
import type { RegisteredClusters } from './unknown-clusters.ts';

/** A Service that a policy names. */
export interface Reference {
  readonly field: string;
  readonly service: ClusterObjectRef;
}

/** Every Service a policy names one by one. */
export function referencesOf(policy: Policy): Reference[] {
  switch (policy.kind) {
    case 'VirtualMesh':
      return (['selectors', 'eastWestIngressGatewaySelectors'] as const).flatMap((list) =>
        (policy.spec.federation?.[list] ?? []).flatMap(({ destinationSelectors }, position) =>
          selectorReferences(destinationSelectors, `spec.federation.${list}[${position}].destinationSelectors`),
        ),
      );
    case 'VirtualDestination':
      return [
        ...(policy.spec.static?.destinations ?? []).map(({ kubeService }, position) => ({
          field: `spec.static.destinations[${position}].kubeService`,
          service: kubeService,
        })),
        ...selectorReferences(policy.spec.localized?.destinationSelectors, 'spec.localized.destinationSelectors'),
      ];
    case 'AccessPolicy':
    case 'TrafficPolicy':
      return [
        ...selectorReferences(policy.spec.destinationSelector, 'spec.destinationSelector'),
        ...routeTargetsOf(policy),
      ];
    case 'AccessLogRecord':
    case 'WasmDeployment':
    case 'Workspace':
    case 'WorkspaceSettings':
      return [];
  }
}

/** The Services a policy sends requests to. */
export function routeTargetsOf(policy: TrafficPolicy | AccessPolicy): Reference[] {
  return namedTargets(policy).flatMap((target) => ('service' in target ? [target] : []));
}

/** Every virtual destination a policy names. */
export function virtualReferencesOf(
  policy: Policy,
): Array<{ readonly field: string; readonly virtualDestination: ObjectRef }> {
  return namedTargets(policy).flatMap((target) => ('virtualDestination' in target ? [target] : []));
}

function namedTargets(policy: Policy): readonly NamedTarget[] {
  return policy.kind === 'TrafficPolicy' ? targetsOf(policy.spec.policy ?? {}) : [];
}

/** The report about a virtual destination that does not exist. */
export function missingVirtual(field: string, { name, namespace }: ObjectRef): Report {
  return {
    code: 'REF_NOT_FOUND',
    severity: 'error',
    field,
    message: `no VirtualDestination ${namespace}/${name} is known in the management cluster, or its spec is invalid; it takes effect when a valid one exists`,
    related: [{ kind: 'VirtualDestination', name, namespace, cluster: '' }],
  };
}

function selectorReferences(selectors: readonly DestinationSelector[] | undefined, path: string): Reference[] {
  return (selectors ?? []).flatMap(({ kubeServiceRefs }, item) =>
    (kubeServiceRefs?.services ?? []).map((service, position) => ({
      field: `${path}[${item}].kubeServiceRefs.services[${position}]`,
      service,
    })),
  );
}

/** The report about a Service that does not exist. */
export function missingReport(
  field: string,
  { name, namespace, clusterName }: ClusterObjectRef,
  clusters: RegisteredClusters,
): Report {
  const unknown = clusters.isUnknown(clusterName) ? `, which is not registered${clusters.meant(clusterName)}` : '';
  return {
    code: 'REF_NOT_FOUND',
    severity: 'error',
    field,
    message: `no Service ${namespace}/${name} is known in cluster ${clusterName}${unknown}; it takes effect when the Service exists`,
    related: [{ kind: 'Destination', name, namespace, cluster: clusterName }],
  };
}
