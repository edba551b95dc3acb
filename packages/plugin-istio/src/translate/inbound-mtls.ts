/** Connections that pods reject: the TLS mode of callers compared with the PeerAuthentications of the pods. */

import { shortList } from '@meshrelay/api';
import type {
  DestinationFacts,
  InboundView,
  MeshFacts,
  MeshView,
  MtlsMode,
  Output,
  PolicyRef,
  PortView,
  PresentView,
  Report,
  Sourced,
  VirtualEndpointGroup,
} from '@meshrelay/plugin';
import { PEER_AUTHENTICATION } from '../kinds.ts';
import {
  type DecidingObject,
  type EffectiveMode,
  modeOf,
  PeerAuthentications,
  type RefusingMode,
} from '../peer-authentications.ts';
import { HTTP } from './ports.ts';
import { TLS_MODES } from './traffic/mtls.ts';

/** Reports to policies whose TLS mode for callers some of the pods reject. */
export function reportRefusedCallers(
  destination: DestinationFacts,
  mtls: Sourced<MtlsMode> | undefined,
  inbound: InboundView | undefined,
  out: Output,
): void {
  if (mtls === undefined || mtls.from.length === 0) return;
  if (mtls.value === 'SIMPLE') reportTlsToSidecars(destination, mtls.from, inbound, out);
  if (mtls.value === 'MUTUAL') reportTlsWithoutSidecars(destination, mtls.from, out);
  if (inbound === undefined) return;
  const found = rejections(destination, inbound, (effective, port) => refuses(effective, mtls.value, port));
  for (const rejection of found) {
    const mode = TLS_MODES[mtls.value];
    const message = `${formatRejection(rejection, destination)} this policy makes callers connect with tlsMode ${mode}, so their requests fail; ${remedy(rejection, mtls.value)}`;
    for (const policy of mtls.from) report(policy, 'spec.policy.mtls', message, { ...rejection, ...destination }, out);
  }
}

/** Without a sidecar, the application of a pod receives the mesh's TLS. */
function reportTlsWithoutSidecars(destination: DestinationFacts, policies: readonly PolicyRef[], out: Output): void {
  const pods = podsWithoutSidecar(destination);
  if (pods === undefined) return;
  const message = `${pods} have no sidecar, and this policy makes callers connect with tlsMode ISTIO_MUTUAL, so their requests to those pods fail; inject a sidecar into them, or leave out spec.policy.mtls: proxies then use mutual TLS only with pods that have one`;
  for (const policy of policies)
    out.report(policy, { code: 'MTLS_MISMATCH', severity: 'warning', field: 'spec.policy.mtls', message });
}

/** Undefined if all pods have one. */
function podsWithoutSidecar({ workloadsWithoutProxy, cluster, namespace, name }: DestinationFacts): string | undefined {
  if (workloadsWithoutProxy === undefined) return undefined;
  return `pods of ${shortList(workloadsWithoutProxy, MAX_NAMED)} of Service ${namespace}/${name} of cluster ${cluster}`;
}

/** Reports to the virtual mesh pods without a sidecar that callers of other clusters call directly, with mutual TLS. */
export function reportDirectCallsWithoutSidecars(
  destination: DestinationFacts,
  virtualMesh: PolicyRef,
  out: Output,
): void {
  const pods = podsWithoutSidecar(destination);
  if (pods === undefined) return;
  const message = `${pods} have no sidecar, and callers of other clusters come with mutual TLS, so their requests to those pods by the federated name fail; inject a sidecar into them, or do not federate the Service`;
  out.report(virtualMesh, { code: 'MTLS_MISMATCH', severity: 'warning', field: 'spec.federation', message });
}

