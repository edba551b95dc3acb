/** Detects conflicts between users' Istio objects and generated ones before Meshrelay writes any. */
import type { ObjectConflicts } from '@meshrelay/plugin';
import {
  AUTHORIZATION_POLICY,
  DESTINATION_RULE,
  ENVOY_FILTER,
  GATEWAY,
  PEER_AUTHENTICATION,
  SERVICE_ENTRY,
  TELEMETRY,
  VIRTUAL_SERVICE,
  WASM_PLUGIN,
  WORKLOAD_ENTRY,
} from '../kinds.ts';
import { authorizationPolicies } from './authorization-policy.ts';
import { destinationRules } from './destination-rule.ts';
import { envoyFilters } from './envoy-filter.ts';
import { gateways } from './gateway.ts';
import { peerAuthentications } from './peer-authentication.ts';
import { serviceEntries } from './service-entry.ts';
import { telemetries } from './telemetry.ts';
import { virtualServices } from './virtual-service.ts';
import { wasmPlugins } from './wasm-plugin.ts';
import { workloadEntries } from './workload-entry.ts';

const BY_KIND: ReadonlyMap<string, Pick<ObjectConflicts, 'indexKeys' | 'detect'> & Partial<ObjectConflicts>> = new Map([
  [VIRTUAL_SERVICE.kind, virtualServices],
  [DESTINATION_RULE.kind, destinationRules],
  [SERVICE_ENTRY.kind, serviceEntries],
  [GATEWAY.kind, gateways],
  [AUTHORIZATION_POLICY.kind, authorizationPolicies],
  [PEER_AUTHENTICATION.kind, peerAuthentications],
  [WORKLOAD_ENTRY.kind, workloadEntries],
  [TELEMETRY.kind, telemetries],
  [WASM_PLUGIN.kind, wasmPlugins],
  [ENVOY_FILTER.kind, envoyFilters],
]);

/** Each kind has its own rules; for a pair of two kinds the rules of the user's kind apply. */
export const objectConflicts: ObjectConflicts = {
  indexKeys: (unmanaged) => BY_KIND.get(unmanaged.kind)?.indexKeys(unmanaged) ?? [],
  lookupKeys: (managed) => [
    ...(BY_KIND.get(managed.kind)?.lookupKeys?.(managed) ?? []),
    ...envoyFilters.lookupKeys(managed),
  ],
  detect: (managed, unmanaged, meshes) => BY_KIND.get(unmanaged.kind)?.detect(managed, unmanaged, meshes),
};
