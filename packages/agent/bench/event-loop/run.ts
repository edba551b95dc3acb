/**
 * Measures event-loop delay and Lease renewals of a leading agent. The agent receives 100,000 access-log entries per
 * second while it resyncs everything to a server that lost its state.
 * `node packages/agent/bench/event-loop/run.ts [SECONDS] [OBJECTS] [ENTRIES_PER_SECOND]` prints the result as JSON,
 * with the machine's load and the delay of an idle program in the same time. Linux only.
 */
import { Buffer } from 'node:buffer';
import { loadavg } from 'node:os';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { accessLogService as als, create, toBinary } from '@meshrelay/envoy-api';
import { accessLogService } from '@meshrelay/envoy-api/services';
import { NAMESPACE, TestCluster } from '@meshrelay/test-cluster';
import { eventually } from '@meshrelay/testing';
import { pour } from '@meshrelay/testing/load';
import { register } from '../../test/harness/agents.ts';
import { agentFields, flags } from '../../test/harness/fields.ts';
import { CLUSTER, TestAuthority, TestRelay } from '../../test/harness/relay.ts';
import { type LoopDelay, Watched } from './watched.ts';

const MAIN = new URL('../../src/main.ts', import.meta.url);
const IDLE = new URL('./idle.ts', import.meta.url);
const POLICY = { apiVersion: 'networking.meshrelay.dev/v1alpha1', kind: 'TrafficPolicy', namespace: 'shop' };
const LEASE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace: NAMESPACE, name: 'meshrelay-agent' };
/** Entries per message, as an Envoy with some traffic flushes them. */
const EACH = 20;
/** Number of source addresses; each stays within the per-second limit of one source. */
const SOURCES = 5;
const CONNECTIONS = 4;
const WITHIN = { deadline: 300_000 };

interface AgentLoopResult {
  readonly agent: LoopDelay;
  /** Delay of an idle program at the same time. */
  readonly idle: LoopDelay;
  /** Entries sent and received per second. */
  readonly entriesPerSecond: number;
  /** Resyncs of all objects within that time. */
  readonly resyncs: number;
  /** Longest time between two renewals, in seconds. Another replica must not take over before the Lease expires. */
  readonly longestWithoutRenewal: number;
  readonly leaseSeconds: number;
  readonly renewals: number;
  /** Whether the same replica leads in the same term at the end as at the beginning. */
  readonly storedLease: boolean;
}

interface LeaseSpec {
  readonly holderIdentity: string;
  readonly renewTime: string;
  readonly leaseTransitions?: number;
  readonly leaseDurationSeconds: number;
}

