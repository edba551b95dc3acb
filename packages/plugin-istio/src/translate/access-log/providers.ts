/**
 * The extension providers that Telemetries reference. Istio reads them from its mesh configuration only, for the whole
 * mesh.
 */
import { CONFIG_MAP, type JsonObject, type JsonValue, type MeshExtensionsView, type Output } from '@meshrelay/plugin';
import { meshConfigName, PROVIDER_PATHS, type ProviderName } from '../../mesh-config.ts';
import type { IstioSettings } from '../../settings.ts';
import { logsConnections } from './filters.ts';
import { namesToLog } from './mod.ts';

/** Names of the two providers: one for HTTP, one for TCP. */
export const REQUESTS: ProviderName = 'meshrelay-requests';
export const CONNECTIONS: ProviderName = 'meshrelay-connections';

const AGENT_PORT = 9977;
const LOG_NAME = 'meshrelay';

export function translateMeshExtensions(view: MeshExtensionsView, out: Output, settings: IstioSettings): void {
  const { mesh, accessLog } = view;
  if (accessLog.length === 0) return;
  const sourcePolicies = accessLog.flatMap(({ from }) => from);
  const configMap = meshConfigName(mesh);
  for (const [name, provider] of providers(view, settings)) {
    const without = `proxies of mesh ${mesh.namespace}/${mesh.name} of cluster ${mesh.cluster} send no access logs while its mesh configuration has no provider ${name}`;
    if (configMap === undefined) {
      for (const policy of sourcePolicies)
        out.report(policy, {
          code: 'NO_PROVIDER',
          severity: 'warning',
          field: 'spec',
          message: `${without}, and no ConfigMap of its mesh configuration is known; add to its extensionProviders: ${JSON.stringify(provider)}`,
        });
      continue;
    }
    out.patch(
      {
        object: { cluster: mesh.cluster, kind: CONFIG_MAP, namespace: mesh.namespace, name: configMap },
        fieldPath: PROVIDER_PATHS[name],
        operation: { set: provider },
        current: knownProvider(view, name),
        field: 'spec',
        without,
      },
      sourcePolicies,
    );
  }
}

function providers(
  { mesh, accessLog }: MeshExtensionsView,
  { agent, namespace }: IstioSettings,
): ReadonlyArray<readonly [name: ProviderName, provider: JsonObject]> {
  const { filterStateObjectsToLog, ...ofRequests } = namesToLog(accessLog);
  const common = {
    service: `${agent}.${namespace}.svc.${mesh.clusterDomain}`,
    port: AGENT_PORT,
    logName: LOG_NAME,
    ...(filterStateObjectsToLog === undefined ? {} : { filterStateObjectsToLog }),
  };
  const requests = { ...common, ...ofRequests };
  return [
    [REQUESTS, { name: REQUESTS, envoyHttpAls: requests }],
    ...(logsConnections(accessLog) ? [[CONNECTIONS, { name: CONNECTIONS, envoyTcpAls: common }] as const] : []),
  ];
}

/** The provider as discovered. */
function knownProvider({ mesh: { details } }: MeshExtensionsView, name: ProviderName): JsonObject | null {
  return fieldOf(fieldOf(details, 'providers'), name);
}

function fieldOf(value: JsonValue | null, name: string): JsonObject | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const found = (value as JsonObject)[name];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as JsonObject) : null;
}
