/** The service on a real server: entries arrive, and an invalid message ends only its own stream. */
import { Buffer } from 'node:buffer';
import { status } from '@grpc/grpc-js';
import { assert, eventually, test } from '@meshrelay/testing';
import { ACCESS_LOG_SERVICE } from '../../src/service/access-log-handlers.ts';
import { AccessLogSink } from '../../src/sink/access-log-sink.ts';
import { alsMessage } from '../support/als-message.ts';
import { logClient, serveLogs } from '../support/log-server.ts';
import { request, workload } from '../support/sinks.ts';

const ON_LOOPBACK = {
  cluster: 'cluster-1',
  workloadAt: (address: string) => (address === '127.0.0.1' ? workload('here') : undefined),
};
const waiting = { deadline: 60_000 };

test("the path is Envoy's", () => {
  assert.is(ACCESS_LOG_SERVICE.streamAccessLogs.path, '/envoy.service.accesslog.v3.AccessLogService/StreamAccessLogs');
});

test('entries arrive, attributed by the address of their connection', async () => {
  using sink = new AccessLogSink({ attribution: ON_LOOPBACK });
  await using server = await serveLogs(sink);
  const client = logClient(server.port);
  client.send(alsMessage([request('/a'), request('/b')], { node: 'n', logName: 'inbound' }));
  client.send(alsMessage([request('/c')]));
  client.end();
  assert.is(await client.ended, status.OK);
  const { entries } = await sink.search({});
  assert.equal(
    entries.map(({ fields, reporter }) => [fields.path, reporter.workload?.name, reporter.node.id]),
    [
      ['/a', 'here', 'n'],
      ['/b', 'here', 'n'],
      ['/c', 'here', 'n'],
    ],
  );
  assert.is(sink.counts.streams, 0);
  client.close();
});

test('an invalid message ends its stream with a reason; another stream continues', async () => {
  using sink = new AccessLogSink({ attribution: ON_LOOPBACK });
  await using server = await serveLogs(sink);
  const [bad, good] = [logClient(server.port), logClient(server.port)];
  bad.send(Buffer.from('this is no message'));
  assert.is(await bad.ended, status.INVALID_ARGUMENT);
  good.send(alsMessage([request('/good')], { node: 'n', logName: 'l' }));
  good.end();
  assert.is(await good.ended, status.OK);
  assert.is(sink.counts.brokenMessages, 1);
  assert.is(sink.counts.retained, 1);
  bad.close();
  good.close();
});

test('a broken stream frees its slot, and its entries are kept', async () => {
  using sink = new AccessLogSink({ attribution: ON_LOOPBACK, streamsPerSource: 1 });
  await using server = await serveLogs(sink);
  const client = logClient(server.port);
  client.send(alsMessage([request('/a')], { node: 'n', logName: 'l' }));
  await eventually('the entry is there', () => sink.counts.retained === 1, waiting);
  const second = logClient(server.port);
  assert.is(await second.ended, status.RESOURCE_EXHAUSTED);
  client.cancel();
  await eventually('its place is free', () => sink.counts.streams === 0, waiting);
  assert.is(sink.counts.retained, 1);
  client.close();
  second.close();
});

test.run();
