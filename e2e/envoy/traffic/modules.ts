/**
 * Modules run in the Envoys of the workloads that a WasmDeployment selects. Those Envoys report the status of each
 * module, and a module that does not run fails no request.
 */
import type { WasmDeploymentStatus, WasmFailurePolicy } from '@meshrelay/api';
import { assert, eventually, test } from '@meshrelay/testing';
import { ask, served, Visitor } from '../support/asking.ts';
import type { ModuleHost, ModuleSource } from '../support/module-host.ts';
import type { Fixture, Policy } from '../support/proxy-fixture.ts';
import type { Answer } from '../support/requests.ts';
import { TIMEOUT_MS } from '../support/workload-cluster.ts';

const REVIEWS = 'http://reviews.shop:9080/';
const RATINGS = 'http://ratings.shop:9080/';
const OTHER_HASH = 'f'.repeat(64);

/** One module for requests to an application of the first cluster. */
function deployment(name: string, app: string, httpUriSource: ModuleSource, failurePolicy: WasmFailurePolicy): Policy {
  const kubeWorkloadMatcher = { labels: { app }, namespaces: ['shop'], clusters: ['east'] };
  const filters = [{ httpUriSource, filterContext: 'SIDECAR_INBOUND', failurePolicy }];
  return { kind: 'WasmDeployment', name, spec: { workloadSelectors: [{ kubeWorkloadMatcher }], filters } };
}

export function moduleTests(fleet: Fixture, modules: ModuleHost): void {
  const east = fleet.cluster('east');
  const front = east.running('front-v1');
  const marks = (source: ModuleSource): Policy => deployment('marks', 'reviews', source, 'FAIL_CLOSED');
  const becomes = (policy: Policy, what: string, holds: (status: WasmDeploymentStatus) => boolean) => {
    let seen: WasmDeploymentStatus | undefined;
    const check = async (): Promise<WasmDeploymentStatus | undefined> => {
      seen = await fleet.status<WasmDeploymentStatus>(policy);
      return seen !== undefined && holds(seen) ? seen : undefined;
    };
    return eventually(`${policy.name} ${what}`, check, { deadline: TIMEOUT_MS, seen: () => seen });
  };
  const isDeployed = ({ conditions }: WasmDeploymentStatus): boolean =>
    conditions.some(({ type, status }) => type === 'Deployed' && status === 'True');
  /** Every pod of reviews responds with the module's mark. */
  const mark = async (expected: string | undefined): Promise<void> => {
    const pods = new Set<string>();
    const everyPod = async (): Promise<boolean> => {
      const answer = await ask(front, REVIEWS);
      if (answer.status === 200 && answer.headers['x-wasm'] === expected) pods.add(served(answer).pod);
      return pods.size === 2;
    };
    await eventually(`the mark ${expected} of every pod`, everyPod, { deadline: TIMEOUT_MS, seen: () => [...pods] });
  };
  /**
   * Connections to listeners and filter chains that an edit replaced are closed after a while, with their requests in
   * flight.
   */
  const nothingIsLeft = async (): Promise<boolean> => {
    const left = ['reviews-v1', 'reviews-v2', 'ratings-v1'].map(async (name) => {
      const { admin } = east.running(name).envoy;
      const listeners = await admin.text('/config_dump?resource=dynamic_listeners');
      const draining = await admin.stats('^listener_manager\\.total_(listeners|filter_chains)_draining$');
      return listeners.includes('config_discovery') || [...draining.values()].some((count) => count > 0);
    });
    return (await Promise.all(left)).every((one) => !one);
  };
  const ratingsAnswer = (status: Answer['status']): Promise<unknown> =>
    eventually(`the answer ${status}`, async () => (await ask(front, RATINGS)).status === status, {
      deadline: TIMEOUT_MS,
    });

  test('a WasmDeployment makes the Envoys of its workloads run the module, and is Deployed once they report it', async () => {
    const policy = marks(modules.source('one'));
    await fleet.put(policy);
    await mark('one');
    const { state, rollout } = await becomes(policy, 'is deployed', isDeployed);
    assert.is(state, 'ACCEPTED');
    assert.equal(rollout, { deployed: 2, pending: 0, failed: 0, workloads: [] });
  });

  test('a module with another hash, or one that does not load, is reported per workload, and the last one keeps running', async () => {
    {
      await using visitor = new Visitor(front, REVIEWS);
      for (const [source, reason] of [
        [{ ...modules.source('one'), sha256: OTHER_HASH }, /has the SHA-256 .* instead of fff/],
        [modules.source('broken'), /reject extensionConfig .*does not load/],
      ] as const) {
        const policy = marks(source);
        await fleet.put(policy);
        const isReported = ({ state, rollout, targets }: WasmDeploymentStatus): boolean =>
          state === 'FAILED' &&
          rollout?.failed === 2 &&
          targets.every(({ reports: [report] }) => reason.test(report?.message ?? ''));
        const { targets, targetCount, rollout } = await becomes(policy, `has failed: ${reason}`, isReported);
        assert.is(targetCount, 2);
        assert.equal(
          targets.map(({ kind, name, state }) => `${kind} ${name} ${state}`),
          ['v1', 'v2'].map((version) => `Workload reviews-${version}-deployment FAILED`),
        );
        assert.equal(
          rollout?.workloads.map(({ name, state }) => `${name} ${state}`),
          ['reviews-v1 FAILED', 'reviews-v2 FAILED'],
        );
        assert.is((await ask(front, REVIEWS)).headers['x-wasm'], 'one');
      }
      const mended = marks(modules.source('two'));
      await fleet.put(mended);
      await mark('two');
      await becomes(mended, 'is deployed', isDeployed);
      assert.equal(visitor.bad, []);
    }
  });

  test('where no module ever loaded, requests fail or pass, as the deployment specifies', async () => {
    const unknown = { ...modules.source('one'), sha256: OTHER_HASH };
    const closed = deployment('guard', 'ratings', unknown, 'FAIL_CLOSED');
    const open = deployment('extra', 'reviews', unknown, 'FAIL_OPEN');
    const hasFailed = ({ state, rollout }: WasmDeploymentStatus): boolean =>
      state === 'FAILED' && rollout !== undefined && rollout.failed > 0;
    for (const policy of [open, closed]) {
      await fleet.put(policy);
      await becomes(policy, 'has failed', hasFailed);
    }
    // Envoys wait five seconds for a module, and keep the previous configuration until then.
    await ratingsAnswer(503);
    await mark('two');
    await fleet.put(deployment('guard', 'ratings', unknown, 'FAIL_OPEN'));
    await ratingsAnswer(200);
    for (const policy of [closed, open, marks(unknown)]) await fleet.remove(policy);
    await mark(undefined);
    await eventually('nothing is left of listeners with modules', nothingIsLeft, { deadline: TIMEOUT_MS });
  });
}
