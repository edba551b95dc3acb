/** Lease client on the official client's CoordinationV1Api. */
import {
  ApiException,
  type ConfigurationOptions,
  type CoordinationV1Api,
  Observable,
  type ObservableMiddleware,
  type V1Lease,
  type V1LeaseSpec,
  V1MicroTime,
} from '@kubernetes/client-node';
import type { Lease, LeaseClient, LeaseSpec } from './lease.ts';
import { LeaseRequestError } from './lease-request-error.ts';

/** Creates a lease client from an API made by `kubeConfig.makeApiClient(CoordinationV1Api)`. */
export function coordinationLeases(api: CoordinationV1Api): LeaseClient {
  return {
    async get(namespace, name, signal) {
      try {
        return fromApi(await api.readNamespacedLease({ namespace, name }, cancelledBy(signal)));
      } catch (error) {
        if (error instanceof ApiException && error.code === 404) return undefined;
        throw rejection(`get Lease ${namespace}/${name}`, error);
      }
    },
    async create(lease, signal) {
      const { namespace, name } = lease.metadata;
      return api
        .createNamespacedLease({ namespace, body: toApi(lease) }, cancelledBy(signal))
        .then(fromApi, (error) => {
          throw rejection(`create Lease ${namespace}/${name}`, error);
        });
    },
    async update(lease, signal) {
      const { namespace, name, resourceVersion } = lease.metadata;
      // On PUT, the API server creates a missing Lease. It needs the version to reject a stale one.
      if (resourceVersion === undefined)
        throw new Error(`Lease ${namespace}/${name}: no resourceVersion to update from`);
      const body = toApi(lease);
      return api.replaceNamespacedLease({ namespace, name, body }, cancelledBy(signal)).then(fromApi, (error) => {
        throw rejection(`update Lease ${namespace}/${name}`, error);
      });
    },
  };
}

/**
 * Whether the API server rejected a write because another replica was faster. That is a normal end of an attempt, not
 * an error to report.
 */
export function isLostRace(error: unknown): boolean {
  return error instanceof LeaseRequestError && error.status === 409;
}

/** The API server's response without its headers. Other errors are returned unchanged. */
function rejection(request: string, error: unknown): unknown {
  if (!(error instanceof ApiException)) return error;
  return new LeaseRequestError(request, error.code, wordsOf(error.body) || 'no reason given');
}

/** The message of a Status; the beginning of any other body. */
function wordsOf(body: unknown): string {
  if (typeof body !== 'string') return (body as { readonly message?: string } | null | undefined)?.message ?? '';
  try {
    return wordsOf(JSON.parse(body));
  } catch {
    return body.trim().slice(0, 200); // plain text, as proxies respond
  }
}

/** Request options that abort the request with the signal. The client has no simple option for it. */
function cancelledBy(signal: AbortSignal): ConfigurationOptions<ObservableMiddleware> {
  const middleware: ObservableMiddleware = {
    pre(request) {
      request.setSignal(signal);
      return new Observable(Promise.resolve(request));
    },
    post: (response) => new Observable(Promise.resolve(response)),
  };
  return { middleware: [middleware], middlewareMergeStrategy: 'append' };
}

/** Keeps every field from the API (labels, annotations, owner references), so an update changes only the spec. */
function fromApi(lease: V1Lease): Lease {
  const { spec, ...rest } = lease;
  const metadata = { ...lease.metadata, name: lease.metadata?.name ?? '', namespace: lease.metadata?.namespace ?? '' };
  return spec === undefined ? { ...rest, metadata } : { ...rest, metadata, spec: specFromApi(spec) };
}

function specFromApi({ acquireTime, renewTime, ...rest }: V1LeaseSpec): LeaseSpec {
  return {
    ...rest,
    ...(acquireTime !== undefined && { acquireTime: text(acquireTime) }),
    ...(renewTime !== undefined && { renewTime: text(renewTime) }),
  };
}

function toApi(lease: Lease): V1Lease {
  const { acquireTime, renewTime, ...rest } = lease.spec ?? {};
  const spec: V1LeaseSpec = { ...rest };
  if (acquireTime) spec.acquireTime = new V1MicroTime(acquireTime);
  if (renewTime) spec.renewTime = new V1MicroTime(renewTime);
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...lease, spec };
}

/** The client declares these fields as dates but returns the server's text. */
function text(time: Date | string): string {
  return typeof time === 'string' ? time : time.toISOString();
}
