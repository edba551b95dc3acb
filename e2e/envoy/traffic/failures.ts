/** What fails is gone around: an agent, a service, a gateway. */
import { assert, eventually, test } from '@meshrelay/testing';
import { ask, served, Visitor } from '../support/asking.ts';
import { rule } from '../support/fleet.ts';
import type { Fixture } from '../support/proxy-fixture.ts';
import type { Answer } from '../support/requests.ts';
import { type RunningPod, TIMEOUT_MS } from '../support/workload-cluster.ts';

const withLongTimeout = { deadline: TIMEOUT_MS };
const EVERYWHERE = 'http://ratings.everywhere:9080/';

export function failureTests(fleet: Fixture): void {
  const [east, west] = [fleet.cluster('east'), fleet.cluster('west')];
  const front = east.running('front-v1');

  test('while an agent is gone its Envoys go on, and take up what changed when it is back', async () => {
    {
      await using visitor = new Visitor(front, 'http://reviews.shop:9080/');
      await east.killAgent();
      await fleet.put(rule('fault', '/fault', { faultInjection: { abort: { httpStatus: 451 } } }));
      await eventually('visits go on', () => visitor.visits > 5, withLongTimeout);
      await east.startAgent();
      const changed = async () => (await ask(front, 'http://reviews.shop:9080/fault')).status === 451;
      await eventually('the change', changed, withLongTimeout);
      assert.equal(visitor.bad, []);
    }
  });

  test('when the service of its own cluster dies, the one of the other answers', async () => {
    const first = await eventually('a first answer', async () => (await several(front)).find(ok), withLongTimeout);
    assert.is(served(first).pod, 'ratings-v1.east');
    const { pod, envoy } = east.running('ratings-v1');
    await envoy.kill();
    await pod[Symbol.asyncDispose]();
    const next = await eventually('the other answers', async () => (await several(front)).find(ok), withLongTimeout);
    assert.is(served(next).pod, 'ratings-v1.west');
  });

  test('when a gateway dies, requests take the other', async () => {
    const edge = west.running('edge-a');
    await edge.envoy.kill();
    await edge.pod[Symbol.asyncDispose]();
    const all = async () => (await several(front)).every(ok);
    await eventually('every request is answered', all, withLongTimeout);
  });
}

/** As many at a time as it takes for a caller to give a dead one up. */
function several(from: RunningPod): Promise<Answer[]> {
  return Promise.all(Array.from({ length: 12 }, () => ask(from, EVERYWHERE)));
}

const ok = ({ status }: Answer): boolean => status === 200;
