/** A virtual destination for the proxies of one mesh, and for the gateways that admit requests to it. */
import type { Output, VirtualDestinationView, VirtualEndpointGroup } from '@meshrelay/plugin';
import { DESTINATION_RULE, istioObject } from '../../kinds.ts';
import { localName, virtualDestinationName } from '../../names.ts';
import { reportUnreachableMember } from '../inbound-mtls.ts';
import { destinationRule, reportOverruled, rulePolicies } from './destination-rule.ts';
import { orderOf } from './order.ts';
import { placeOf } from './place.ts';
import { gatewayServiceEntry, portName, serviceEntries } from './service-entries.ts';

export function translateVirtualDestination(whole: VirtualDestinationView, out: Output): void {
  const view = { ...whole, groups: whole.groups.flatMap((group) => supported(group, whole, out) ?? []) };
  if (view.groups.length === 0) return;
  if (portName(view) === undefined) reportPortWithoutName(view, out);
  for (const group of view.groups) reportUnreachableMember(group, view.virtualDestination, out);
  const order = orderOf(view, out);
  serviceEntries(view, order, out);
  gatewayServiceEntry(view, out);
  reportOverruled(view, out);
  const rule = istioObject(DESTINATION_RULE, placeOf(view), ruleName(view), destinationRule(view, order));
  out.emit(view.consumer.cluster, rule, rulePolicies(view));
}

/**
 * A rule for a Service's own name shares its name with the rule of the Service's policies: Istio would merge two rules
 * by age.
 */
function ruleName(view: VirtualDestinationView): string {
  const local = view.groups.find((group) => group.local);
  return view.sameHostname === undefined || local === undefined
    ? virtualDestinationName(view, '')
    : localName(local.destination);
}

/** The part of the group that Istio supports. */
function supported(
  group: VirtualEndpointGroup,
  { virtualDestination, sameHostname, hostname }: VirtualDestinationView,
  out: Output,
): VirtualEndpointGroup | undefined {
  const { destination, local, endpoints } = group;
  const where = `Service ${destination.namespace}/${destination.name} of cluster ${destination.cluster}`;
  const lose = (message: string) =>
    out.report(virtualDestination, { code: 'UNSUPPORTED', severity: 'warning', field: 'spec', message });
  if (local && Object.keys(destination.workloadSelector).length === 0) {
    lose(`${where} has no pod selector, so proxies cannot find its endpoints; add one or do not select it`);
    return undefined;
  }
  if (sameHostname === undefined || endpoints.every(({ kind }) => kind !== 'hostname')) return group;
  lose(
    `Istio adds endpoints to the name of a Service (${hostname}) by IP address, and the gateways of ${where} have host names; give the gateways IP addresses, or choose another name`,
  );
  const reachable = endpoints.filter(({ kind }) => kind !== 'hostname');
  return reachable.length === 0 ? undefined : { ...group, endpoints: reachable };
}

function reportPortWithoutName(
  { virtualDestination, hostname, port, consumer }: VirtualDestinationView,
  out: Output,
): void {
  out.report(virtualDestination, {
    code: 'UNSUPPORTED',
    severity: 'warning',
    field: 'spec.hostname',
    message: `in cluster ${consumer.cluster} ${hostname} gets no further endpoints: Istio adds endpoints by the name of the Service port, and port ${port.number} has none; name it`,
  });
}
