/** Rates from two samples: shared by concurrent clients, evicted when unused. */
import type { TrafficBatch } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { TrafficSampler } from '../../src/observe/traffic-sampler.ts';
import { Connections } from '../../src/relay/connections.ts';
import { kubernetesCluster } from '../support/discovered.ts';
import { declare, newFleet } from '../support/fleet.ts';
import { batches, LoggingAgents } from '../support/logging-agents.ts';

const fleet = newFleet();
await declare(fleet, kubernetesCluster('c1'), kubernetesCluster('c2'));
const forever = new AbortController().signal;

/** A cluster whose replica has counted a hundred requests each second since time 1. */
class FleetState {
  now = 0;
  attempts = 0;
  epoch = 'e1';
  begun = 0;
  readonly agents = new LoggingAgents();
  readonly sampler = new TrafficSampler({
    fleet,
    connections: new Connections(),
    agents: this.agents.callers,
    now: () => this.now,
    sleep: async (milliseconds) => {
      this.now += milliseconds;
    },
  });

  async connect(): Promise<void> {
    this.agents.connect('c1', { edges: () => this.#edges() });
    await new Promise((resume) => setImmediate(resume));
  }

  #edges(): AsyncGenerator<TrafficBatch> {
    this.attempts++;
    const count = (this.now - this.begun) / 10;
    const web = { name: 'web', namespace: 'shop', cluster: 'c1' };
    const common = {
      replica: 'agent-0',
      epoch: this.epoch,
      at: this.now - this.begun,
      bounds: [10, 20],
      overflowed: 0,
    };
    const durations = { counts: [count, count], count, sum: 0 };
    return batches<TrafficBatch>(
      { ...common, edges: [{ source: web, reporter: 'source', responses: { '2xx': count }, durations }] },
      { ...common, edges: [], replicas: [{ replica: 'agent-0' }] },
    );
  }
}

test('the first answer takes two samples, later ones one, and concurrent clients share it', async () => {
  const fleetState = new FleetState();
  await fleetState.connect();
  using sampler = fleetState.sampler;
  const first = await sampler.measure(['c1'], forever);
  assert.is(first.sums.edges()[0]?.requests, 100);
  assert.equal([fleetState.attempts, fleetState.now], [2, 2_000]);
  fleetState.now += 5_000;
  const both = await Promise.all([sampler.measure(['c1'], forever), sampler.measure(['c1'], forever)]);
  for (const { sums } of both) assert.is(sums.edges()[0]?.requests, 100);
  assert.is(fleetState.attempts, 3);
});

test('a restarted process is compared with itself only', async () => {
  const fleetState = new FleetState();
  await fleetState.connect();
  using sampler = fleetState.sampler;
  await sampler.measure(['c1'], forever);
  [fleetState.epoch, fleetState.begun] = ['e2', fleetState.now];
  fleetState.now += 4_000;
  assert.equal((await sampler.measure(['c1'], forever)).sums.edges(), []);
  fleetState.now += 4_000;
  assert.is((await sampler.measure(['c1'], forever)).sums.edges()[0]?.requests, 100);
});

test('old samples are not compared', async () => {
  const fleetState = new FleetState();
  await fleetState.connect();
  using sampler = fleetState.sampler;
  await sampler.measure(['c1'], forever);
  fleetState.now += 500_000;
  await sampler.measure(['c1'], forever);
  assert.is(fleetState.attempts, 4, 'as if it were asked for the first time');
});

test('a cluster that cannot be called is reported, with the next step', async () => {
  const fleetState = new FleetState();
  await fleetState.connect();
  using sampler = fleetState.sampler;
  const { clusters, sums } = await sampler.measure(['c1', 'c2'], forever);
  assert.is(sums.edges().length, 1);
  assert.equal(clusters[0], { cluster: 'c1', replicas: [{ replica: 'agent-0' }] });
  assert.match(clusters[1]?.problem ?? '', /c2 is not connected; meshctl cluster list/);
});

test.run();
