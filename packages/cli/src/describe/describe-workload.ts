/** A workload: its properties, the destinations that send requests to it, and their policies. */
import type { Destination, Workload } from '@meshrelay/api';
import { factsSection, tableSection } from '../explain/sections.ts';
import { labelsText } from '../explain/words.ts';
import { appliedLines, appliedTo } from './describe-destination.ts';
import type { KnownFleet } from './known-fleet.ts';

export function workloadLines({ metadata, spec }: Workload, { destinations, policies }: KnownFleet): readonly string[] {
  const { controller, podLabels = {}, serviceAccountName } = spec.kubernetes;
  const serving = destinations.filter((destination) => selects(destination, controller, podLabels));
  return [
    ...factsSection([
      ['Name', metadata.name],
      ['Controller', `${controller.kind} ${controller.namespace}/${controller.name}`],
      ['Cluster', controller.clusterName],
      ['Mesh', spec.mesh?.name ?? 'none'],
      ['Service account', serviceAccountName],
      ['Labels', labelsText(podLabels)],
    ]),
    ...tableSection(
      'Destinations with this workload as endpoint',
      ['NAME', 'HOST', 'PORTS'],
      serving.map(({ metadata: { name }, spec: { kubeService }, status }) => [
        name,
        status?.localFqdn ?? '',
        kubeService.ports.map(({ port }) => port).join(','),
      ]),
    ),
    ...serving.flatMap(({ metadata: { name }, status }) =>
      appliedLines(`Policies on ${name}`, appliedTo(status), policies),
    ),
  ];
}

function selects(
  { spec: { kubeService } }: Destination,
  controller: { readonly namespace: string; readonly clusterName: string },
  podLabels: Readonly<Record<string, string>>,
): boolean {
  const selector = Object.entries(kubeService.workloadSelectorLabels ?? {});
  return (
    selector.length > 0 &&
    kubeService.ref.namespace === controller.namespace &&
    kubeService.ref.clusterName === controller.clusterName &&
    selector.every(([label, value]) => podLabels[label] === value)
  );
}
