/** A destination with its properties, and the policies that apply to it. */
import {
  type AppliedFederation,
  type AppliedPolicy,
  type Destination,
  type DestinationStatus,
  listValues,
} from '@meshrelay/api';
import { factsSection, tableSection } from '../explain/sections.ts';
import { labelsText, policyText } from '../explain/words.ts';
import type { KnownFleet, KnownPolicy } from './known-fleet.ts';

export function destinationLines({ metadata, spec, status }: Destination, fleet: KnownFleet): readonly string[] {
  const { kubeService, mesh } = spec;
  const federation = status?.appliedFederation;
  const endpoints = (kubeService.endpointSubsets ?? []).reduce((sum, subset) => sum + subset.endpoints.length, 0);
  return [
    ...factsSection([
      ['Name', metadata.name],
      ['Service', `${kubeService.ref.namespace}/${kubeService.ref.name}`],
      ['Cluster', kubeService.ref.clusterName],
      ['Type', kubeService.serviceType],
      ['Region', kubeService.region],
      ['Host', status?.localFqdn],
      ['Mesh', mesh?.name ?? 'none: no policy acts on it'],
      ['Labels', labelsText(kubeService.labels ?? {})],
      ['Pods', labelsText(kubeService.workloadSelectorLabels ?? {})],
      ['Service accounts', kubeService.serviceAccounts?.join(', ')],
      ['Without a proxy', kubeService.workloadsWithoutProxy?.join(', ')],
      ['Endpoints', String(endpoints)],
      ['External', kubeService.externalAddresses?.map(({ dnsName, ip }) => dnsName ?? ip).join(', ')],
      ['Federated as', federation?.federatedHostname],
      ['To', federation === undefined ? undefined : toText(federation)],
      ['By', federation === undefined ? undefined : policyText(federation.virtualMeshRef)],
    ]),
    ...tableSection(
      'Not federated to',
      ['MESH', 'WHY'],
      (federation?.notFederatedToMeshes ?? []).map(({ mesh: { name }, message }) => [name, message]),
    ),
    ...tableSection(
      'Ports',
      ['PORT', 'NAME', 'PROTOCOL', 'APPLICATION PROTOCOL', 'TARGET PORT', 'NODE PORT'],
      kubeService.ports.map(({ port, name, protocol, appProtocol, targetPortName, targetPortNumber, nodePort }) => [
        String(port),
        name ?? '',
        protocol ?? 'TCP',
        appProtocol ?? '',
        targetPortName ?? String(targetPortNumber ?? port),
        nodePort === undefined ? '' : String(nodePort),
      ]),
    ),
    ...tableSection(
      'Labels that distinguish its pods',
      ['LABEL', 'VALUES'],
      Object.entries(kubeService.subsets ?? {})
        .map(([label, values]) => [label, listValues(values)] as const)
        .filter(([, values]) => values.length > 1)
        .map(([label, values]) => [label, values.join(', ')]),
    ),
    ...appliedLines('Policies, in order of acceptance', appliedTo(status), fleet.policies),
    ...tableSection(
      'Requested subsets',
      ['LABELS', 'POLICY'],
      (status?.requiredSubsets ?? []).map(({ subset, trafficPolicyRef }) => [
        labelsText(subset),
        policyText(trafficPolicyRef),
      ]),
    ),
  ];
}

function toText({ federatedToMeshes = [] }: AppliedFederation): string {
  return federatedToMeshes.length === 0 ? 'no mesh' : federatedToMeshes.map(({ name }) => name).join(', ');
}

/** The policies in its status. */
export function appliedTo(status: DestinationStatus = {}): readonly AppliedPolicy[] {
  const { appliedTrafficPolicies = [], appliedAccessPolicies = [], appliedVirtualDestinations = [] } = status;
  return [...appliedTrafficPolicies, ...appliedAccessPolicies, ...appliedVirtualDestinations];
}

/** Policies, with their states. */
export function appliedLines(
  title: string,
  applied: readonly AppliedPolicy[],
  policies: readonly KnownPolicy[],
): readonly string[] {
  return tableSection(
    title,
    ['POLICY', 'GENERATION', 'STATE'],
    applied.map(({ ref, observedGeneration }) => {
      const known = policies.find((policy) => policyText(policy.ref) === policyText(ref));
      return [policyText(ref), String(observedGeneration), known?.status?.state ?? 'unknown here'];
    }),
  );
}
