/** What policies add to the proxies of a workload. */
import type { Output, WorkloadExtensionsView } from '@meshrelay/relay-core';
import { wasmPlugin } from './wasm-plugin.ts';

export function translateWorkloadExtensions({ workload, wasm }: WorkloadExtensionsView, out: Output): void {
  for (const filter of wasm) out.emit(workload.mesh.cluster, wasmPlugin(filter, workload), filter.from);
}
