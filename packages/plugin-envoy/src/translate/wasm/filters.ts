/** The positions of modules in a workload's listeners. */
import type { XdsResource } from '@meshrelay/api';
import type { httpConnectionManager } from '@meshrelay/envoy-api';
import type { Output, WasmFilterView, WorkloadExtensionsView, WorkloadView } from '@meshrelay/relay-core';
import { GATEWAY, ROLE_LABEL } from '../../kinds.ts';
import { discoveredFilter, extensionResource } from './extension.ts';

type HttpFilter = httpConnectionManager.HttpFilter;

/** The filters of one listener, by phase. */
export interface PhasedFilters {
  /** Before all filters that identify callers. */
  readonly first: readonly HttpFilter[];
  /** After those filters. */
  readonly middle: readonly HttpFilter[];
  /** Right before the router. */
  readonly last: readonly HttpFilter[];
}

/** Modules that process requests to a port of the application. */
export function inboundWasm({ wasm, namespace }: WorkloadView, port: number): PhasedFilters {
  return phased(
    wasm.filter((filter) => seesInbound(filter, port)),
    namespace,
  );
}

/** Modules that process the application's requests. One listener handles them all, so none is limited to some ports. */
export function outboundWasm({ wasm, namespace }: WorkloadView): PhasedFilters {
  return phased(wasm.filter(seesOutbound), namespace);
}

/**
 * The extensions that a sidecar's listeners reference.
 * @param ports HTTP ports of the application
 */
export function wasmResources(
  { wasm, namespace }: WorkloadView,
  ports: readonly number[],
): readonly { readonly filter: WasmFilterView; readonly resource: XdsResource }[] {
  const used = wasm.filter((filter) => seesOutbound(filter) || ports.some((port) => seesInbound(filter, port)));
  return used.map((filter) => ({ filter, resource: extensionResource(filter, namespace) }));
}

/** Reports the features of modules that Envoys do not support. */
export function reportUnsupported({ workload, wasm }: WorkloadExtensionsView, out: Output): void {
  const place = `${workload.kind} ${workload.namespace}/${workload.name}`;
  for (const { from, position, context, ports } of wasm) {
    const report = (field: string, message: string): void => {
      const report = {
        code: 'UNSUPPORTED',
        severity: 'warning',
        field: `spec.filters[${position}].${field}`,
        message,
      } as const;
      for (const policy of from) out.report(policy, report);
    };
    if (workload.podLabels[ROLE_LABEL] === GATEWAY)
      report(
        'filterContext',
        `${place} forwards connections and does not read requests, so no module runs there; select the workloads behind it`,
      );
    else if (isOutbound(context) && ports.length > 0)
      report(
        'ports',
        `Envoys receive all requests that the application of ${place} sends on one port, so the module cannot select ports; omit ports, or set filterContext SIDECAR_INBOUND`,
      );
  }
}

function phased(filters: readonly WasmFilterView[], namespace: string): PhasedFilters {
  const at = (...phases: readonly WasmFilterView['phase'][]): readonly HttpFilter[] =>
    phases
      .flatMap((phase) => filters.filter((one) => one.phase === phase))
      .map((one) => discoveredFilter(one, namespace));
  return { first: at('AUTHN', 'AUTHZ'), middle: at('STATS'), last: at(undefined) };
}

function seesOutbound({ context, ports }: WasmFilterView): boolean {
  return isOutbound(context) && ports.length === 0;
}

function seesInbound({ context, ports }: WasmFilterView, port: number): boolean {
  return isInbound(context) && (ports.length === 0 || ports.includes(port));
}

function isInbound(context: WasmFilterView['context']): boolean {
  return context === 'ANY' || context === 'SIDECAR_INBOUND';
}

function isOutbound(context: WasmFilterView['context']): boolean {
  return context === 'ANY' || context === 'SIDECAR_OUTBOUND';
}
