/**
 * The control plane property for random fleets with a plugin that configures proxies: incremental updates equal a build
 * from scratch.
 */
import { assert, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { describingPlugin } from './support/fake-plugin.ts';
import { apply, emptyPlane, finalState, histories, planeOf, saidBy } from './support/fleet-states.ts';

test('incremental updates of a mesh with configured proxies equal a build from scratch, and its workloads and endpoints occur', () => {
  const plugin = describingPlugin();
  const seen = { workload: 0, pods: 0, gateway: 0, access: 0 };
  fc.assert(
    fc.property(histories, (history) => {
      const plane = emptyPlane(plugin);
      for (const events of history) apply(plane, events);
      assert.is(plane.graph.quarantined.size, 0);
      assert.equal(saidBy(plane), saidBy(planeOf(finalState(history), plugin)));
      for (const [, { object }] of plane.desired.entries())
        if (object.metadata.name.startsWith('pods.')) seen.pods += 1;
      for (const [, { gateways, services }] of plane.resolved.workloadViews.entries()) {
        seen.workload += 1;
        seen.gateway += gateways.length;
        seen.access += services.flatMap(({ access }) => access).length;
      }
    }),
    { numRuns: 100, seed: 7 },
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `${what}: ${count}`);
});

test.run();
