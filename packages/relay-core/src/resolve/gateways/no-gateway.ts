/** Why a mesh has no gateway: what core searched for, which Services are similar, and what to do. */
import type { Report } from '@meshrelay/api';
import type { MeshFacts } from '@meshrelay/plugin';
import type { Labels } from '../../input/labels.ts';
import type { KnownDestination } from '../inventory/mod.ts';

/** The field of a virtual mesh that selects gateways. */
export const GATEWAY_FIELD = 'spec.federation.eastWestIngressGatewaySelectors';

/** How gateways of a mesh are recognised. */
export type GatewayRule =
  /** By the selectors of the virtual mesh. */
  | { readonly by: 'selectors'; readonly portNames: readonly string[] }
  /** By labels of the pods of a Service. */
  | { readonly by: 'settings'; readonly labels: Labels; readonly portName: string }
  /** By labels of the Service itself. */
  | { readonly by: 'plugin'; readonly labels: Labels; readonly portName: string }
  | { readonly by: 'nothing' };

/** A Service that would be a gateway if it had a port of the name. */
export interface SimilarName {
  readonly destination: KnownDestination;
  readonly portName: string;
}

export function noGateway(mesh: MeshFacts, rule: GatewayRule, near: readonly SimilarName[]): Report {
  const how = near.length > 0 ? `${nearly(near, rule)}; ${renamed(rule)}` : notThere(mesh, rule);
  const message = `mesh ${mesh.name} of cluster ${mesh.cluster} has no ingress gateway for other clusters: ${how}`;
  return { code: 'NO_GATEWAY', severity: 'error', field: GATEWAY_FIELD, message };
}

function notThere({ type }: MeshFacts, rule: GatewayRule): string {
  switch (rule.by) {
    case 'selectors': {
      const named = [...new Set(rule.portNames)].slice(0, MAX_NAMED).join(' or ');
      return `no Service of that cluster matches ${GATEWAY_FIELD} and has a port named ${named}; set portName to the port of the gateway Service that accepts mutual TLS, or select another Service`;
    }
    case 'settings':
      return `no Service of that cluster selects pods with ${labelled(rule.labels)} and has a port named ${rule.portName}, as spec.discovery.${type}.ingressGatewayDetectors of the Settings requires; correct that field, or set ${GATEWAY_FIELD}`;
    case 'plugin':
      return `no Service of that cluster has ${labelled(rule.labels)} and a port named ${rule.portName}; install such a gateway or set ${GATEWAY_FIELD}`;
    case 'nothing':
      return `no detector selects a Service; set ${GATEWAY_FIELD}`;
  }
}

function labelled(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? 'any labels' : `the label${all.length === 1 ? '' : 's'} ${all.join(', ')}`;
}

const MAX_NAMED = 3;

function nearly(near: readonly SimilarName[], rule: GatewayRule): string {
  const fits = fittingOf(rule);
  const named = near.slice(0, MAX_NAMED).map(({ destination, portName }) => {
    const has = destination.ports.map(({ name, number }) => name || String(number)).join(', ') || 'none';
    return `Service ${destination.namespace}/${destination.name} ${fits} and has no port named ${portName} (it has ${has})`;
  });
  const rest = near.length > MAX_NAMED ? `, and ${near.length - MAX_NAMED} more` : '';
  return `${named.join('; ')}${rest}`;
}

function fittingOf(rule: GatewayRule): string {
  switch (rule.by) {
    case 'settings':
      return `selects pods with ${labelled(rule.labels)}`;
    case 'plugin':
      return `has ${labelled(rule.labels)}`;
    default:
      return 'is selected';
  }
}

function renamed({ by }: GatewayRule): string {
  return by === 'selectors'
    ? 'set portName of the selector to the port that accepts mutual TLS'
    : `give that name to the port that accepts mutual TLS, or set ${GATEWAY_FIELD} with its portName`;
}
