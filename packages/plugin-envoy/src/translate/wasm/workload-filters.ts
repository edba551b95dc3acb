/** The positions of modules in a workload's listeners. */
import type { XdsResource } from '@meshrelay/api';
import type { httpConnectionManager } from '@meshrelay/envoy-api';
import type { Output, WasmFilterView, WorkloadExtensionsView, WorkloadView } from '@meshrelay/plugin';
import { discoveredFilter, extensionResource } from './extension.ts';
import { seesInbound, seesOutbound, unsupportedReports } from './mod.ts';
import { PHASES } from './phase.ts';

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
  for (const filter of wasm)
    for (const report of unsupportedReports(filter, workload))
      for (const policy of filter.from) out.report(policy, report);
}

function phased(filters: readonly WasmFilterView[], namespace: string): PhasedFilters {
  const at = (phases: ReadonlyArray<WasmFilterView['phase']>): readonly HttpFilter[] =>
    phases
      .flatMap((phase) => filters.filter((one) => one.phase === phase))
      .map((one) => discoveredFilter(one, namespace));
  return { first: at(PHASES.first), middle: at(PHASES.middle), last: at(PHASES.last) };
}
