/** What policies are told of users' objects in the way of theirs: each by name, the first few of many, and nothing but what keeps ours away. */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import type { KeptProposal } from '../../src/output/desired.ts';
import { type Rival, rivalVerdicts } from '../../src/output/rivals.ts';

const proposal = {
  value: { cluster: 'c1', object: { kind: 'Sheet', metadata: { name: 'ours', namespace: 'x' } } },
} as unknown as KeptProposal;

function rivals(effect: Rival['effect'], count: number): Rival[] {
  return Array.from({ length: count }, (_, index): Rival => {
    const object = { kind: 'Sheet', metadata: { name: `theirs-${index}`, namespace: 'y' } } as unknown as KubeObject;
    return { effect, text: 'says so too', object };
  });
}

test('each is named, with what becomes of ours', () => {
  assert.equal(rivalVerdicts(proposal, rivals('notApplied', 1)), [
    {
      state: 'CONFLICT',
      report: {
        code: 'CLAIMED',
        severity: 'error',
        message: 'Sheet y/theirs-0 of cluster c1 is not ours and says so too; Sheet ours is withheld until it is gone',
        related: [{ kind: 'Sheet', namespace: 'y', name: 'theirs-0', cluster: 'c1' }],
      },
    },
  ]);
  const told = (effect: Rival['effect']) =>
    rivalVerdicts(proposal, rivals(effect, 1)).map(({ state, report: { code, message } }) => [state, code, message]);
  assert.equal(told('degraded'), [
    ['DEGRADED', 'SHARED_CLAIM', 'Sheet y/theirs-0 of cluster c1 is not ours and says so too'],
  ]);
  assert.equal(told('info'), [['ACCEPTED', 'NEIGHBOUR', 'Sheet y/theirs-0 of cluster c1 is not ours and says so too']]);
});

test('of many the first five are told, and how many more there are', () => {
  for (const [count, ending] of [
    [5, 'says so too'],
    [6, 'says so too (and 1 more such object)'],
    [12, 'says so too (and 7 more such objects)'],
  ] as const) {
    const told = rivalVerdicts(proposal, rivals('degraded', count)).map(({ report: { message } }) => message);
    assert.is(told.length, 5);
    assert.ok(told.at(-1)?.endsWith(ending), told.at(-1));
    assert.not.ok(told.slice(0, -1).some((message) => message.includes('more')));
  }
});

test('where some keep ours away, nothing else is told', () => {
  const told = rivalVerdicts(proposal, [...rivals('notApplied', 2), ...rivals('degraded', 3)]);
  assert.equal(
    told.map(({ report: { code } }) => code),
    ['CLAIMED', 'CLAIMED'],
  );
});

test.run();
