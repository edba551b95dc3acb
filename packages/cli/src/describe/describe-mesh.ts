/** A mesh: its location and type, its virtual mesh and gateways, and its members. */
import type { Mesh } from '@meshrelay/api';
import { factsSection, tableSection } from '../explain/sections.ts';
import { appliedLines } from './describe-destination.ts';
import type { KnownFleet } from './known-fleet.ts';

/** Maximum number of listed members. */
const MAX_MEMBERS = 50;

export function meshLines(
  { metadata, spec, status }: Mesh,
  { destinations, workloads, policies }: KnownFleet,
): readonly string[] {
  const { installation } = spec;
  const isMember = ({ spec: { mesh } }: { spec: { mesh?: { readonly name: string } } }): boolean =>
    mesh?.name === metadata.name;
  const called = destinations.filter(isMember);
  const running = workloads.filter(isMember);
  return [
    ...factsSection([
      ['Name', metadata.name],
      ['Type', spec.type],
      ['Version', installation.version],
      ['Cluster', spec.cluster],
      ['Namespace', installation.namespace],
      ['Region', installation.region],
      ['Revision', spec.revision],
      ['Trust domain', spec.trustDomain],
      ['Trust domain aliases', spec.trustDomainAliases?.join(', ')],
      ['Virtual mesh', refText(status?.appliedVirtualMesh?.ref) ?? 'none'],
    ]),
    ...tableSection(
      'Ingress gateways for other clusters',
      ['DESTINATION', 'ADDRESSES', 'PORT', 'CONTAINER PORT'],
      (status?.appliedEastWestIngressGateways ?? []).map((gateway) => [
        gateway.destinationRef.name,
        gateway.externalAddresses.join(', '),
        String(gateway.destinationPort),
        String(gateway.containerPort),
      ]),
    ),
    ...appliedLines(
      'Virtual destinations available to its workloads',
      status?.appliedVirtualDestinations ?? [],
      policies,
    ),
    ...tableSection(
      `Destinations (${called.length})`,
      ['NAME', 'PORTS', 'FEDERATED AS', 'TRAFFIC POLICIES', 'ACCESS POLICIES'],
      called
        .slice(0, MAX_MEMBERS)
        .map(({ metadata: { name }, spec: { kubeService }, status: applied }) => [
          name,
          kubeService.ports.map(({ port }) => port).join(','),
          applied?.appliedFederation?.federatedHostname ?? '',
          String(applied?.appliedTrafficPolicies?.length ?? 0),
          String(applied?.appliedAccessPolicies?.length ?? 0),
        ]),
    ),
    ...moreLine(called.length),
    ...tableSection(
      `Workloads (${running.length})`,
      ['NAME', 'KIND', 'SERVICE ACCOUNT'],
      running
        .slice(0, MAX_MEMBERS)
        .map(({ metadata: { name }, spec: { kubernetes } }) => [
          name,
          kubernetes.controller.kind,
          kubernetes.serviceAccountName,
        ]),
    ),
    ...moreLine(running.length),
  ];
}

function moreLine(count: number): string[] {
  return count > MAX_MEMBERS ? [`  and ${count - MAX_MEMBERS} more`] : [];
}

function refText(ref: { readonly namespace: string; readonly name: string } | undefined): string | undefined {
  return ref === undefined ? undefined : `${ref.namespace}/${ref.name}`;
}
