/** Tracing is off by default; its spans nest, fail and propagate. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assert, test } from '@meshrelay/testing';
import { isTracingRequested, silentTracer, startTracing, traceOf } from '../src/mod.ts';

test('only the environment enables tracing', async () => {
  assert.not(isTracingRequested({}));
  assert.not(isTracingRequested({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }));
  assert.not(isTracingRequested({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }));
  assert.not(isTracingRequested({ OTEL_TRACES_EXPORTER: 'none' }));
  assert.ok(isTracingRequested({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }));
  await using tracing = await startTracing({ serviceName: 'agent', env: {} });
  assert.not(tracing.recording);
  assert.is(tracing.tracer, silentTracer);
});

test('the silent tracer runs the work and passes results and errors on', async () => {
  assert.is(
    await silentTracer.span('a.b', {}, (span) => {
      span.set({ x: 1 });
      return 7;
    }),
    7,
  );
  const failure = await silentTracer.span('a.b', {}, () => Promise.reject(new Error('no'))).catch(String);
  assert.is(failure, 'Error: no');
  assert.equal(silentTracer.carrier(), {});
});

test('spans reach a collector with their parents, attributes and errors', async () => {
  interface Spans {
    resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[];
  }
  const received: Record<string, unknown>[] = [];
  const collector = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    for (const resource of (JSON.parse(body) as Spans).resourceSpans) {
      for (const scope of resource.scopeSpans) received.push(...scope.spans);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening));
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  };
  const { default: process } = await import('node:process');
  Object.assign(process.env, env);
  const tracing = await startTracing({ serviceName: 'agent', env });
  const { tracer } = tracing;
  let carrier = {};
  await tracer.span('relay.push', { attributes: { cluster: 'c1' } }, async (span) => {
    span.set({ objects: 3 });
    await tracer.span('relay.encode', {}, () => 1);
    carrier = tracer.carrier();
  });
  await tracer.span('store.accept', { parent: traceOf('c1/3/17'), links: [carrier] }, () => 1);
  const failure = await tracer
    .span('store.put', { parent: carrier }, () => {
      throw new Error('no');
    })
    .catch(String);
  assert.is(failure, 'Error: no');
  await tracing[Symbol.asyncDispose]();
  collector.closeAllConnections();
  await new Promise((closed) => collector.close(closed));
  for (const name of Object.keys(env)) delete process.env[name];

  const named = (name: string) => received.find((span) => span['name'] === name) ?? {};
  assert.equal(received.map((span) => span['name']).sort(), [
    'relay.encode',
    'relay.push',
    'store.accept',
    'store.put',
  ]);
  const [, traceId, parentSpanId] = (traceOf('c1/3/17')['traceparent'] ?? '').split('-');
  const accept = named('store.accept');
  assert.equal([accept['traceId'], accept['parentSpanId']], [traceId, parentSpanId]);
  assert.equal(
    (accept['links'] as Array<{ spanId: string }>).map(({ spanId }) => spanId),
    [named('relay.push')['spanId']],
  );
  assert.is(named('relay.encode')['parentSpanId'], named('relay.push')['spanId']);
  assert.is(named('store.put')['parentSpanId'], named('relay.push')['spanId']);
  assert.equal((named('store.put')['status'] as { code: number }).code, 2);
  assert.match(JSON.stringify(named('relay.push')['attributes']), 'objects');
});

test('a subject has one trace everywhere', () => {
  assert.match(traceOf('c1/3/17')['traceparent'] ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  assert.equal(traceOf('c1/3/17'), traceOf('c1/3/17'));
  assert.not.equal(traceOf('c1/3/17'), traceOf('c1/3/18'));
});

test.run();
