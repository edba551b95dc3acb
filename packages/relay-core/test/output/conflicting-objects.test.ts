/**
 * Reports about conflicting user objects: each by name, the first few of many. If some prevent the generated object,
 * only those are reported.
 */
import type { KubeObject } from '@meshrelay/api';
import { assert, test } from '@meshrelay/testing';
import { type ConflictingObject, objectConflictDiagnostics } from '../../src/output/conflicting-objects.ts';
import type { PackedProposal } from '../../src/translate/packed-proposal.ts';

const proposal = {
  value: { cluster: 'c1', object: { kind: 'Sheet', metadata: { name: 'generated', namespace: 'x' } } },
} as unknown as PackedProposal;

function conflictingObjects(effect: ConflictingObject['effect'], count: number): ConflictingObject[] {
  return Array.from({ length: count }, (_, index): ConflictingObject => {
    const object = { kind: 'Sheet', metadata: { name: `theirs-${index}`, namespace: 'y' } } as unknown as KubeObject;
    return { effect, text: 'says so too', object };
  });
}

test('each is named, with the effect on the generated object', () => {
  assert.equal(objectConflictDiagnostics(proposal, conflictingObjects('notApplied', 1)), [
    {
      state: 'CONFLICT',
      report: {
        code: 'OBJECT_CONFLICT',
        severity: 'error',
        message:
          'Sheet y/theirs-0 of cluster c1, which is not managed by Meshrelay, says so too; the generated Sheet generated is not applied until you delete or change yours',
        related: [{ kind: 'Sheet', namespace: 'y', name: 'theirs-0', cluster: 'c1' }],
      },
    },
  ]);
  const reported = (effect: ConflictingObject['effect']) =>
    objectConflictDiagnostics(proposal, conflictingObjects(effect, 1)).map(({ state, report: { code, message } }) => [
      state,
      code,
      message,
    ]);
  assert.equal(reported('degraded'), [
    [
      'DEGRADED',
      'PARTIAL_OBJECT_CONFLICT',
      'Sheet y/theirs-0 of cluster c1, which is not managed by Meshrelay, says so too',
    ],
  ]);
  assert.equal(reported('info'), [
    [
      'ACCEPTED',
      'OVERLAPPING_OBJECT',
      'Sheet y/theirs-0 of cluster c1, which is not managed by Meshrelay, says so too',
    ],
  ]);
});

test('of many, the first five are reported, with the number of the others', () => {
  for (const [count, ending] of [
    [5, 'says so too'],
    [6, 'says so too (and 1 more such object)'],
    [12, 'says so too (and 7 more such objects)'],
  ] as const) {
    const reported = objectConflictDiagnostics(proposal, conflictingObjects('degraded', count)).map(
      ({ report: { message } }) => message,
    );
    assert.is(reported.length, 5);
    assert.ok(reported.at(-1)?.endsWith(ending), reported.at(-1));
    assert.not.ok(reported.slice(0, -1).some((message) => message.includes('more')));
  }
});

test('if some prevent the generated object, the others are not reported', () => {
  const reported = objectConflictDiagnostics(proposal, [
    ...conflictingObjects('notApplied', 2),
    ...conflictingObjects('degraded', 3),
  ]);
  assert.equal(
    reported.map(({ report: { code } }) => code),
    ['OBJECT_CONFLICT', 'OBJECT_CONFLICT'],
  );
});

test.run();
