/**
 * Access logs are exported to the configured destinations as they arrive, and entries that cannot be delivered are
 * counted.
 */
import type { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { ConfigError, loadConfig } from '@meshrelay/host';
import { silentLogger } from '@meshrelay/telemetry';
import { labelledPod, TestCluster } from '@meshrelay/test-cluster';
import { assert, eventually, temporaryFolder, test } from '@meshrelay/testing';
import type { LogExportConfig } from '../../../src/config/log-export.ts';
import { LogExports } from '../../../src/data-plane/access-log/log-exports.ts';
import { AGENT_FIELDS, agentConfig } from '../../../src/mod.ts';
import { register, startReplica } from '../../harness/agents.ts';
import { loggingReplica, logMessage } from '../../harness/logging-replica.ts';
import { TestAuthority, TestRelay } from '../../harness/relay.ts';

const WITHIN = { deadline: 120_000 };
const NEEDED = ['--relay.serverAddress=relay.example.com:9900', '--relay.cluster=c1'];

function configured(...argv: readonly string[]): LogExportConfig {
  const given = [...NEEDED, ...argv.map((one) => `--accessLogs.export.${one}`)];
  return loadConfig(agentConfig, { argv: given, env: {}, fields: AGENT_FIELDS }).accessLogs.export;
}

/** A collector: the requests it received, and its response. */
async function collector(status = 200) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      bodies.push(body);
      response.statusCode = status;
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const linesOf = (path: string): ReadonlyArray<Record<string, unknown>> =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('nothing is exported unless it is configured', async () => {
  await using exports = new LogExports(loggingReplica('agent-0').sink, configured(), silentLogger);
  assert.equal(exports.running, []);
});

test('entries go to a file and to a collector, with workload and cluster; at the end all waiting entries are written', async () => {
  using folder = temporaryFolder();
  await using taking = await collector();
  const path = join(folder.path, 'access.log');
  const { sink, send } = loggingReplica('agent-0');
  const exports = new LogExports(sink, configured(`file.path=${path}`, `otlp.url=${taking.url}`), silentLogger);
  send({ path: '/a' }, { path: '/b', status: 503 });
  await exports[Symbol.asyncDispose]();
  assert.equal(
    linesOf(path).map((line) => [line['path'], line['status']]),
    [
      ['/a', 200],
      ['/b', 503],
    ],
  );
  const sent = taking.bodies.join();
  for (const what of ['/a', '/b', 'productpage', 'cluster-1']) assert.match(sent, what);
  assert.equal(
    exports.running.map(({ name, counts: { delivered, lost, dropped } }) => [name, delivered, lost, dropped]),
    [
      ['file', 2, 0, 0],
      ['otlp', 2, 0, 0],
    ],
  );
});

test('entries that a collector always rejects are dropped and counted, and do not block other destinations', async () => {
  using folder = temporaryFolder();
  await using refusing = await collector(400);
  const path = join(folder.path, 'access.log');
  const { sink, send } = loggingReplica('agent-0');
  await using exports = new LogExports(sink, configured(`file.path=${path}`, `otlp.url=${refusing.url}`), silentLogger);
  send({ path: '/a' });
  const counts = () => exports.running.map(({ counts: { delivered, dropped } }) => [delivered, dropped]);
  const isSo = () =>
    JSON.stringify(counts()) ===
    JSON.stringify([
      [1, 0],
      [0, 1],
    ]);
  await eventually('one is delivered, the other given up', isSo, { ...WITHIN, seen: counts });
});

test('errors name invalid settings, and no password gets into the configuration', () => {
  for (const [field, problem] of [
    ['otlp.url=collector:4318', /accessLogs\.export\.otlp\.url: expected the URL of a collector/],
    ['otlp.url=http://me:secret@collector:4318/v1/logs', /expected a URL without a user and a password/],
    ['queue=0', /accessLogs\.export\.queue/],
    ['stdout=maybe', /accessLogs\.export\.stdout/],
  ] as const) {
    try {
      configured(field);
      assert.unreachable(field);
    } catch (error) {
      assert.instance(error, ConfigError);
      assert.match((error as Error).message, problem);
      assert.not.match((error as Error).message, 'secret');
    }
  }
  assert.is(configured('stdout=true').stdout, true);
  assert.is(configured('stdout=false').stdout, false);
});

test('a replica exports what proxies send it, and counts it', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'access.log');
  await using cluster = await TestCluster.start({ objects: [labelledPod()] });
  const authority = await TestAuthority.create();
  await using relay = await TestRelay.start(authority);
  register(cluster, relay, authority);
  await using agent = await startReplica(cluster, relay, { fields: { 'accessLogs.export.file.path': path } });
  const client = new grpc.Client(`127.0.0.1:${agent.dataPlanePort}`, grpc.credentials.createInsecure());
  const same = (bytes: Buffer): Buffer => bytes;
  const method = '/envoy.service.accesslog.v3.AccessLogService/StreamAccessLogs';
  const logs = client.makeClientStreamRequest(method, same, same, () => {});
  logs.on('error', () => {});
  logs.write(logMessage([{ path: '/handed-on' }]));
  const counted = async (): Promise<string> =>
    (await (await fetch(`http://127.0.0.1:${agent.statsPort}/metrics`)).text())
      .split('\n')
      .filter((line) => line.includes('access_log_exported_total{'))
      .join('\n');
  const isCounted = async () => /exporter="file",result="delivered"\} 1$/m.test(await counted());
  await eventually('it is counted', isCounted, { ...WITHIN, seen: counted });
  assert.equal(
    linesOf(path).map((line) => line['path']),
    ['/handed-on'],
  );
  logs.cancel();
  client.close();
});

test.run();
