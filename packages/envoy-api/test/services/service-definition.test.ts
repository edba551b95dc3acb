/** Services over a real connection: paths, kinds of streams, messages in both directions. */
import { once } from 'node:events';
import * as grpc from '@grpc/grpc-js';
import { assert, test } from '@meshrelay/testing';
import { create, discovery } from '../../src/mod.ts';
import { accessLogService, aggregatedDiscoveryService, metricsService } from '../../src/services/mod.ts';

test('describes the methods that Envoy calls', () => {
  const described = Object.values({ ...aggregatedDiscoveryService, ...accessLogService, ...metricsService }).map(
    ({ path, requestStream, responseStream }) => [path, requestStream, responseStream],
  );
  assert.equal(described, [
    ['/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources', true, true],
    ['/envoy.service.discovery.v3.AggregatedDiscoveryService/DeltaAggregatedResources', true, true],
    ['/envoy.service.accesslog.v3.AccessLogService/StreamAccessLogs', true, false],
    ['/envoy.service.metrics.v3.MetricsService/StreamMetrics', true, false],
  ]);
});

test('transfers messages in both directions', async () => {
  const server = new grpc.Server();
  const { deltaAggregatedResources } = aggregatedDiscoveryService;
  const handler: grpc.handleBidiStreamingCall<discovery.DeltaDiscoveryRequest, discovery.DeltaDiscoveryResponse> = (
    call,
  ) => {
    call.on('data', ({ typeUrl, resourceNamesSubscribe }: discovery.DeltaDiscoveryRequest) => {
      call.write(create(discovery.DeltaDiscoveryResponseSchema, { typeUrl, removedResources: resourceNamesSubscribe }));
    });
    call.on('end', () => call.end());
  };
  server.addService({ deltaAggregatedResources }, { deltaAggregatedResources: handler });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  try {
    const { path, requestSerialize, responseDeserialize } = deltaAggregatedResources;
    const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
    call.write(create(discovery.DeltaDiscoveryRequestSchema, { typeUrl: 't', resourceNamesSubscribe: ['a'] }));
    const [answer] = (await once(call, 'data')) as [discovery.DeltaDiscoveryResponse];
    assert.is(answer.typeUrl, 't');
    assert.equal(answer.removedResources, ['a']);
    call.end();
    await once(call, 'status');
  } finally {
    client.close();
    server.forceShutdown();
  }
});

test.run();
