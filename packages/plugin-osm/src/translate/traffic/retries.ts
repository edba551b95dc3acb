/** Retries: one for each caller of a Service that access policies name, since OSM requires a named source. */
import type { DestinationView, FieldRows, MeshFacts, Output, RetriesView, Sourced } from '@meshrelay/plugin';
import { osmObject, RETRY } from '../../kinds.ts';
import { meshConfigOf, meshConfigPatch, RETRY_POLICY } from '../../mesh-config.ts';
import { callerName } from '../../names.ts';
import { duration } from '../../present.ts';
import { fallShort, serviceText } from '../../reports.ts';
import { type ServiceAccount, subject } from '../../service-account.ts';

const FIELD = 'spec.policy.retries';

export const RETRIES: FieldRows<'retries'> = {
  'route.retries': {
    degraded:
      'a Retry is for one caller, so each ServiceAccount that the AccessPolicies of the destination allow by name gets one, and other callers do not retry',
  },
  'route.retries.backoff': 'native',
  'route.retries.retryOn': 'native',
  'route.retries.statusCodes': {
    unsupported:
      'Retries name conditions only; name one that has the codes, such as gateway-error (502, 503, 504) or 5xx',
  },
  'route.retries.remoteLocalities': { unsupported: 'OSM has no localities, so a retry may go to any endpoint' },
};

/** Conditions that are safe to retry: the request was not answered, or not even accepted. */
const DEFAULT_CONDITIONS = ['connect-failure', 'refused-stream', 'unavailable', 'cancelled'];

/** In Envoy, zero means no timeout per try; OSM requires a value. */
const NO_TRY_TIMEOUT = '0s';

/** Envoy's default; OSM requires a value. */
const BACKOFF_BASE = '25ms';

export function retries(
  { destination, routes }: DestinationView,
  callers: readonly ServiceAccount[],
  out: Output,
): void {
  const required = routes.find(({ actions }) => actions.retries !== undefined)?.actions.retries;
  if (required === undefined) return;
  if (callers.length === 0) {
    fallShort(out, required.from, {
      code: 'NO_KNOWN_CALLER',
      field: FIELD,
      message: `no AccessPolicy allows a ServiceAccount to call ${serviceText(destination)} by name, so no caller retries; allow the callers by name`,
    });
    return;
  }
  applyRetries(destination.mesh, required, out);
  const retryPolicy = retryPolicyOf(required.value);
  const { cluster, namespace, name } = destination;
  for (const caller of callers) {
    const spec = { source: subject(caller), destinations: [{ kind: 'Service', name, namespace }], retryPolicy };
    out.emit(cluster, osmObject(RETRY, namespace, callerName(name, caller), spec), required.from);
  }
}

function applyRetries(mesh: MeshFacts, { from }: Sourced<RetriesView>, out: Output): void {
  out.patch(
    {
      ...meshConfigPatch(mesh, RETRY_POLICY, true, meshConfigOf(mesh).retryPolicy),
      field: FIELD,
      without: `mesh ${mesh.namespace}/${mesh.name} ignores Retries`,
    },
    from,
  );
}

function retryPolicyOf({ retryOn, attempts, perTryTimeoutMs, backoffMs }: RetriesView): Record<string, unknown> {
  return {
    retryOn: (retryOn ?? DEFAULT_CONDITIONS).join(','),
    numRetries: attempts,
    perTryTimeout: perTryTimeoutMs === undefined ? NO_TRY_TIMEOUT : duration(perTryTimeoutMs),
    retryBackoffBaseInterval: backoffMs === undefined ? BACKOFF_BASE : duration(backoffMs),
  };
}
