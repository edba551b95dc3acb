/** Requests behave as the policies specify. */
import { assert, eventually, test } from '@meshrelay/testing';
import { ask, served } from '../support/asking.ts';
import { rule } from '../support/fleet.ts';
import type { Fixture } from '../support/proxy-fixture.ts';
import { TIMEOUT_MS } from '../support/workload-cluster.ts';

const REVIEWS = 'http://reviews.shop:9080';
const withLongTimeout = { deadline: TIMEOUT_MS };

export function policyTests(fleet: Fixture): void {
  const east = fleet.cluster('east');
  const front = east.running('front-v1');
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(front, `${REVIEWS}${path}`, { headers });

  test('the configuration arrives: HTTP and gRPC requests are answered', async () => {
    const answered = new Set<string>();
    const everyPod = async (): Promise<boolean> => {
      const answer = await get('/');
      if (answer.status === 200) answered.add(served(answer).pod);
      return answered.size === 2;
    };
    await eventually('an answer of every pod', everyPod, { ...withLongTimeout, seen: () => [...answered] });
    await eventually('of each policy', async () => (await get('/fault')).status === 418, withLongTimeout);
    const word = await eventually(
      'gRPC',
      () => front.pod.do<string>('say', { to: 'ratings.shop:9090', word: 'hi' }),
      withLongTimeout,
    );
    assert.is(word, 'ratings-v1.east: hi');
  });

  test('weights', async () => {
    const answers = new Map<string, number>();
    for (let one = 0; one < 200; one++) {
      const { pod } = served(await get('/weights'));
      answers.set(pod, (answers.get(pod) ?? 0) + 1);
    }
    const first = answers.get('reviews-v1.east') ?? 0;
    // Six standard deviations around 150.
    assert.ok(first > 113 && first < 187, JSON.stringify([...answers]));
    assert.is(first + (answers.get('reviews-v2.east') ?? 0), 200);
  });

  test('retries', async () => {
    const pods = ['reviews-v1', 'reviews-v2'].map((name) => east.running(name).pod);
    const fail = (path: string) => Promise.all(pods.map((pod) => pod.do('fail', { path, times: 1 })));
    await fail('/retries');
    served(await get('/retries'));
    const seen = await Promise.all(pods.map((pod) => pod.do<number>('seen', { path: '/retries' })));
    assert.ok((seen[0] ?? 0) + (seen[1] ?? 0) >= 2, `asked ${seen.join(' and ')} times`);
    const never = { 'x-envoy-max-retries': '0' };
    await fail('/once');
    assert.is((await get('/once', never)).status, 503, 'where no policy asks for it');
  });

  test('timeouts, faults and cross-origin requests', async () => {
    assert.is((await get('/timeout?wait=15000')).status, 504);
    assert.is((await get('/fault')).status, 418);
    const { headers } = await get('/cors', { origin: 'https://shop.example' });
    assert.is(headers['access-control-allow-origin'], 'https://shop.example');
    assert.is(
      (await get('/cors', { origin: 'https://other.example' })).headers['access-control-allow-origin'],
      undefined,
    );
  });

  test('mirrors and headers', async () => {
    const ratings = east.running('ratings-v1').pod;
    served(await get('/mirror'));
    await eventually(
      'the mirror sees it',
      async () => (await ratings.do<number>('seen', { path: '/mirror' })) > 0,
      withLongTimeout,
    );
    const answer = await get('/headers');
    assert.is(served(answer).headers['x-asked'], 'yes');
    assert.is(answer.headers['x-answered'], 'yes');
  });

  test('an edit takes effect at once', async () => {
    const begun = performance.now();
    await fleet.put(rule('fault', '/fault', { faultInjection: { abort: { httpStatus: 410 } } }));
    await eventually('the other status', async () => (await get('/fault')).status === 410, withLongTimeout);
    console.log(`an edited policy was live after ${Math.round(performance.now() - begun)} ms`);
  });
}
