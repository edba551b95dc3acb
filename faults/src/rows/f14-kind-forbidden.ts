/** F14: one kind can no longer be read, or no longer exists. */
import { canaryWeight } from '../trial/canary-policy.ts';
import { guest } from '../trial/guest-service.ts';
import type { Row } from '../trial/row.ts';

export const kindForbidden: Row = {
  id: 'F14',
  title: 'one kind can no longer be read',
  inject: 'lists and watches of Services answer 403, for the leader, whose watches expire',
  expect: 'what is known of the kind stays; nothing is deleted; all continues when it can be read again',
  figure: { what: 'seen after 403', limit: 60_000 },
  async run(trial) {
    const { fleet } = trial;
    const { sim } = fleet.cluster('cluster-1');
    const leader = await trial.leader('cluster-1');
    const match = { user: leader.name, verbs: ['list', 'watch'], group: '', resource: 'services' };
    const forbidden = sim.faults.add({ match, fault: { kind: 'error', code: 403 } });
    const expired = sim.faults.add({ match, fault: { kind: 'expired-watch' } });
    await trial.eventually('the list to be refused twice', () => forbidden.struck >= 2 || undefined);
    await trial.follows();
    // A second leader begins with no state, and must not conclude anything from that.
    const { user: _, ...anyUser } = match;
    const forAll = sim.faults.add({ match: anyUser, fault: { kind: 'error', code: 403 } });
    const newcomer = guest(trial, 'newcomer');
    newcomer.arrive();
    await leader.terminate();
    await trial.otherLeads('cluster-1', leader);
    await trial.eventually('the next leader to be refused', () => forAll.struck >= 2 || undefined);
    for (const fault of [forbidden, expired, forAll]) fault[Symbol.dispose]();
    await trial.recovers('seen after 403', () => newcomer.isKnownToPeers() || undefined);
    newcomer.leave();
    await trial.follows();
  },
};

export const kindRemoved: Row = {
  id: 'F14b',
  title: 'the CRD of a kind of outputs is removed and comes back',
  inject: 'the CRD of VirtualServices is deleted in cluster-1, and made again',
  expect: 'nothing else is touched; the outputs come back with the kind',
  figure: { what: 'outputs back', limit: 30_000 },
  async run(trial) {
    const { fleet, signal } = trial;
    const { sim } = fleet.cluster('cluster-1');
    const name = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      name: 'virtualservices.networking.istio.io',
    };
    const crd = sim.objects.get(name);
    if (crd === undefined) throw new Error('cluster-1 has no VirtualServices');
    sim.objects.delete(name);
    await trial.eventually('the kind to be gone', () => sim.objects.get(name) === undefined || undefined);
    const { metadata, status: _, ...rest } = crd as typeof crd & { readonly status?: unknown };
    const { name: crdName, annotations } = metadata;
    sim.objects.create({
      ...rest,
      metadata: { name: crdName, ...(annotations === undefined ? {} : { annotations }) },
    } as typeof crd);
    await trial.recovers('outputs back', () => canaryWeight(fleet) !== undefined || undefined);
    await fleet.settled(signal);
    await trial.follows();
  },
};
