/** F13: a list of several pages breaks off in the middle: a partial list never counts as complete. */
import type { KubeObject } from '@meshrelay/kube-sim';
import { guest } from '../trial/guest-service.ts';
import type { Row } from '../trial/row.ts';

/** More than the agent requests at a time. */
const MANY = 520;
const NAMESPACE = 'many';
const KIND = { apiVersion: 'networking.istio.io/v1', kind: 'ServiceEntry' };

export const listBreaks: Row = {
  id: 'F13',
  title: 'a list of several pages dies in the middle',
  inject: 'the agent restarts where continue tokens expire at once, then where answers break off',
  expect: 'nothing is concluded from a part; once lists succeed, all is as it was',
  figure: { what: 'seen after broken lists', limit: 15_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    const { sim } = fleet.cluster('cluster-2');
    const agent = await trial.leader('cluster-2');
    sim.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    for (let index = 0; index < MANY; index++) sim.objects.create(entry(index));
    await fleet.settled(signal);
    await agent.kill();
    const lists = { user: agent.name, verbs: ['list'] };
    const expired = sim.faults.add({
      match: { ...lists, resource: 'serviceentries' },
      fault: { kind: 'expired-continue' },
    });
    const cut = sim.faults.add({ match: { ...lists, resource: 'services' }, fault: { kind: 'cut-reply' } });
    agent.start();
    const newcomer = guest(trial, 'newcomer', 'cluster-2');
    newcomer.arrive();
    const tried = (): true | undefined => (expired.struck >= 4 && cut.struck >= 2) || undefined;
    await trial.eventually('lists to be tried', tried, () => `${expired.struck} and ${cut.struck} struck`);
    if (newcomer.isKnownToPeers()) throw new Error('a Service is known from a list that broke off');
    for (const fault of [expired, cut]) fault[Symbol.dispose]();
    await trial.recovers('seen after broken lists', () => newcomer.isKnownToPeers() || undefined);
    newcomer.leave();
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
