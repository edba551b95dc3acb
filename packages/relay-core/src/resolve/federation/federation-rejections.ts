/** Destinations that are selected and still not federated, wholly or in part: the reasons, and what to do. */
import type { Report } from '@meshrelay/api';
import type { MeshFacts } from '@meshrelay/plugin';
import { hasTcpPort, type KnownDestination, notInMesh, type PortFault } from '../inventory/mod.ts';
import { federatedHostname } from './federation-names.ts';

const FIELD = 'spec.federation.selectors';
const SUFFIX_FIELD = 'spec.federation.hostnameSuffix';
/** DNS limits: for a name, and for each label between dots. */
const MAX_HOSTNAME = 253;
const MAX_LABEL = 63;

/** What a selection says about a destination, and its context. */
export interface FederationContext {
  /** Whether the selection names the destination, instead of selecting it by a matcher. */
  readonly named: boolean;
  /** Whether its mesh is a member of the virtual mesh. */
  readonly member: boolean;
  /** Whether it is a gateway of its mesh. */
  readonly gateway: boolean;
  readonly suffix: string;
  /** Whether a cluster has this DNS domain. */
  isDomain(domain: string): boolean;
}

/**
 * Whether a destination is federated; if not, the reasons. A destination that is only matched gets no report if that is
 * expected.
 */
export function evaluateFederation(
  destination: KnownDestination,
  context: FederationContext,
): { readonly federable: boolean; readonly rejection?: readonly Report[] } {
  const { mesh, serviceType } = destination;
  const { named } = context;
  const refused = (reported: boolean, report: () => Report) => ({
    federable: false,
    rejection: reported ? [report()] : [],
  });
  if (mesh === undefined)
    return refused(named || serviceType === 'EXTERNAL_NAME', () => ({ ...notInMesh(destination), field: FIELD }));
  if (!context.member) return refused(named, () => notAMember(destination, mesh));
  if (context.gateway) return refused(named, () => isAGateway(destination));
  const problem = nameProblem(destination, context) ?? portProblem(destination);
  return problem === undefined ? { federable: true } : refused(true, () => problem);
}

function notAMember(destination: KnownDestination, mesh: MeshFacts): Report {
  const message = `${nameOf(destination)} belongs to the mesh ${mesh.namespace}/${mesh.name}, which is not a member; add it to spec.meshes`;
  return { code: 'NOT_A_MEMBER', severity: 'warning', field: FIELD, message };
}

function isAGateway(destination: KnownDestination): Report {
  const message = `${nameOf(destination)} is the ingress gateway for other clusters and cannot be federated; do not select it`;
  return { code: 'IS_A_GATEWAY', severity: 'warning', field: FIELD, message };
}

function nameProblem(destination: KnownDestination, { suffix, isDomain }: FederationContext): Report | undefined {
  const hostname = federatedHostname(destination, suffix);
  const known = `${nameOf(destination)} would be federated as ${hostname}`;
  if (isDomain(`${destination.cluster}.${suffix}`)) {
    const message = `${known}, which is the name of a Service within clusters of that domain; set another spec.federation.hostnameSuffix`;
    return { code: 'NAME_CONFLICT', severity: 'warning', field: SUFFIX_FIELD, message };
  }
  const problem = dnsProblem(hostname);
  if (problem === undefined) return undefined;
  const message = `${known}, and ${problem}; give the Service or its cluster a shorter or valid name, or set a shorter spec.federation.hostnameSuffix`;
  return { code: 'INVALID_HOSTNAME', severity: 'warning', field: FIELD, message };
}

function portProblem(destination: KnownDestination): Report | undefined {
  const { ports } = destination;
  if (hasTcpPort(ports)) return undefined;
  const what =
    ports.length === 0 ? 'no valid port; add one to spec.ports or' : 'no TCP port, and gateways support only TCP;';
  const message = `${nameOf(destination)} has ${what} do not select it`;
  return { code: 'NO_PORT', severity: 'warning', field: FIELD, message };
}

const BY_THE_NAMES = new Set(['NAME_CONFLICT', 'INVALID_HOSTNAME']);

/**
 * True if the cause is in the nature of the Service: it then concerns only policies that name the Service. Rejected
 * names are different: the virtual mesh requested them.
 */
export function isNatural({ code }: Report): boolean {
  return !BY_THE_NAMES.has(code);
}

/** Parts of a destination that are lost although it is federated. */
export function lostInFederation(destination: KnownDestination, faults: readonly PortFault[]): Report[] {
  const where = nameOf(destination);
  const reports: Report[] = faults.map(({ message }) => {
    return { code: 'INVALID_PORT', severity: 'warning', field: FIELD, message: `${where}: ${message}` };
  });
  const udp = destination.ports.filter(({ protocol }) => protocol === 'UDP').map(({ number }) => number);
  if (udp.length > 0) {
    const which = udp.length === 1 ? `port ${udp[0]} of ${where} is` : `ports ${udp.join(', ')} of ${where} are`;
    const message = `only TCP passes between clusters, so ${which} not federated`;
    reports.push({ code: 'UNSUPPORTED', severity: 'info', field: FIELD, message });
  }
  if (destination.headless) {
    const message = `${where} is headless: in other clusters one name resolves to all its pods, and pods have no own names there`;
    reports.push({ code: 'HEADLESS', severity: 'info', field: FIELD, message });
  }
  return reports;
}

function dnsProblem(hostname: string): string | undefined {
  if (hostname.length > MAX_HOSTNAME)
    return `the name has ${hostname.length} characters, and DNS allows ${MAX_HOSTNAME}`;
  const labels = hostname.split('.');
  const long = labels.find(({ length }) => length > MAX_LABEL);
  if (long !== undefined) return `DNS takes ${MAX_LABEL} characters between dots, and ${long} has ${long.length}`;
  const bad = labels.find((label) => !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(label));
  return bad === undefined ? undefined : `"${bad}" is not a valid DNS label`;
}

function nameOf({ namespace, name, cluster }: KnownDestination): string {
  return `Service ${namespace}/${name} of cluster ${cluster}`;
}
