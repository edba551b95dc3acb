/** F13: a list of several pages dies in the middle: a part of it is never taken for all. */
import type { KubeObject } from '@meshrelay/kube-sim';
import { isConnected } from './connected.ts';
import type { Row } from './row.ts';

/** More than the agent asks for at a time. */
const MANY = 520;
const NAMESPACE = 'many';
const KIND = { apiVersion: 'networking.istio.io/v1', kind: 'ServiceEntry' };

export const listBreaks: Row = {
  id: 'F13',
  title: 'a list of several pages dies in the middle',
  inject: 'the agent restarts where continue tokens expire at once, then where answers break off',
  expect: 'nothing is concluded from a part; once lists succeed, all is as it was',
  async run(trial) {
    const { fleet, signal } = trial;
    const { sim } = fleet.cluster('cluster-2');
    const agent = await trial.leader('cluster-2');
    sim.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    for (let index = 0; index < MANY; index++) sim.objects.create(entry(index));
    await fleet.settled(signal);
    await agent.kill();
    const match = { user: agent.name, verbs: ['list'], resource: 'serviceentries' };
    const expired = sim.faults.add({ match, fault: { kind: 'expired-continue' } });
    agent.start();
    await trial.eventually('lists to be tried', () => expired.struck >= 4 || undefined);
    expired[Symbol.dispose]();
    const cut = sim.faults.add({ match, fault: { kind: 'cut-reply' } });
    await trial.eventually('lists to be tried', () => cut.struck >= 2 || undefined);
    cut[Symbol.dispose]();
    await trial.recovers('whole again', () => isConnected(trial.fleet));
    await trial.follows();
    sim.objects.delete({ apiVersion: 'v1', kind: 'Namespace', name: NAMESPACE });
    await trial.eventually(
      'the namespace to be gone',
      () => sim.objects.list(KIND, NAMESPACE).length === 0 || undefined,
    );
  },
};

function entry(index: number): KubeObject {
  const name = `entry-${String(index).padStart(4, '0')}`;
  const spec = { hosts: [`${name}.example.com`], ports: [{ number: 80, name: 'http', protocol: 'HTTP' }] };
  return { ...KIND, metadata: { name, namespace: NAMESPACE }, spec } as unknown as KubeObject;
}
