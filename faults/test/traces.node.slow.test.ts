/**
 * A change is traced across processes: one agent's push, the server's acceptance and another agent's apply are in one
 * trace at the user's collector.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assert, eventually, test } from '@meshrelay/testing';
import { FaultFleet } from '../src/fleet/fault-fleet.ts';
import { WHOLE } from '../src/fleet/plans.ts';
import { SHORT } from '../src/fleet/scale.ts';
import { guest } from '../src/trial/guest-service.ts';
import { Trial } from '../src/trial/trial.ts';

/** OTLP's fields of a span, as JSON, and of its producer. */
interface Export {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: ReadonlyArray<{ key: string; value: { stringValue?: string } }> };
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<{ traceId: string; name: string }> }>;
  }>;
}

/** Receives traces as OpenTelemetry's exporters send them: by trace, `program span`. */
class Collector implements AsyncDisposable {
  readonly traces = new Map<string, Set<string>>();
  readonly #server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') this.#take(JSON.parse(Buffer.concat(chunks).toString()) as Export);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** One trace that contains all of these. */
  find(...spans: readonly RegExp[]): string | undefined {
    const isWhole = (seen: Set<string>): boolean => spans.every((span) => [...seen].some((one) => span.test(one)));
    return [...this.traces].find(([, seen]) => isWhole(seen))?.[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  #take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const program = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const { traceId, name } of scopeSpans.flatMap(({ spans }) => spans))
        this.traces.set(traceId, (this.traces.get(traceId) ?? new Set()).add(`${program} ${name}`));
    }
  }
}

test('a Service that gets another port in one cluster: pushed, accepted and applied in another, in one trace', async () => {
  await using collector = new Collector();
  const url = await collector.listen();
  const env = (program: string): Readonly<Record<string, string>> => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: program,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  });
  const { signal } = new AbortController();
  await using fleet = await FaultFleet.start({ ...WHOLE, env }, SHORT, signal);
  const newcomer = guest(new Trial(fleet, signal), 'newcomer');
  newcomer.arrive();
  await eventually('it is known in the other cluster', () => newcomer.isKnownToPeers(), { deadline: 120_000 });
  await fleet.settled(signal);
  // Changes that first needed decisions of the server are in the traces of those decisions. From here on a single input
  // is the only difference.
  collector.traces.clear();
  const { objects } = fleet.cluster('cluster-1').sim;
  const edit = (port: number): void => {
    const service = objects.get({ apiVersion: 'v1', kind: 'Service', namespace: 'bookshop', name: 'newcomer' });
    if (service === undefined) throw new Error('the newcomer has gone');
    const spec = service['spec'] as { readonly ports: readonly object[] };
    objects.update({ ...service, spec: { ...spec, ports: [...spec.ports, { name: `http-${port}`, port }] } });
  };
  const traced = (): Promise<string> =>
    eventually(
      'one trace has all three',
      () =>
        collector.find(
          /^agent-cluster-1\S* push\.delta$/,
          /^mgmt-server-0 store\.accept$/,
          /^agent-cluster-2\S* apply\.outputs$/,
        ),
      { deadline: 30_000, seen: () => [...collector.traces.values()].map((seen) => [...seen].join()) },
    );
  // Changes that are committed together are applied in one trace, possibly that of another change that the clusters
  // sent at that moment.
  for (let port = 9081; ; port++) {
    edit(port);
    try {
      assert.match(await traced(), /^[0-9a-f]{32}$/);
      return;
    } catch (error) {
      if (port === 9085) throw error;
    }
  }
});

test.run();
