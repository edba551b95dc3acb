/** What policies add to the proxies of a workload. */
import type { Output, WorkloadExtensionsView } from '@meshrelay/relay-core';
import { accessLogs } from './access-log/telemetry.ts';
import { wasmPlugin } from './wasm-plugin.ts';

export function translateWorkloadExtensions(view: WorkloadExtensionsView, out: Output): void {
  const { workload, wasm } = view;
  accessLogs(view, out);
  for (const filter of wasm) out.emit(workload.mesh.cluster, wasmPlugin(filter, workload), filter.from);
}
