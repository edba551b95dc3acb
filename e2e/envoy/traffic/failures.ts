/** Requests avoid a failed agent, service or gateway. */
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

  test('while an agent is down its Envoys keep working, and apply the changes when it returns', async () => {
    {
      await using visitor = new Visitor(front, 'http://reviews.shop:9080/');
      await east.killAgent();
      await fleet.put(rule('fault', '/fault', { faultInjection: { abort: { httpStatus: 451 } } }));
      await eventually('visits continue', () => visitor.visits > 5, withLongTimeout);
      await east.startAgent();
      const changed = async () => (await ask(front, 'http://reviews.shop:9080/fault')).status === 451;
      await eventually('the change', changed, withLongTimeout);
      assert.equal(visitor.bad, []);
    }
  });

  test("when a service's local endpoint dies, the one in the other cluster responds", async () => {
    const first = await eventually('a first answer', async () => (await several(front)).find(ok), withLongTimeout);
    assert.is(served(first).pod, 'ratings-v1.east');
    const { pod, envoy } = east.running('ratings-v1');
    await envoy.kill();
    await pod[Symbol.asyncDispose]();
    const next = await eventually('the other answers', async () => (await several(front)).find(ok), withLongTimeout);
    assert.is(served(next).pod, 'ratings-v1.west');
  });

  test('when a gateway dies, requests use the other', async () => {
    const edge = west.running('edge-a');
    await edge.envoy.kill();
    await edge.pod[Symbol.asyncDispose]();
    const all = async () => (await several(front)).every(ok);
    await eventually('every request is answered', all, withLongTimeout);
  });
}

/** Enough concurrent requests for a caller to eject a dead endpoint. */
function several(from: RunningPod): Promise<Answer[]> {
  return Promise.all(Array.from({ length: 12 }, () => ask(from, EVERYWHERE)));
}

const ok = ({ status }: Answer): boolean => status === 200;
