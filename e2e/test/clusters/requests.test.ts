/** Which answers of Bookinfo's applications the story accepts. */
import { assert, test } from '@meshrelay/testing';
import { isExpected } from '../../clusters/story/bookinfo/requests.ts';

const answer = { status: 200, headers: { 'x-edit': '3' }, body: '{"name":"reviews-v2","cluster":"west"}' };

test('status, cluster and headers must all be the expected ones', () => {
  const accepts = (expected: Parameters<typeof isExpected>[1]): boolean => isExpected(answer, expected);
  assert.ok(accepts({ status: 200, cluster: 'west', headers: { 'x-edit': '3' } }));
  assert.not(accepts({ status: 200, cluster: 'east' }));
  assert.not(accepts({ status: 200, headers: { 'x-edit': '4' } }));
  assert.not(accepts({ status: 403 }));
});

test.run();
