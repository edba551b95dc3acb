/**
 * Counts in a ConfigMap, once a second, in one replica at a time. Start as many replicas as you like, and stop or kill
 * the leader: another one continues the count, and no number is lost or repeated.
 */
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiException, CoordinationV1Api, CoreV1Api, KubeConfig, type V1ConfigMap } from '@kubernetes/client-node';
import { LeaderElector, type TermStore, uniqueIdentity } from '@meshrelay/agent-leader';
import { coordinationLeases } from '@meshrelay/agent-leader/coordination';

const namespace = process.env['NAMESPACE'] ?? 'default';
const name = 'counter';
const identity = uniqueIdentity();

const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const core = kubeConfig.makeApiClient(CoreV1Api);

const log = (message: string): void => console.log(`${identity}: ${message}`);

/** The ConfigMap, created if it is missing. */
async function read(): Promise<V1ConfigMap> {
  try {
    return await core.readNamespacedConfigMap({ namespace, name });
  } catch (error) {
    if (!(error instanceof ApiException) || error.code !== 404) throw error;
    const body = { metadata: { name }, data: { count: '0', term: '0' } };
    return await core.createNamespacedConfigMap({ namespace, body });
  }
}

const numberIn = ({ data }: V1ConfigMap, field: string): number => Number(data?.[field] ?? 0);

/** Writes with the version that was read: the API server refuses the write (409) if anyone else has written since. */
async function write(before: V1ConfigMap, data: Readonly<Record<string, string>>): Promise<void> {
  await core.replaceNamespacedConfigMap({ namespace, name, body: { ...before, data: { ...before.data, ...data } } });
}

/** Terms that only grow, even if someone deletes the Lease. The elector raises the term before the work starts. */
const terms: TermStore = {
  async raise() {
    const before = await read();
    const term = numberIn(before, 'term') + 1;
    await write(before, { term: String(term) });
    return term;
  },
};

const elector = new LeaderElector({
  leases: coordinationLeases(kubeConfig.makeApiClient(CoordinationV1Api)),
  namespace,
  name,
  identity,
  terms,
  async onStartedLeading(term, signal) {
    log(`leads, term ${term}`);
    while (!signal.aborted) {
      const before = await read();
      // A later leader has begun: this one was frozen, and has not noticed yet.
      if (numberIn(before, 'term') !== term) throw new Error(`term ${term} is over`);
      const count = numberIn(before, 'count') + 1;
      // The last moment to notice that the Lease has expired.
      if (elector.validFor() <= 0) return;
      await write(before, { count: String(count) });
      log(`count ${count}`);
      await sleep(1_000, undefined, { signal }).catch(() => undefined);
    }
  },
  onNewLeader: (leader) => log(`the leader is ${leader}`),
  onError: (error, operation) => log(`${operation}: ${error instanceof Error ? error.message : String(error)}`),
});

const stop = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort());
await elector.run(stop.signal);
log('ended');
