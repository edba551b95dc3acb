/** Configuration that Envoys reject is reported on its policy, and fails no request; a fixed policy takes effect. */
import type { PolicyStatus, XdsConfigStatus } from '@meshrelay/api';
import { assert, eventually, test } from '@meshrelay/testing';
import { ask, Visitor } from '../support/asking.ts';
import { rule } from '../support/fleet.ts';
import type { Fixture, Policy } from '../support/proxy-fixture.ts';
import { TIMEOUT_MS } from '../support/workload-cluster.ts';

const NAME = 'refused';
const URL = 'http://reviews.shop:9080/refused';
/** Both RE2 and Meshrelay accept it; Envoy rejects expressions of this size. */
const TOO_LARGE = `/refused/${'(abc|def){1000}'.repeat(6)}`;

const answering = (httpStatus: number): Policy => rule(NAME, '/refused', { faultInjection: { abort: { httpStatus } } });

function tooLarge(): Policy {
  const { spec, ...policy } = answering(410);
  return { ...policy, spec: { ...spec, httpRequestMatchers: [{ uri: { regex: TOO_LARGE } }] } };
}

export function rejectionTests(fleet: Fixture): void {
  const east = fleet.cluster('east');
  const front = east.running('front-v1');
  const becomes = (state: PolicyStatus['state']): Promise<PolicyStatus> => {
    let seen: PolicyStatus | undefined;
    return eventually(
      `the policy is ${state}`,
      async () => {
        seen = await fleet.status({ kind: 'TrafficPolicy', name: NAME });
        return seen?.state === state ? seen : undefined;
      },
      { deadline: TIMEOUT_MS, seen: () => seen },
    );
  };
  const answers = (status: number): Promise<unknown> =>
    eventually(`the answer ${status}`, async () => (await ask(front, URL)).status === status, { deadline: TIMEOUT_MS });
  /** The agent's annotations on its objects. */
  const noted = (): string[] =>
    east
      .objects('agent.meshrelay.dev/v1alpha1', 'XdsConfig')
      .flatMap(({ status }) => Object.values((status as XdsConfigStatus | undefined)?.nacked ?? {}))
      .flatMap(({ resources }) => resources.map(({ message }) => message));

  test("an Envoy's rejection makes its policy FAILED with Envoy's message, requests use the previous configuration, and fixing the policy recovers it", async () => {
    await fleet.put(answering(418));
    await answers(418);
    await becomes('ACCEPTED');
    {
      await using visitor = new Visitor(front, 'http://reviews.shop:9080/');
      await fleet.put(tooLarge());
      const failed = await becomes('FAILED');
      const [report] = failed.targets
        .flatMap(({ reports }) => reports)
        .filter(({ code }) => code === 'REJECTED_BY_PROXY');
      assert.match(report?.message ?? '', /Envoys of ServiceAccount shop\/\S+ reject .* cluster east.*program size/);
      assert.is(report?.related?.[0]?.kind, 'XdsConfig');
      assert.ok(noted().some((message) => /program size/.test(message)));
      assert.is((await ask(front, URL)).status, 418, 'by the last good');
      const { visits } = visitor;
      await eventually('visits continue', () => visitor.visits > visits + 5, { deadline: TIMEOUT_MS });
      await fleet.put(answering(451));
      await answers(451);
      await becomes('ACCEPTED');
      assert.equal(visitor.bad, []);
    }
    await eventually('the notes go', () => noted().length === 0, { deadline: TIMEOUT_MS, seen: noted });
  });
}
