/**
 * A real Envoy's access logs over a rolling restart of the sink: nearly all of 1,000 requests arrive, each with its
 * workload and cluster.
 */
import { once } from 'node:events';
import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import { assert, eventually, test } from '@meshrelay/testing';
import { envoyProgram, startEnvoy } from '@meshrelay/testing/envoy';
import type { AccessLogEntry } from '../../src/entry/access-log-entry.ts';
import { MetricsSink } from '../../src/metrics/metrics-sink.ts';
import { prometheusText } from '../../src/metrics/prometheus-text.ts';
import type { Series } from '../../src/metrics/series-table.ts';
import { type SinkServer, startSinkServer } from '../../src/program/sink-server.ts';
import { AccessLogSink } from '../../src/sink/access-log-sink.ts';
import { CLUSTER, workload } from '../support/sinks.ts';

const program = await envoyProgram();
const waiting = { deadline: 120_000 };
/** Source address of the proxy's connections to the sink: it acts as its pod. */
const POD = '127.0.0.2';
const ATTRIBUTION = {
  cluster: CLUSTER,
  workloadAt: (address: string) => ({ [POD]: workload('reviews'), '127.0.0.1': workload('productpage') })[address],
};

async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Acts like a Kubernetes Service: new connections go to the ready replica, open ones stay where they are. */
async function service(): Promise<{ readonly port: number; to: number } & Disposable> {
  const sockets = new Set<Socket>();
  const state = { to: 0 };
  const server = createTcp((client) => {
    const backend = connect({ port: state.to, host: '127.0.0.1', localAddress: client.remoteAddress ?? '' });
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

function closeNow(server: HttpServer): void {
  server.closeAllConnections();
  server.close();
}

function bootstrap(upstream: number, sink: number): Record<string, unknown> {
  const address = (port: number) => ({ socket_address: { address: '127.0.0.1', port_value: port } });
  const cluster = (name: string, port: number, more: object) => ({
    name,
    type: 'STATIC',
    connect_timeout: '5s',
    load_assignment: { cluster_name: name, endpoints: [{ lb_endpoints: [{ endpoint: { address: address(port) } }] }] },
    ...more,
  });
  const als = {
    '@type': 'type.googleapis.com/envoy.extensions.access_loggers.grpc.v3.HttpGrpcAccessLogConfig',
    common_config: {
      log_name: 'inbound',
      transport_api_version: 'V3',
      grpc_service: { envoy_grpc: { cluster_name: 'als' } },
      // One message per second, as from most sidecars with little traffic: the interval is long compared with a round
      // trip.
      buffer_flush_interval: '1s',
      buffer_size_bytes: 2 ** 20,
    },
    additional_request_headers_to_log: ['x-team'],
  };
  const manager = {
    '@type': 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
    stat_prefix: 'in',
    access_log: [{ name: 'als', typed_config: als }],
    route_config: {
      virtual_hosts: [
        { name: 'all', domains: ['*'], routes: [{ name: 'r', match: { prefix: '/' }, route: { cluster: 'app' } }] },
      ],
    },
    http_filters: [
      {
        name: 'router',
        typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
      },
    ],
  };
  const metricsService = {
    '@type': 'type.googleapis.com/envoy.config.metrics.v3.MetricsServiceConfig',
    transport_api_version: 'V3',
    grpc_service: { envoy_grpc: { cluster_name: 'als' } },
    emit_tags_as_labels: true,
    histogram_emit_mode: 'HISTOGRAM',
  };
  const http2 = {
    'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
      '@type': 'type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions',
      explicit_http_config: { http2_protocol_options: {} },
    },
  };
  return {
    node: { id: 'sidecar~127.0.0.1~forged', cluster: 'forged' },
    stats_flush_interval: '0.5s',
    stats_sinks: [{ name: 'envoy.stat_sinks.metrics_service', typed_config: metricsService }],
    static_resources: {
      listeners: [
        { name: 'in', address: address(0), filter_chains: [{ filters: [{ name: 'hcm', typed_config: manager }] }] },
      ],
      clusters: [
        cluster('app', upstream, {}),
        cluster('als', sink, {
          typed_extension_protocol_options: http2,
          upstream_bind_config: { source_address: { address: POD, port_value: 0 } },
        }),
      ],
    },
  };
}

if (program !== undefined) {
  test('1,000 requests over a rolling restart of the sink', async () => {
    const app = createHttp((request, response) =>
      response.writeHead(request.url?.startsWith('/bad') ? 500 : 200).end(),
    );
    using _closed = { [Symbol.dispose]: () => closeNow(app) };
    const upstream = await listening(app);
    using front = await service();
    const sinks: AccessLogSink[] = [];
    const replica = async (grace: number): Promise<SinkServer> => {
      const sink = new AccessLogSink({ attribution: ATTRIBUTION });
      sinks.push(sink);
      return startSinkServer({ sink, host: '127.0.0.1', port: 0, grace });
    };
    const seen = (): number => sinks.reduce((sum, { counts }) => sum + counts.retained, 0);
    await using first = await replica(60_000);
    front.to = first.port;
    await using envoy = await startEnvoy(program, bootstrap(upstream, front.port));
    const port = await eventually('Envoy listens', () => envoy.admin.port('in'), waiting);
    const request = async (at: number): Promise<void> => {
      const url = `http://127.0.0.1:${port}${at % 10 === 0 ? '/bad' : '/ok'}/${at}`;
      const response = await fetch(url, { headers: { 'x-team': 'blue' } });
      await response.arrayBuffer();
    };
    for (let at = 0; at < 400; at++) await request(at);
    await eventually('the first sink has some', () => (sinks[0]?.counts.retained ?? 0) > 0, waiting);
    await using second = await replica(0);
    front.to = second.port;
    const ended = first[Symbol.asyncDispose]();
    // Requests continue while the first sink shuts down, and after that.
    for (let at = 400; at < 800; at++) await request(at);
    await ended;
    for (let at = 800; at < 1_000; at++) await request(at);
    const written = await eventually(
      'Envoy has sent what it had',
      async () => (await envoy.admin.stat('http.in.downstream_rq_completed')) >= 1_000 && seen() >= 990,
      { ...waiting, seen: () => sinks.map(({ counts }) => counts) },
    );
    assert.ok(written);
    assert.ok((sinks[0]?.counts.retained ?? 0) > 0 && (sinks[1]?.counts.retained ?? 0) > 0, 'both had their part');
    const entries: AccessLogEntry[] = [];
    for (const sink of sinks) entries.push(...(await sink.search({}, { limit: 2_000 })).entries);
    assert.is(new Set(entries.map(({ fields }) => fields.path)).size, entries.length, 'none came twice');
    for (const { reporter, source, destination, fields } of entries) {
      assert.equal(reporter.workload, workload('reviews'));
      assert.is(reporter.cluster, CLUSTER);
      assert.equal(reporter.node, { id: 'sidecar~127.0.0.1~forged', cluster: 'forged' });
      assert.equal([source?.name, destination?.name], ['productpage', 'reviews']);
      assert.is(fields.status, fields.path?.startsWith('/bad') ? 500 : 200);
      assert.equal({ ...fields.requestHeaders }, { 'x-team': 'blue' });
      assert.ok(fields.duration !== undefined && fields.startTime !== undefined && fields.requestId !== undefined);
    }
  });

  test('counters, gauges and histograms of an Envoy match the traffic', async () => {
    const app = createHttp((_, response) => response.writeHead(200).end());
    using _closed = { [Symbol.dispose]: () => closeNow(app) };
    const upstream = await listening(app);
    const sink = new AccessLogSink({ attribution: ATTRIBUTION });
    const metrics = new MetricsSink({ attribution: ATTRIBUTION });
    await using server = await startSinkServer({ sink, metrics, host: '127.0.0.1', port: 0, grace: 0 });
    await using envoy = await startEnvoy(program, bootstrap(upstream, server.port));
    const port = await eventually('Envoy listens', () => envoy.admin.port('in'), waiting);
    const value = (name: string): Partial<Series> | undefined =>
      [...metrics.series()].find(
        (series) =>
          series.name === name &&
          series.labels.some(([, text]) => text === 'app') &&
          series.workload?.name === 'reviews',
      );
    // Counting starts with the first flush; it does not contain counters that are still unused.
    await eventually('the first flush', () => metrics.counts.messages > 0, waiting);
    for (let at = 0; at < 25; at++) await (await fetch(`http://127.0.0.1:${port}/${at}`)).arrayBuffer();
    await eventually('all are counted', () => (value('envoy_cluster_upstream_rq_total')?.value ?? 0) >= 25, {
      ...waiting,
      seen: () => value('envoy_cluster_upstream_rq_total'),
    });
    await eventually('all were timed', () => (value('envoy_cluster_upstream_rq_time')?.count ?? 0) >= 25, waiting);
    assert.is(value('envoy_cluster_upstream_rq_total')?.value, 25);
    assert.is(value('envoy_cluster_upstream_rq_time')?.count, 25);
    assert.is(value('envoy_cluster_membership_healthy')?.value, 1);
    const text = prometheusText(metrics.series());
    const labels = 'workload="reviews",namespace="bookinfo",cluster="cluster-1",envoy_cluster_name="app"';
    assert.ok(text.includes(`envoy_cluster_upstream_rq_total{${labels}} 25`), 'the metrics report it');
    assert.is(metrics.counts.brokenMessages, 0);
  });
}

test.run();
