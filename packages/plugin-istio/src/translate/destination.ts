/** A destination for the proxies of its own mesh. */
import type { DestinationView, Output, PolicyRef, RouteView } from '@meshrelay/plugin';
import { DESTINATION_RULE, istioObject, VIRTUAL_SERVICE } from '../kinds.ts';
import { localName } from '../names.ts';
import { present } from '../present.ts';
import { namespacesSeeing, seenLikeService } from '../visibility.ts';
import { authorizationPolicies } from './access/authorization-policy.ts';
import { realSubset, translateFederatedName } from './federated-name.ts';
import { reportInvisible, reportUnseenTargets } from './hidden-services.ts';
import { reportRefusedCallers } from './inbound-mtls.ts';
import { connectionPolicies } from './traffic/connection-policies.ts';
import { trafficPolicy } from './traffic/mod.ts';
import { policiesOf, routesOf, virtualServiceSpec } from './virtual-service.ts';

export function translateDestination(view: DestinationView, out: Output): void {
  const { destination } = view;
  const supported = routesOf(view.routes, out);
  const callers = namespacesSeeing(destination);
  if (callers?.length === 0) reportInvisible(destination, policiesForCallers(view, supported), out);
  else {
    reportUnseenTargets(supported, callers, destination.mesh, out);
    reportForCallers(view, supported, seenLikeService(out, destination));
  }
  // Connections to the name of a virtual destination use the TLS settings of the virtual destination.
  if (view.virtualDestination === undefined) reportRefusedCallers(destination, view.connection.mtls, view.inbound, out);
  authorizationPolicies(view, out);
  translateFederatedName(view, supported, out);
}

/** Reports for routes and connection settings, which apply to the proxies of all callers. */
function reportForCallers(view: DestinationView, supported: readonly RouteView[], out: Output): void {
  const { destination, subsets, connection } = view;
  const { cluster, namespace, hostname } = destination;
  if (supported.length > 0) {
    const spec = virtualServiceSpec(hostname, supported, destination.ports.length);
    out.emit(cluster, istioObject(VIRTUAL_SERVICE, namespace, localName(destination), spec), policiesOf(supported));
  }
  if (!hasRule(view)) return;
  const spec = present({
    host: hostname,
    trafficPolicy: trafficPolicy(connection),
    subsets: subsets.map(realSubset),
  });
  const sourcePolicies = connectionPolicies(connection, subsets);
  out.emit(cluster, istioObject(DESTINATION_RULE, namespace, localName(destination), spec), sourcePolicies);
}

function hasRule({ virtualDestination, subsets, connection }: DestinationView): boolean {
  return virtualDestination === undefined && (subsets.length > 0 || Object.keys(connection).length > 0);
}

function policiesForCallers(view: DestinationView, supported: readonly RouteView[]): readonly PolicyRef[] {
  return [...policiesOf(supported), ...(hasRule(view) ? connectionPolicies(view.connection, []) : [])];
}
