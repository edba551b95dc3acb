/** The access logs of a workload's proxies: a Telemetry for its pods, and the records that agents retain. */
import {
  accessLogConfig,
  type MeshFacts,
  type Output,
  objectName,
  type WorkloadExtensionsView,
} from '@meshrelay/plugin';
import { istioObject, TELEMETRY } from '../../kinds.ts';
import { CONNECTION_EXPRESSION, logsConnections, requestExpression } from './filters.ts';
import { CONNECTIONS, REQUESTS } from './providers.ts';

export function accessLogs(view: WorkloadExtensionsView, out: Output): void {
  const { workload, accessLog } = view;
  if (accessLog.length === 0) return;
  const { mesh, namespace, name, kind, podLabels } = workload;
  const sourcePolicies = accessLog.flatMap(({ from }) => from);
  if (Object.keys(podLabels).length === 0) {
    for (const policy of sourcePolicies)
      out.report(policy, {
        code: 'UNSUPPORTED',
        severity: 'warning',
        field: 'spec.workloadSelectors',
        message: `the pods of ${kind} ${namespace}/${name} of cluster ${mesh.cluster} have no labels, and Istio selects pods by labels only; add one`,
      });
    return;
  }
  const spec = {
    selector: { matchLabels: podLabels },
    accessLogging: [
      ...usersOwn(mesh),
      { providers: [{ name: REQUESTS }], filter: { expression: requestExpression(accessLog) } },
      ...(logsConnections(accessLog)
        ? [{ providers: [{ name: CONNECTIONS }], filter: { expression: CONNECTION_EXPRESSION } }]
        : []),
    ],
  };
  const object = istioObject(
    TELEMETRY,
    namespace,
    objectName('meshrelay-access-log', [name, kind.toLowerCase()]),
    spec,
  );
  out.emit(mesh.cluster, object, sourcePolicies);
  out.emit(mesh.cluster, accessLogConfig(view), sourcePolicies);
}

/** A Telemetry for some pods replaces the mesh's default logging, so it must repeat the default providers. */
function usersOwn({ details }: MeshFacts): readonly object[] {
  const defaults = details['accessLogging'];
  if (!Array.isArray(defaults) || defaults.length === 0) return [];
  return [{ providers: defaults.map((name) => ({ name })) }];
}
