/** The port for proxies: it receives what they send, attributes it and responds. */
import * as grpc from '@grpc/grpc-js';
import type { KubeObject } from '@meshrelay/api';
import { accessLogService as als, messageFromJson } from '@meshrelay/envoy-api';
import { accessLogService, aggregatedDiscoveryService } from '@meshrelay/envoy-api/services';
import { silentLogger } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { seenPod } from '../../src/data-plane/attribution/seen-pod.ts';
import { DataPlane } from '../../src/data-plane/data-plane.ts';
import { listenFor } from '../../src/data-plane/listen.ts';

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
const WITHIN = { deadline: 60_000 };
const here = { name: 'reviews', namespace: 'bookinfo', cluster: 'cluster-1' };

async function listening() {
  const plane = new DataPlane('cluster-1');
  plane.pods.upsert(seenPod(POD));
  const refused: string[] = [];
  const server = await listenFor(plane, {
    listen: { host: '127.0.0.1', port: 0 },
    logger: silentLogger,
    onRefused: (reason) => refused.push(reason),
  });
  return { plane, server, refused, url: `http://127.0.0.1:${server.port}` };
}

const entry = (path: string) => ({
  common_properties: { duration: '0.012s', upstream_cluster: 'inbound|9080||', start_time: '2026-01-01T00:00:00Z' },
  request: { request_method: 'GET', path },
  response: { response_code: 200 },
});

test('T25: access logs are stored for the pod they come from, whatever its proxy claims, and counted by the edge between workloads', async () => {
  const { plane, server, url } = await listening();
  await using _ = server;
  const client = new grpc.Client(`127.0.0.1:${server.port}`, grpc.credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = accessLogService.streamAccessLogs;
  const logs = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, () => {});
  logs.on('error', () => {});
  logs.write(
    messageFromJson(als.StreamAccessLogsMessageSchema, {
      identifier: { node: { id: 'i claim to be the bank', cluster: 'bank' }, log_name: 'inbound' },
      http_logs: { log_entry: [entry('/a'), entry('/b')] },
    }),
  );
  await eventually('they are there', () => plane.sink.counts.retained === 2, WITHIN);
  const { entries } = await plane.sink.search({});
  assert.equal(
    entries.map(({ fields, reporter }) => [fields.path, reporter.workload]),
    [
      ['/a', here],
      ['/b', here],
    ],
  );
  const response = await fetch(`${url}/metrics`, { headers: { connection: 'close' } });
  const text = await response.text();
  assert.match(text, /meshrelay_edge_requests_total\{.*destination_workload="reviews".*code="2xx"\} 2/);
  logs.cancel();
  client.close();
});

test('there is one page, and a request changes nothing', async () => {
  const { server, url } = await listening();
  await using _ = server;
  const status = async (path: string, method = 'GET') =>
    (await fetch(`${url}${path}`, { method, headers: { connection: 'close' } })).status;
  assert.equal(
    [await status('/metrics?x'), await status('/metrics', 'POST'), await status('/'), await status('/logs')],
    [200, 405, 404, 404],
  );
});

test('a call with more than 16 KiB of headers is rejected', async () => {
  const { server } = await listening();
  await using _ = server;
  const client = new grpc.Client(`127.0.0.1:${server.port}`, grpc.credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = accessLogService.streamAccessLogs;
  const codeOf = (size: number) => {
    const metadata = new grpc.Metadata();
    metadata.set('x-large', 'y'.repeat(size));
    return new Promise<number>((resolve) => {
      const logs = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, metadata, (error) =>
        resolve(error?.code ?? grpc.status.OK),
      );
      logs.on('error', () => {});
      logs.end();
    });
  };
  assert.equal([await codeOf(15_000), await codeOf(16_384)], [grpc.status.OK, grpc.status.RESOURCE_EXHAUSTED]);
  client.close();
});

test('configuration is not served without TLS', async () => {
  const { server } = await listening();
  await using _ = server;
  const client = new grpc.Client(`127.0.0.1:${server.port}`, grpc.credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = aggregatedDiscoveryService.deltaAggregatedResources;
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
  const code = await new Promise((resolve) => call.on('error', (error: grpc.ServiceError) => resolve(error.code)));
  assert.is(code, grpc.status.UNIMPLEMENTED);
  client.close();
});

test.run();
