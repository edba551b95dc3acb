/** Leases through the official client's CoordinationV1Api. */
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

/** A lease client on an API made by `kubeConfig.makeApiClient(CoordinationV1Api)`. */
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
      // The API server creates a missing Lease on PUT and needs the version to refuse a stale one.
      if (resourceVersion === undefined)
        throw new Error(`Lease ${namespace}/${name}: no resourceVersion to update from`);
      const body = toApi(lease);
      return api.replaceNamespacedLease({ namespace, name, body }, cancelledBy(signal)).then(fromApi, (error) => {
        throw rejection(`update Lease ${namespace}/${name}`, error);
      });
    },
  };
}

/** Whether a write was refused because another replica was faster: the everyday end of an attempt, and no failure to tell of. */
export function isLostRace(error: unknown): boolean {
  return error instanceof LeaseRequestError && error.status === 409;
}

/** What the API server answered, without its headers; an error that is no answer stays what it is. */
function rejection(request: string, error: unknown): unknown {
  if (!(error instanceof ApiException)) return error;
  return new LeaseRequestError(request, error.code, wordsOf(error.body) || 'no reason given');
}

/** Of a Status its message; of any other body its beginning. */
function wordsOf(body: unknown): string {
  if (typeof body !== 'string') return (body as { readonly message?: string } | null | undefined)?.message ?? '';
  try {
    return wordsOf(JSON.parse(body));
  } catch {
    return body.trim().slice(0, 200); // plain text, as proxies answer
  }
}

/** Request options that abort the request with the signal; the client has no plain option for it. */
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

/** Keeps every field the API gave (labels, annotations, owner references), so that an update changes only the spec. */
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

/** The client declares these as dates but hands the server's text through. */
function text(time: Date | string): string {
  return typeof time === 'string' ? time : time.toISOString();
}