/** A sidecar reads HTTP or the mesh's own TLS: if it accepts both, it treats other TLS as a malformed request. */
function reportTlsToSidecars(
  destination: DestinationFacts,
  policies: readonly PolicyRef[],
  inbound: InboundView | undefined,
  out: Output,
): void {
  const { cluster, namespace, name } = destination;
  const ports = portsOfSidecars(destination, inbound).map(String);
  if (ports.length === 0) return;
  const where = `port ${shortList(ports, MAX_NAMED)} of Service ${namespace}/${name} of cluster ${cluster}`;
  const message = `sidecars accept only mutual TLS of the mesh and plaintext at ${where}, and this policy makes callers connect with tlsMode SIMPLE, so their requests fail; set tlsMode ISTIO_MUTUAL`;
  for (const policy of policies)
    out.report(policy, { code: 'MTLS_MISMATCH', severity: 'warning', field: 'spec.policy.mtls', message });
}

/** HTTP ports on which some pods accept mutual TLS and plaintext. */
function portsOfSidecars(destination: DestinationFacts, inbound: InboundView | undefined): number[] {
  const http = destination.ports.filter(({ protocol }) => HTTP.has(protocol));
  if (inbound === undefined) return http.map(({ number }) => number);
  const { podLabels, present, strictMtls } = inbound;
  const all = new PeerAuthentications(present, destination.mesh, strictMtls);
  const pods = podLabels.length === 0 ? [destination.workloadSelector] : podLabels;
  return http
    .filter(({ number, targetPort = number }) =>
      pods.some((labels) => all.ofPort(destination.namespace, labels, targetPort).mode === 'PERMISSIVE'),
    )
    .map(({ number }) => number);
}

/** Reports to the virtual mesh that pods reject callers of other clusters, which always use mutual TLS. */
export function reportUnreachable(
  destination: DestinationFacts,
  virtualMesh: PolicyRef,
  inbound: InboundView | undefined,
  out: Output,
): void {
  if (inbound === undefined) return;
  for (const rejection of rejections(destination, inbound, (effective) => refuses(effective, 'MUTUAL'))) {
    const message = `${formatRejection(rejection, destination)} callers in other clusters use mutual TLS, so their requests to its federated name fail; set that mode to PERMISSIVE, or do not federate the Service`;
    report(virtualMesh, 'spec.federation', message, { ...rejection, ...destination }, out);
  }
}

/**
 * Reports that requests to the name of a virtual destination, which use mutual TLS, do not reach pods of this cluster.
 */
export function reportUnreachableMember(
  { destination, port, inbound }: VirtualEndpointGroup,
  virtualDestination: PolicyRef,
  out: Output,
): void {
  if (inbound === undefined) return;
  const only = { ...destination, ports: [port] };
  for (const rejection of rejections(only, inbound, (effective) => refuses(effective, 'MUTUAL'))) {
    const message = `${formatRejection(rejection, destination)} callers of a virtual destination use mutual TLS, so requests to this backend fail; set that mode to PERMISSIVE, or do not select the Service`;
    report(virtualDestination, 'spec', message, { ...rejection, ...destination }, out);
  }
}

/** Reports to the virtual mesh that Settings gives callers without a policy a TLS mode which the whole mesh rejects. */
export function reportRefusedByDefault(
  { mesh, virtualMesh, present, strictMtls, mtlsByDefault }: MeshView,
  out: Output,
): void {
  if (mtlsByDefault === undefined) return;
  const effective = new PeerAuthentications(present, mesh, strictMtls ? virtualMesh : undefined).ofMesh();
  if (!refuses(effective, mtlsByDefault)) return;
  const { by, mode } = effective;
  const message = `${objectInWords(by, mesh.cluster)} ${TAKES[mode]} for the whole mesh, and Settings make callers connect with tlsMode ${TLS_MODES[mtlsByDefault]} (spec.mtls.istio.tlsMode) to all Services without another setting in a TrafficPolicy, so their requests fail; ${remedy(effective, mtlsByDefault)}`;
  report(virtualMesh, 'spec.mtlsConfig', message, { by, cluster: mesh.cluster }, out);
}

