/**
 * The access log records that agents retain for a workload. Its listeners define what its proxies send, and which
 * modules they run.
 */
import { accessLogConfig, type Output, type WorkloadExtensionsView } from '@meshrelay/plugin';
import { reportUnsupported } from './wasm/workload-filters.ts';

export function translateWorkloadExtensions(view: WorkloadExtensionsView, out: Output): void {
  reportUnsupported(view, out);
  if (view.accessLog.length === 0) return;
  const sourcePolicies = view.accessLog.flatMap(({ from }) => from);
  out.emit(view.workload.mesh.cluster, accessLogConfig(view), sourcePolicies);
}