async function agentLoop({
  objects,
  perSecond,
  seconds,
}: {
  readonly objects: number;
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<AgentLoopResult> {
  const authority = await TestAuthority.create();
  await using cluster = await TestCluster.start();
  for (let at = 0; at < objects; at++) cluster.sim.objects.create(policy(at));
  let relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  await using idle = new Watched(IDLE);
  await using agent = new Watched(MAIN, flags({ replica: 'agent-0', ...agentFields(cluster.kubeconfig, relay) }));
  const { dataPlanePort: port } = (await agent.line('agent started')) as { readonly dataPlanePort: number };
  const sent = (): boolean => [...relay.inputs.values()].filter(({ kind }) => kind === POLICY.kind).length === objects;
  await eventually('the server has all objects', sent, WITHIN);
  const stop = new AbortController();
  const pouringSince = performance.now();
  const pouring = Array.from({ length: SOURCES }, (_, at) =>
    pour({
      port,
      path: accessLogService.streamAccessLogs.path,
      from: `127.0.0.${at + 2}`,
      connections: CONNECTIONS,
      streams: 2,
      first: message({ identifier: { logName: 'inbound', node: { id: 'envoy', cluster: 'web' } } }),
      messages: Array.from({ length: 100 }, (_, first) => entries(first * EACH)),
      count: Number.MAX_SAFE_INTEGER,
      perSecond: perSecond / EACH / SOURCES / CONNECTIONS,
      until: stop.signal,
    }),
  );
  const lease = (): LeaseSpec => cluster.sim.objects.get(LEASE)?.['spec'] as unknown as LeaseSpec;
  // Lets the compiler warm up: the benchmark measures an agent that has run for a while.
  await pause(Math.min(10, seconds) * 1000);
  await Promise.all([agent.loopDelay(), idle.loopDelay()]);
  const before = lease();
  const renewals = new Set<string>();
  const looking = setInterval(() => renewals.add(lease().renewTime), 200);
  const began = performance.now();
  let resyncs = 0;
  while (performance.now() - began < seconds * 1000) {
    const { port: at } = new URL(`tcp://${relay.address}`);
    await relay[Symbol.asyncDispose]();
    relay = await TestRelay.start(authority, Number(at));
    await eventually('a server that lost everything gets all objects again', sent, WITHIN);
    resyncs++;
  }
  const [ofAgent, ofIdle] = await Promise.all([agent.loopDelay(), idle.loopDelay()]);
  clearInterval(looking);
  const after = lease();
  stop.abort();
  const all = (await Promise.all(pouring)).reduce((sum, one) => sum + one, 0) * EACH;
  const poured = (performance.now() - pouringSince) / 1000;
  const times = [...renewals].map((time) => Date.parse(time)).sort((a, b) => a - b);
  const gaps = times.slice(1).map((time, at) => (time - (times[at] ?? time)) / 1000);
  await relay[Symbol.asyncDispose]();
  return {
    agent: ofAgent,
    idle: ofIdle,
    entriesPerSecond: all / poured,
    resyncs,
    longestWithoutRenewal: Math.max(...gaps),
    leaseSeconds: after.leaseDurationSeconds,
    renewals: gaps.length,
    storedLease: before.holderIdentity === after.holderIdentity && before.leaseTransitions === after.leaseTransitions,
  };
}

function policy(at: number) {
  return {
    apiVersion: POLICY.apiVersion,
    kind: POLICY.kind,
    metadata: { name: `policy-${at}`, namespace: POLICY.namespace, labels: { app: `service-${at}` } },
    spec: {
      destinationSelector: [
        {
          kubeServiceRefs: { services: [{ name: `service-${at}`, namespace: POLICY.namespace, clusterName: CLUSTER }] },
        },
      ],
      policy: { requestTimeout: `${1 + (at % 30)}s` },
    },
  };
}

type Init = NonNullable<Parameters<typeof create<typeof als.StreamAccessLogsMessageSchema>>[1]>;

function message(init: Init): Buffer {
  const schema = als.StreamAccessLogsMessageSchema;
  return Buffer.from(toBinary(schema, create(schema, init)));
}

function entries(first: number): Buffer {
  const logEntry = Array.from({ length: EACH }, (_, at) => ({
    commonProperties: {
      startTime: { seconds: 1_795_300_000n, nanos: first + at },
      duration: { nanos: 5_300_000 },
      upstreamCluster: 'outbound|9080||reviews.bookinfo.svc.cluster.local',
      routeName: 'default',
      streamId: `00000000-a1b2-4c3d-8e4f-${String(first + at).padStart(12, '0')}`,
      upstreamRequestAttemptCount: 1,
    },
    request: { authority: 'reviews.bookinfo:9080', path: `/reviews/${at}?user=${first % 7}`, scheme: 'http' },
    response: { responseCode: at === 0 ? 503 : 200, responseCodeDetails: 'via_upstream' },
  }));
  return message({ logEntries: { case: 'httpLogs', value: { logEntry } } });
}

const [seconds = 60, objects = 5_000, perSecond = 100_000] = process.argv.slice(2).map(Number);
const loadBefore = loadavg()[0];
const result = await agentLoop({ objects, perSecond, seconds });
process.stdout.write(`${JSON.stringify({ ...result, loadBefore, loadAfter: loadavg()[0] }, undefined, 1)}\n`);
