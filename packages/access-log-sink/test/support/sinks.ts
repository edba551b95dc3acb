/** Sinks for tests: pods with addresses, and proxies that send. */
import type { Buffer } from 'node:buffer';
import type { Attribution, WorkloadRef } from '../../src/attribution/reporter.ts';
import { AccessLogSink, type SinkOptions } from '../../src/sink/access-log-sink.ts';
import { alsMessage, type SomeFields } from './als-message.ts';

export const CLUSTER = 'cluster-1';

export const workload = (name: string): WorkloadRef => ({ name, namespace: 'bookinfo', cluster: CLUSTER });

/** `productpage` has 10.0.0.1 and `reviews` 10.0.0.2; each runs under a SPIFFE id of its name. */
export const ATTRIBUTION: Attribution = {
  cluster: CLUSTER,
  workloadAt: (address) => ({ '10.0.0.1': workload('productpage'), '10.0.0.2': workload('reviews') })[address],
  workloadOf: (principal) => {
    const name = /^spiffe:\/\/td\/ns\/bookinfo\/sa\/(.+)$/.exec(principal)?.[1];
    return name === undefined ? undefined : workload(name);
  },
};

export interface TestSink {
  readonly sink: AccessLogSink;
  /** Sends a message on the stream of this address; the first call opens the stream. */
  send(address: string, entries: readonly SomeFields[], logName?: string): void;
  sendBytes(address: string, bytes: Buffer): void;
  close(address: string): void;
}

/** A sink whose clock does not advance unless `now` is given. */
export function testSink(options: Partial<SinkOptions> = {}): TestSink {
  const sink = new AccessLogSink({ attribution: ATTRIBUTION, now: () => 0, ...options });
  const streams = new Map<string, ReturnType<AccessLogSink['openStream']>>();
  const stream = (address: string) => {
    const open = streams.get(address) ?? sink.openStream(`${address}:40000`);
    streams.set(address, open);
    if (open === undefined) throw new Error('refused');
    return open;
  };
  return {
    sink,
    send(address, entries, logName = 'inbound') {
      const first = !streams.has(address);
      stream(address).take(alsMessage(entries, first ? { node: `node-${address}`, logName } : undefined));
    },
    sendBytes: (address, bytes) => stream(address).take(bytes),
    close(address) {
      streams.get(address)?.close();
      streams.delete(address);
    },
  };
}

/** A request that ended with a status. */
export const request = (path: string, status = 200, more: Partial<SomeFields> = {}): SomeFields => ({
  kind: 'http',
  method: 'GET',
  path,
  status,
  startTime: 1_795_300_000_000,
  ...more,
});
