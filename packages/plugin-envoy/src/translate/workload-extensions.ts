/** What agents keep of a workload's access log. That its proxies send it, and which modules they run, their listeners say. */
import { accessLogConfig, type Output, type WorkloadExtensionsView } from '@meshrelay/relay-core';
import { reportUnsupported } from './wasm/filters.ts';

export function translateWorkloadExtensions(view: WorkloadExtensionsView, out: Output): void {
  reportUnsupported(view, out);
  if (view.accessLog.length === 0) return;
  const sourcePolicies = view.accessLog.flatMap(({ from }) => from);
  out.emit(view.workload.mesh.cluster, accessLogConfig(view), sourcePolicies);
}
