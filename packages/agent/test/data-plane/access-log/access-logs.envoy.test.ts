/**
 * A real Envoy logs to agents while one replaces another. Nearly all entries arrive, each with its workload and
 * cluster, and only those that a record requests are retained.
 */
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import type { AccessLogEntry } from '@meshrelay/access-log-sink';
import type { KubeObject } from '@meshrelay/api';
import type { DataPlaneServer } from '@meshrelay/envoy-api/server';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { envoyProgram, startEnvoy } from '@meshrelay/testing/envoy';
import { RetentionRules } from '../../../src/data-plane/access-log/retention-rules.ts';
import { seenPod } from '../../../src/data-plane/attribution/seen-pod.ts';
import { DataPlane } from '../../../src/data-plane/data-plane.ts';
import { listenFor } from '../../../src/data-plane/listen.ts';

const CLUSTER = 'cluster-1';
const WITHIN = { deadline: 120_000 };
const REQUESTS = 1_000;

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'reviews-6d4b-x',
    namespace: 'bookinfo',
    labels: { 'pod-template-hash': '6d4b' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'reviews-6d4b', uid: 'u', controller: true }],
  },
  spec: {},
  status: { phase: 'Running', podIP: '127.0.0.1' },
} as unknown as KubeObject;

/** Everything except requests with the path `/quiet`, with one header. */
const CONFIG = {
  apiVersion: 'agent.meshrelay.dev/v1alpha1',
  kind: 'AccessLogConfig',
  metadata: { name: 'reviews', namespace: 'bookinfo' },
  spec: {
    workload: 'reviews',
    rules: [
      {
        name: 'meshrelay/loud',
        filters: [{ headerMatcher: { name: ':path', value: '/quiet', invertMatch: true } }],
        includedRequestHeaders: ['x-team'],
        includedResponseHeaders: [],
        includedResponseTrailers: [],
        includedFilterStateObjects: [],
      },
    ],
  },
} as unknown as KubeObject;

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Acts like a Service: new connections go to the ready replica, open ones stay where they are. */
async function front(): Promise<{ readonly port: number; to: number } & Disposable> {
  const sockets = new Set<Socket>();
  const state = { to: 0 };
  const server = createTcp((client) => {
    const backend = connect({ port: state.to, host: '127.0.0.1' });
    for (const [from, into] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => into.destroy()).on('close', () => sockets.delete(from));
      from.pipe(into);
    }
  });
  const port = await listening(server);
  return {
    port,
    get to() {
      return state.to;
    },
    set to(next) {
      state.to = next;
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function replica(): Promise<{ readonly plane: DataPlane; readonly server: DataPlaneServer }> {
  const plane = new DataPlane(CLUSTER);
  plane.pods.upsert(seenPod(POD));
  const retained = new RetentionRules({ onUnfit: () => assert.unreachable() });
  retained.upsert(CONFIG);
  plane.rulesFor = (reporter) => retained.rulesFor(reporter);
  const listen = { host: '127.0.0.1', port: 0 };
  return { plane, server: await listenFor(plane, { listen, logger: silentLogger, onRefused: () => undefined }) };
}

function bootstrap(application: number, agent: number): Record<string, unknown> {
  const address = (port: number) => ({ socket_address: { address: '127.0.0.1', port_value: port } });
  const cluster = (name: string, port: number, more: object) => ({
    name,
    type: 'STATIC',
    connect_timeout: '5s',
    load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: [{ endpoint: { address: address(port) } }] }] },
    ...more,
  });
  const type = (name: string) => ({ '@type': `type.googleapis.com/envoy.extensions.${name}` });
  const logger = {
    ...type('access_loggers.grpc.v3.HttpGrpcAccessLogConfig'),
    common_config: {
      log_name: 'inbound',
      transport_api_version: 'V3',
      grpc_service: { envoy_grpc: { cluster_name: 'agent' } },
      // One message per second, as from most sidecars with little traffic: the interval is long compared with a round
      // trip.
      buffer_flush_interval: '1s',
      buffer_size_bytes: 2 ** 20,
    },
    additional_request_headers_to_log: ['x-team', 'x-secret'],
  };
  const manager = {
    ...type('filters.network.http_connection_manager.v3.HttpConnectionManager'),
    stat_prefix: 'in',
    access_log: [{ name: 'log', typed_config: logger }],
    route_config: {
      virtual_hosts: [{ name: 'all', domains: ['*'], routes: [{ match: { prefix: '/' }, route: { cluster: 'app' } }] }],
    },
    http_filters: [{ name: 'router', typed_config: type('filters.http.router.v3.Router') }],
  };
  const http2 = {
    'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
      ...type('upstreams.http.v3.HttpProtocolOptions'),
      explicit_http_config: { http2_protocol_options: {} },
    },
  };
  return {
    node: { id: 'forged', cluster: 'forged' },
    static_resources: {
      listeners: [
        { name: 'in', address: address(0), filter_chains: [{ filters: [{ name: 'hcm', typed_config: manager }] }] },
      ],
      clusters: [cluster('app', application, {}), cluster('agent', agent, { typed_extension_protocol_options: http2 })],
    },
  };
}

const program = await envoyProgram();

if (program !== undefined) {
  test(`${REQUESTS} requests while an agent is replaced: at least 99 % are received`, async () => {
    const application = createHttp((_, response) => response.end('ok'));
    const applicationPort = await listening(application);
    using _application = {
      [Symbol.dispose]: () => {
        application.closeAllConnections();
        application.close();
      },
    };
    using way = await front();
    const first = await replica();
    way.to = first.server.port;
    await using envoy = await startEnvoy(program, bootstrap(applicationPort, way.port));
    const port = await eventually('Envoy listens', () => envoy.admin.port('in'), WITHIN);
    const ask = async (path: string): Promise<void> => {
      const headers = { 'x-team': 'blue', 'x-secret': 'not asked for' };
      await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).arrayBuffer();
    };
    for (let at = 0; at < REQUESTS / 2; at++) await ask(`/loud/${at}`);
    await ask('/quiet');
    await eventually('the first has some', () => first.plane.sink.counts.retained > 0, WITHIN);
    const second = await replica();
    await using _second = second.server;
    way.to = second.server.port;
    const ended = first.server[Symbol.asyncDispose]();
    for (let at = REQUESTS / 2; at < REQUESTS; at++) await ask(`/loud/${at}`);
    await ended;
    const planes = [first.plane, second.plane];
    const retained = (): number => planes.reduce((sum, { sink }) => sum + sink.counts.retained, 0);
    await eventually('nearly all are there', () => retained() >= REQUESTS * 0.99, {
      ...WITHIN,
      seen: () => planes.map(({ sink }) => sink.counts),
    });
    const entries: AccessLogEntry[] = [];
    for (const { sink } of planes) entries.push(...(await sink.search({}, { limit: 2 * REQUESTS })).entries);
    assert.ok(second.plane.sink.counts.retained > 0, 'the second had its part');
    assert.is(new Set(entries.map(({ fields }) => fields.path)).size, entries.length, 'none came twice');
    for (const { reporter, fields } of entries) {
      assert.equal(reporter.workload, { name: 'reviews', namespace: 'bookinfo', cluster: CLUSTER });
      assert.match(fields.path ?? '', /^\/loud\//);
      assert.equal({ ...fields.requestHeaders }, { 'x-team': 'blue' });
    }
    console.log(`access logs over the replacement of an agent: ${entries.length} of ${REQUESTS} requests seen`);
  });
}

test.run();
