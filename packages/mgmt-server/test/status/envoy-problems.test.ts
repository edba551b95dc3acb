/** Policies of plain Envoys are not Applied while no Envoy has them. */
import type { PolicyUnanswered } from '@meshrelay/relay-core';
import { createGraph, key, policyKey } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { EnvoyProblems } from '../../src/status/envoy-problems.ts';

const POLICY = { kind: 'TrafficPolicy', name: 'canary', namespace: 'meshrelay', cluster: '' };
const WELL: PolicyUnanswered = {
  policy: POLICY,
  cluster: 'c3',
  pending: false,
  waiting: [],
  silentReplicas: [],
  disconnected: [],
  nacked: false,
};
const DESK = { namespace: 'library', name: 'desk', count: 2 };

function problems() {
  const graph = createGraph();
  const unanswered = graph.source<PolicyUnanswered>('unanswered');
  const envoys = new EnvoyProblems({ unanswered });
  const say = (...all: readonly Partial<PolicyUnanswered>[]) => {
    const changes = graph.commit((transaction) => {
      for (const [at] of [...unanswered.entries()]) transaction.delete(unanswered, at);
      for (const [position, one] of all.entries())
        transaction.set(unanswered, key(String(position)), { ...WELL, ...one });
    });
    const policies = [...envoys.follow(changes)];
    const { status, reason, message } = envoys.conditionOf(policyKey(POLICY)) ?? {};
    return { policies, said: status === undefined ? undefined : `${status} ${reason}: ${message}` };
  };
  return say;
}

test('policies that Envoys have not acknowledged, reject or are missing for are not applied, and each is named', () => {
  const say = problems();
  assert.equal(say({ pending: true }), {
    policies: [policyKey(POLICY)],
    said: 'False ProxiesPending: Envoys in c3 have not acknowledged this policy yet',
  });
  assert.is(
    say({ pending: true, waiting: [DESK], silentReplicas: ['agent-1'] }, { pending: true, cluster: 'c4' }).said,
    'False ProxiesPending: Envoys in c3, c4 have not acknowledged this policy yet; waiting for those of c3/library/desk (2); replicas of the agent that do not report their Envoys: c3/agent-1',
  );
  assert.match(
    say({ disconnected: [DESK] }).said ?? '',
    /^Unknown ProxiesDisconnected: pods whose Envoy is not connected to the agent may not have this policy: c3\/library\/desk \(2\); check that/,
  );
  assert.match(
    say({ nacked: true }, { pending: true }).said ?? '',
    /^False RejectedByProxy: Envoys in c3 reject this policy/,
  );
  assert.equal(say(), { policies: [policyKey(POLICY)], said: undefined });
});

test.run();