/**
 * Reports on Settings: users' objects by which pods reject callers that use its default mode, unless a TrafficPolicy
 * overrides it; and Services with pods that have no sidecar.
 */
export function reportsByDefault(
  mesh: MeshFacts,
  callers: MtlsMode,
  present: readonly PresentView[],
  withoutSidecar: readonly DestinationFacts[],
): Report[] {
  const all = new PeerAuthentications(present, mesh, undefined);
  const rejecting: RefusingMode = callers === 'MUTUAL' ? 'DISABLE' : 'STRICT';
  const objects = present.filter((one) => all.isEffective(one) && modeOf(one.spec) === rejecting);
  const mode = `Settings make callers connect with tlsMode ${TLS_MODES[callers]} to all Services without another setting in a TrafficPolicy`;
  const what = `${mode}, so their requests fail`;
  const report = (message: string, related: Report['related'] = []): Report => ({
    ...{ code: 'MTLS_MISMATCH', severity: 'warning', field: 'spec.mtls.istio.tlsMode', message },
    ...(related.length === 0 ? {} : { related }),
  });
  const { cluster, namespace, name } = mesh;
  const reports = [
    ...(callers === 'SIMPLE'
      ? [
          report(
            `sidecars of mesh ${namespace}/${name} of cluster ${cluster} accept only mutual TLS of the mesh and plaintext at HTTP ports, and ${what}; set ISTIO_MUTUAL`,
          ),
        ]
      : []),
    ...(callers === 'MUTUAL' && withoutSidecar.length > 0
      ? [
          report(
            `${servicesWithoutSidecars(withoutSidecar, cluster)}, and ${mode}, so requests to those pods fail; ${SIDECAR_OR_POLICY}`,
          ),
        ]
      : []),
  ];
  if (objects.length === 0) return reports;
  const names = shortList(
    objects.map((one) => `${one.namespace}/${one.name}`),
    MAX_NAMED,
  );
  const remedyText =
    callers === 'MUTUAL'
      ? 'set the mode to PERMISSIVE, or remove it'
      : 'set ISTIO_MUTUAL, or set the mode to PERMISSIVE';
  const message = `${PEER_AUTHENTICATION.kind} ${names} of cluster ${cluster}: pods take ${rejecting === 'STRICT' ? 'mutual TLS only' : 'no TLS'} (mode ${rejecting}), and ${what}; ${remedyText}`;
  const related = objects.slice(0, MAX_NAMED).map(({ kind, namespace, name }) => ({ kind, namespace, name, cluster }));
  return [...reports, report(message, related)];
}

const SIDECAR_OR_POLICY = 'inject a sidecar into them, or set tlsMode DISABLE for the Service in a TrafficPolicy';

function servicesWithoutSidecars(destinations: readonly DestinationFacts[], cluster: string): string {
  const services = destinations.map(
    ({ namespace, name, workloadsWithoutProxy = [] }) =>
      `${namespace}/${name} (${shortList(workloadsWithoutProxy, MAX_NAMED)})`,
  );
  return `some pods of Service ${shortList(services, MAX_NAMED)} of cluster ${cluster} have no sidecar`;
}

type RefusingEffect = Extract<EffectiveMode, { readonly mode: RefusingMode }>;

/**
 * Whether a proxy rejects all connections of such callers.
 * @param port omitted: any
 */
function refuses(effective: EffectiveMode, callers: MtlsMode, port?: PortView): effective is RefusingEffect {
  switch (effective.mode) {
    case 'STRICT':
      return callers !== 'MUTUAL';
    case 'DISABLE':
      // The proxy passes TLS other than the mesh's to the application, which may accept it; on an HTTP port the proxy
      // itself fails to parse it.
      return callers === 'MUTUAL' || (callers === 'SIMPLE' && port !== undefined && HTTP.has(port.protocol));
    case 'PERMISSIVE':
      return false;
  }
}

