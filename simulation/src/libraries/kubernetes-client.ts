/**
 * The official Kubernetes client without its transport: watches, Leases and credentials of the simulated API servers.
 */
import { ApiException, type KubeConfig, KubeConfig as RealKubeConfig, Watch } from '@kubernetes/client-node';
import { textOf } from '../kube/answer-text.ts';
import { send } from './undici.ts';
import { openWatch } from './watches.ts';

interface LeaseCall {
  readonly namespace: string;
  readonly name?: string;
  readonly body?: { readonly metadata?: { readonly name?: string } };
}

/** The part of a middleware that passes the signal on. */
interface CallOptions {
  readonly middleware?: ReadonlyArray<{ pre(request: { setSignal(signal: AbortSignal): void }): unknown }>;
}

/** Replaces, once, the functions that would access the network. */
export function takeTransportOut(): void {
  Watch.prototype.watch = function (path, query, callback, done) {
    return openWatch(this as never, path, query, callback as never, done);
  };
  RealKubeConfig.prototype.applySecurityAuthentication = async () => {};
  RealKubeConfig.prototype.makeApiClient = function (this: KubeConfig) {
    const host = new URL(this.getCurrentCluster()?.server ?? '').hostname;
    return leaseApi(host) as never;
  };
}

function leaseApi(host: string) {
  const call = async (method: string, { namespace, name, body }: LeaseCall, options: CallOptions = {}) => {
    const collection = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    const path = name === undefined ? collection : `${collection}/${name}`;
    const given = body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown);
    const answer = await send(host, { method, path, query: {}, body: given, contentType: '' }, signalOf(options));
    if (answer.status >= 300) throw new ApiException(answer.status, 'simulated', answer.body, {});
    return JSON.parse(textOf(answer.body)) as unknown;
  };
  return {
    readNamespacedLease: (given: LeaseCall, options?: CallOptions) => call('GET', given, options),
    createNamespacedLease: (given: LeaseCall, options?: CallOptions) => call('POST', given, options),
    replaceNamespacedLease: (given: LeaseCall, options?: CallOptions) => call('PUT', given, options),
  };
}

function signalOf({ middleware = [] }: CallOptions): AbortSignal | undefined {
  let found: AbortSignal | undefined;
  for (const { pre } of middleware)
    pre({
      setSignal: (signal) => {
        found = signal;
      },
    });
  return found;
}
