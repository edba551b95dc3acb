/** The root resources of one workload's proxies: a sidecar's two listeners, or a gateway's. */
import type { XdsProxy } from '@meshrelay/api';
import type { Output, WorkloadView } from '@meshrelay/plugin';
import { GATEWAY, ROLE_LABEL } from '../kinds.ts';
import { extensionObjectName, workloadName } from '../names.ts';
import { isHttp } from './cluster/port-transport.ts';
import { gatewayListener } from './listener/gateway.ts';
import { inboundResources } from './listener/inbound.ts';
import { inboundPorts } from './listener/inbound-ports.ts';
import { reportAddress } from './listener/listen-addresses.ts';
import { outboundListener } from './listener/outbound.ts';
import { wasmResources } from './wasm/workload-filters.ts';
import { listenerResource, xdsConfig } from './xds-config.ts';

export function translateWorkload(whole: WorkloadView, out: Output): void {
  const view = withoutCallersLimits(whole, out);
  const { mesh, namespace, serviceAccount, name, kind, virtualMesh, services, gateways, podLabels, accessLog, wasm } =
    view;
  const place = `${namespace}/${kind.toLowerCase()}/${name}`;
  const resources =
    podLabels[ROLE_LABEL] === GATEWAY
      ? gateways.map((part) => listenerResource(gatewayListener(`gateway/${place}/${part.name}`, part, view)))
      : [listenerResource(outboundListener(`outbound/${place}`, view)), ...inboundResources(`inbound/${place}`, view)];
  if (resources.length === 0) return;
  reportAddress(view, out);
  if (podLabels[ROLE_LABEL] !== GATEWAY) emitExtensions(view, out);
  const proxy: XdsProxy = {
    namespace,
    serviceAccount,
    workload: name,
    listeners: resources.filter(({ type }) => type === 'listener').map((listener) => listener.name),
    clusters: [],
  };
  out.emit(mesh.cluster, xdsConfig(mesh, workloadName(view), { proxies: [proxy], resources }), [
    virtualMesh,
    ...[...accessLog, ...wasm].flatMap(({ from }) => from),
    ...services.flatMap(({ access, limits }) => [...access, ...limits].flatMap(({ from }) => from)),
  ]);
}

/** In separate objects: an error of a module is reported to its deployment, and to no other policy. */
function emitExtensions(view: WorkloadView, out: Output): void {
  for (const { filter, resource } of wasmResources(view, requestPorts(view)))
    out.emit(
      view.mesh.cluster,
      xdsConfig(view.mesh, extensionObjectName(resource.name), { resources: [resource] }),
      filter.from,
    );
}

/** The HTTP ports of the application. */
function requestPorts({ services }: WorkloadView): readonly number[] {
  return inboundPorts(services).flatMap(({ number, portTransports }) => (portTransports.some(isHttp) ? [number] : []));
}

/** Requests are counted at the application, where the caller's workload is unknown. */
function withoutCallersLimits(view: WorkloadView, out: Output): WorkloadView {
  const isForSome = ({
    match: { sourceLabels, sourceNamespace },
  }: WorkloadView['services'][number]['limits'][number]) => sourceLabels !== undefined || sourceNamespace !== undefined;
  if (!view.services.some(({ limits }) => limits.some(isForSome))) return view;
  const services = view.services.map((service) => {
    const lost = service.limits.filter((limit) => isForSome(limit) && limit.from.length > 0);
    for (const policy of new Set(lost.flatMap(({ from }) => from))) {
      const { namespace, name, cluster } = service.destination;
      out.report(policy, {
        code: 'UNSUPPORTED',
        severity: 'warning',
        field: 'spec.policy.localRateLimit',
        message: `Envoys count requests before the pods of Service ${namespace}/${name} of cluster ${cluster}, without the calling workload: a limit for some callers only is left out; limit all callers, or match callers by a header`,
      });
    }
    return { ...service, limits: service.limits.filter((limit) => !isForSome(limit)) };
  });
  return { ...view, services };
}
