/** Traces of applied batches and pushed deltas. */
import { type OutputBatch, type PushRequest, RelayError } from '@meshrelay/relay-protocol';
import { RecordingTracer, silentLogger, traceOf } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { tracedApplier } from '../../src/relay/traced-applier.ts';
import { tracedPush } from '../../src/relay/traced-push.ts';

test('outputs join the trace of an input from a cluster, rather than that of results that the server wrote', async () => {
  const tracer = new RecordingTracer();
  const applier = tracedApplier({ apply: () => [] }, { tracer, logger: silentLogger });
  const vector = new Map([
    ['/Ledger', { term: 90, seq: 0 }],
    ['east', { term: 3, seq: 17 }],
    ['/KubernetesCluster', { term: 91, seq: 0 }],
  ]);
  await applier.apply({ upserts: [], deletes: [], vector, since: new Map(), complete: true } as unknown as OutputBatch);
  const [span] = tracer.spans;
  assert.equal(span?.parent, traceOf('east/3/17'));
  assert.is(span?.attributes['inputs'], '/Ledger/90/0 east/3/17 /KubernetesCluster/91/0');
});

test('a delta without a response before the stream ends is a failed span', async () => {
  const tracer = new RecordingTracer();
  const delta: PushRequest = {
    type: 'delta',
    number: 4,
    kind: { group: '', version: 'v1', kind: 'Service' },
    upserts: [],
    deletes: [{ namespace: 'shop', name: 'gone' }],
    complete: true,
  };
  const messages = [delta, { ...delta, number: 5 }];
  const ended: unknown[] = [];
  const machine = tracedPush(
    {
      answered: 0,
      receive: () => undefined,
      next: () => messages.shift(),
      drive: () => undefined,
      end: (reason) => void ended.push(reason?.code),
    },
    { cluster: 'c1', term: 2, tracer },
  );
  machine.next();
  machine.next();
  assert.is(machine.next(), undefined);
  machine.receive({ type: 'ack', number: 4, result: 'accepted', refused: [], behind: [] });
  machine.end(new RelayError('RELAY_E_TIMEOUT', 'nothing was heard'));
  await eventually('both spans have ended', () => tracer.spans.length === 2);
  assert.equal(ended, ['RELAY_E_TIMEOUT']);
  assert.equal(
    tracer.spans.map(({ attributes, failed }) => [attributes['input'], attributes['deletes'], failed]),
    [
      ['c1/2/4', 1, false],
      ['c1/2/5', 1, true],
    ],
  );
});

test.run();