interface Rejection {
  readonly mode: RefusingMode;
  readonly by: DecidingObject;
  /** Ports of the Service; undefined: all of them. */
  readonly ports: readonly number[] | undefined;
}

/** For each object by which pods reject connections, the ports that it affects. */
function rejections(
  destination: DestinationFacts,
  { present, podLabels, strictMtls }: InboundView,
  isRefused: (effective: EffectiveMode, port: PortView) => effective is RefusingEffect,
): Rejection[] {
  const { namespace, mesh, workloadSelector } = destination;
  const all = new PeerAuthentications(present, mesh, strictMtls);
  const ports = destination.ports.filter(({ protocol }) => protocol !== 'UDP');
  // Without pods, only the Service's selector describes future pods.
  const pods = podLabels.length === 0 ? [workloadSelector] : podLabels;
  const found = new Map<string, RefusingEffect & { readonly refused: Set<number> }>();
  for (const labels of pods) {
    for (const port of ports) {
      const effective = all.ofPort(namespace, labels, port.targetPort ?? port.number);
      if (!isRefused(effective, port)) continue;
      const id = JSON.stringify([effective.mode, effective.by.namespace, effective.by.name]);
      const known = found.get(id) ?? { ...effective, refused: new Set() };
      known.refused.add(port.number);
      found.set(id, known);
    }
  }
  return [...found.values()].map(({ mode, by, refused }) => ({
    mode,
    by,
    ports: refused.size === ports.length ? undefined : [...refused],
  }));
}

const TAKES: Readonly<Record<RefusingMode, string>> = {
  STRICT: 'accepts only mutual TLS (mode STRICT)',
  DISABLE: 'accepts no TLS (mode DISABLE)',
};

/** Maximum number of ports in one report. */
const MAX_NAMED = 5;

/** The beginning of a sentence. */
function formatRejection({ mode, by, ports }: Rejection, { cluster, namespace, name }: DestinationFacts): string {
  const labels = Object.entries(by.selector).map(([label, value]) => `${label}=${value}`);
  const pods = labels.length === 0 ? 'pods' : `pods with ${labels.sort().join(',')}`;
  const where = ports === undefined ? '' : ` at port ${shortList(ports.map(String), MAX_NAMED)}`;
  return `${objectInWords(by, cluster)} ${TAKES[mode]} for ${pods} of Service ${namespace}/${name}${where}, and`;
}

/** Names a user's object, or a generated one with the virtual mesh that requires it. */
function objectInWords({ namespace, name, virtualMesh }: DecidingObject, cluster: string): string {
  const object = `${PEER_AUTHENTICATION.kind} ${namespace}/${name} of cluster ${cluster}`;
  return virtualMesh === undefined
    ? object
    : `${object} (there for VirtualMesh ${virtualMesh.namespace}/${virtualMesh.name})`;
}

/** The recommended action for callers that connect with a mode of their own. */
function remedy({ mode, by: { virtualMesh } }: Pick<Rejection, 'mode' | 'by'>, callers: MtlsMode): string {
  if (mode === 'DISABLE') return `set tlsMode DISABLE${callers === 'MUTUAL' ? ', or set that mode to PERMISSIVE' : ''}`;
  return virtualMesh === undefined
    ? 'set tlsMode ISTIO_MUTUAL, or set that mode to PERMISSIVE'
    : 'set tlsMode ISTIO_MUTUAL, or spec.mtlsConfig.strict: false in the VirtualMesh';
}

function report(
  policy: PolicyRef,
  field: string,
  message: string,
  { by: { namespace, name }, cluster }: { readonly by: DecidingObject; readonly cluster: string },
  out: Output,
): void {
  const related: Report['related'] = [{ kind: PEER_AUTHENTICATION.kind, namespace, name, cluster }];
  out.report(policy, { code: 'MTLS_MISMATCH', severity: 'warning', field, message, related });
}
