/** F31, F32: servers and Redis begin with no data, and some clusters are disconnected. */
import { BLACKHOLE } from '@meshrelay/fault-proxy';
import { NAMESPACE } from '@meshrelay/local-fleet';
import { AGENT_USER, isOfStatus, isOutput, nameOf } from '../history/history.ts';
import type { Row } from '../trial/row.ts';
import { killServers, safeModes, startServers } from '../trial/servers.ts';
import type { Trial } from '../trial/trial.ts';

const KIND = { apiVersion: 'multicluster.meshrelay.dev/v1alpha1', kind: 'KubernetesCluster' };
const ABSENT = 'cluster-3';

export const everythingRestarted: Row = {
  id: 'F31',
  title: 'servers and Redis begin with nothing',
  inject: 'all are killed and started; KubernetesClusters cannot be listed at first; then one agent is cut off',
  expect: 'safe mode until every cluster is known: nothing is written; it ends by itself when the last is',
  fleet: 'shared',
  figure: { what: 'safe mode ended', limit: 5_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    const absent = await trial.leader(ABSENT);
    await killEverything(trial);
    absent.relay.setFaults(BLACKHOLE);
    const match = { resource: 'kubernetesclusters', verbs: ['list', 'watch'] };
    const forbidden = fleet.management.sim.faults.add({ match, fault: { kind: 'error', code: 403 } });
    await startServers(fleet, signal);
    await trial.eventually('the registry to be refused', () => forbidden.struck >= fleet.servers.length || undefined);
    await holds(trial, () => true);
    forbidden[Symbol.dispose]();
    await holds(trial, ({ unsyncedClusters }) => unsyncedClusters.includes(ABSENT) && unsyncedClusters.length === 1);
    const arrived = trial.edit();
    nothingWritten(trial);
    absent.relay.setFaults({});
    absent.relay.reset();
    await trial.recovers('safe mode ended', () => hasEnded(trial));
    await trial.eventually('the edit to arrive', () => arrived() || undefined);
  },
};

export const oneNeverReturns: Row = {
  id: 'F32',
  title: 'one cluster never returns',
  inject: 'as F31, with the agent of cluster-3 killed; then cluster-3 is suspended',
  expect: 'safe mode stays and says why; suspending the cluster ends it',
  fleet: 'shared',
  figure: { what: 'safe mode ended by suspending', limit: 5_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    await (await trial.leader(ABSENT)).kill();
    await killEverything(trial);
    await startServers(fleet, signal);
    await holds(trial, ({ unsyncedClusters }) => unsyncedClusters.includes(ABSENT) && unsyncedClusters.length === 1);
    const arrived = trial.edit();
    nothingWritten(trial);
    suspend(trial, true);
    await trial.recovers('safe mode ended by suspending', () => hasEnded(trial));
    await trial.eventually('the edit to arrive', () => arrived() || undefined);
    suspend(trial, false);
  },
};

async function killEverything({ fleet }: Trial): Promise<void> {
  await killServers(fleet);
  await fleet.redis.restart();
}

/** Waits until every server holds its outputs for the expected reason. */
async function holds(
  trial: Trial,
  reason: (mode: Awaited<ReturnType<typeof safeModes>>[number]) => boolean,
): Promise<void> {
  let seen = '';
  const all = async (): Promise<true | undefined> => {
    const modes = await safeModes(trial.fleet);
    seen = JSON.stringify(modes);
    return modes.every((mode) => mode.active && reason(mode)) || undefined;
  };
  await trial.eventually('every server to be in safe mode', all, () => seen);
}

async function hasEnded({ fleet }: Trial): Promise<true | undefined> {
  return (await safeModes(fleet)).every(({ active }) => !active) || undefined;
}

/** @throws Error naming an output that an agent has written since the row began */
function nothingWritten(trial: Trial): void {
  const written = trial
    .writes()
    .find((write) => isOutput(write) && AGENT_USER.test(write.actor?.user ?? '') && !isOfStatus(write));
  if (written !== undefined) throw new Error(`in safe mode ${written.actor?.user} wrote ${nameOf(written)}`);
}

function suspend({ fleet }: Trial, suspended: boolean): void {
  const { objects } = fleet.management.sim;
  const cluster = objects.get({ ...KIND, namespace: NAMESPACE, name: ABSENT });
  if (cluster === undefined) throw new Error(`there is no KubernetesCluster ${ABSENT}`);
  objects.update({ ...cluster, spec: { ...(cluster['spec'] as object), suspended } });
}
