/** Gives each Service of type LoadBalancer an address that the bridge routes to the node. */
import type { Client } from '@meshrelay/testing/api-server';

interface Service {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly type?: string };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly unknown[] } };
}

/** Milliseconds between two reads. */
const INTERVAL_MS = 300;

/** @param range the first three bytes of the addresses */
export function balanceLoad(client: Client, range: string): Disposable {
  let assigned = 0;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const assign = async ({ metadata: { name, namespace } }: Service): Promise<void> => {
    assigned += 1;
    const status = { loadBalancer: { ingress: [{ ip: `${range}.${assigned}` }] } };
    await client.patch(`/api/v1/namespaces/${namespace}/services/${name}/status`, 'merge', { status });
  };
  const reconcile = async (): Promise<void> => {
    const { body } = await client.get('/api/v1/services');
    const waiting = ((body?.items ?? []) as readonly Service[]).filter(
      ({ spec, status }) => spec.type === 'LoadBalancer' && (status?.loadBalancer?.ingress ?? []).length === 0,
    );
    for (const service of waiting) await assign(service);
  };
  const loop = async (): Promise<void> => {
    // The API server may restart at any time: the next run sees what this one missed.
    await reconcile().catch(() => {});
    if (!stopped) timer = setTimeout(loop, INTERVAL_MS);
  };
  void loop();
  return {
    [Symbol.dispose]() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
