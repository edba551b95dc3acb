/** Cache times of token reviews, and users of the management cluster. */
import type { ReviewedUser } from '@meshrelay/kube';
import { assert, test } from '@meshrelay/testing';
import { byTokenReview } from '../../../src/http/auth/by-token-review.ts';
import { type Admission, cached } from '../../../src/http/auth/guard.ts';

const YES: Admission = { admitted: true, user: 'jane' };
const NO: Admission = { admitted: false, reason: 'unknown', message: 'unknown user' };

function counted(answers: readonly (Admission | Error)[]) {
  let requested = 0;
  let time = 0;
  const guard = cached(
    async () => {
      const answer = answers[requested++] ?? NO;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    () => time,
  );
  return {
    guard,
    requested: () => requested,
    later: (ms: number) => {
      time += ms;
    },
  };
}

test('an admission is cached for ten seconds, by token and path', async () => {
  const { guard, requested, later } = counted([YES, YES, YES, NO]);
  await Promise.all([guard('t', '/a'), guard('t', '/a')]);
  assert.is(requested(), 1);
  await guard('t', '/b');
  await guard('u', '/a');
  assert.is(requested(), 3);
  later(9_999);
  assert.equal(await guard('t', '/a'), YES);
  assert.is(requested(), 3);
  later(1);
  assert.equal(await guard('t', '/a'), NO, 'a permission that was removed');
});

test('a denial is cached for less, a failure not at all', async () => {
  const { guard, requested, later } = counted([NO, YES, new Error('no answer'), YES]);
  assert.equal(await guard('t', '/a'), NO);
  assert.equal(await guard('t', '/a'), NO);
  assert.is(requested(), 1);
  later(2_000);
  assert.equal(await guard('t', '/a'), YES);
  await guard('u', '/a').then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'no answer'),
  );
  assert.equal(await guard('u', '/a'), YES);
});

test('the cache is bounded', async () => {
  const { guard, requested } = counted(new Array(3_000).fill(YES));
  for (let i = 0; i <= 1_000; i += 1) await guard(`t${i}`, '/a');
  await guard('t0', '/a');
  assert.is(requested(), 1_002, 'the oldest was evicted');
  await guard('t1000', '/a');
  assert.is(requested(), 1_002);
});

test('only users of the cluster whom RBAC allows to read are admitted', async () => {
  const users: Readonly<Record<string, ReviewedUser>> = {
    good: { name: 'jane', groups: ['ops'], uid: '1', extra: { scopes: ['a'] } },
    other: { name: 'joe', groups: [] },
  };
  const requested: unknown[] = [];
  const guard = byTokenReview(
    {
      userOf: async (token, audiences) => {
        requested.push(audiences);
        return users[token];
      },
      mayUsePath: async (user, verb, path) => {
        requested.push([user, verb, path]);
        return user.name === 'jane';
      },
    },
    ['meshrelay'],
  );
  assert.equal(await guard('good', '/api/v1/clusters'), { admitted: true, user: 'jane' });
  assert.equal(requested, [['meshrelay'], [users['good'], 'get', '/api/v1/clusters']]);
  const forbidden = await guard('other', '/api/v1/clusters');
  assert.ok(!forbidden.admitted && forbidden.reason === 'forbidden');
  assert.match(forbidden.message, 'user joe may not get /api/v1/clusters; bind a ClusterRole');
  const unknown = await guard('else', '/api/v1/clusters');
  assert.ok(!unknown.admitted && unknown.reason === 'unknown');
});

test.run();
