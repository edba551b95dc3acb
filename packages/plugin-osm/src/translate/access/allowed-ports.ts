/** Ports: TCPRoutes list them. */
import type { AccessRows, AccessRuleView, DestinationFacts } from '@meshrelay/plugin';
import { isHttpPort, podPort } from '../ports.ts';

export const ALLOWED_PORTS: AccessRows<'allowedPorts'> = { 'access.ports': 'native' };

/**
 * The ports of a rule; undefined if it allows none. OSM checks ports and requests separately, and checks only the port
 * if it is not HTTP. So a rule with paths or methods must name the HTTP ports, or it would open the other ports
 * completely.
 */
export function portsOf(
  { ports, paths, methods }: AccessRuleView,
  destination: DestinationFacts,
): number[] | undefined {
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
