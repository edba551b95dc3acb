/** What agents keep of a workload's access log. That its proxies send it, their listeners say. */
import { accessLogConfig, type Output, type WorkloadExtensionsView } from '@meshrelay/relay-core';

export function translateWorkloadExtensions(view: WorkloadExtensionsView, out: Output): void {
  const because = view.accessLog.flatMap(({ from }) => from);
  out.emit(view.workload.mesh.cluster, accessLogConfig(view), because);
}
