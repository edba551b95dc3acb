/**
 * Mutated frames within a session: the relay accepts them or rejects them with a reason, and other sessions continue.
 */
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { holdAtRandom, seedOfThisRun } from '@meshrelay/testing/random-runs';
import fc from 'fast-check';
import { CAPABILITIES } from '../../src/capabilities.ts';
import {
  type Codec,
  invokeRequestCodec,
  invokeResponseCodec,
  pullRequestCodec,
  pullResponseCodec,
  pushRequestCodec,
  pushResponseCodec,
} from '../../src/codec/codec.ts';
import { RelayError } from '../../src/errors.ts';
import { InvokeCaller } from '../../src/invoke/invoke-caller.ts';
import { InvokeResponder } from '../../src/invoke/invoke-responder.ts';
import type { RelayMessage } from '../../src/message.ts';
import { ContentIndex } from '../../src/object/content-index.ts';
import { ObjectTable } from '../../src/object/object-table.ts';
import { DesiredOutputs } from '../../src/stream/desired-outputs.ts';
import type { StreamMachine } from '../../src/stream/machine.ts';
import { PullReceiver } from '../../src/stream/pull-receiver.ts';
import { PullSender } from '../../src/stream/pull-sender.ts';
import { PushReceiver } from '../../src/stream/push-receiver.ts';
import { PushSender, Sequence } from '../../src/stream/push-sender.ts';
import { TestFixture } from '../fixture.ts';
import { envelope, KINDS, keyOf } from '../link.ts';
import { type Corruption, corruptions, spoil } from './bytes.ts';
import { alter } from './fields.ts';

/** Inputs in one CI run. */
const INPUTS = scaledRuns(5000);
/** Milliseconds for one frame of less than 64 KiB, on a busy machine. */
const TIMEOUT_MS = 2_000;

type Machine = StreamMachine<never, RelayMessage>;
interface Lane {
  readonly from: Machine;
  readonly to: Machine;
  readonly codec: Codec<RelayMessage>;
}

/** All three streams of one agent, after some messages. */
function session(steps: number): { readonly lanes: readonly Lane[]; readonly fixture: TestFixture } {
  const table = new ObjectTable();
  const fixture = new TestFixture();
  for (let at = 0; at < 6; at++) table.upsert(envelope(keyOf(at, `n${at}`), 'x', at * 100));
  for (const kind of KINDS) table.markSynced(kind);
  const outputs = new DesiredOutputs();
  const upserts = [0, 1].map((at) => envelope(keyOf(at, `o${at}`), 'x', 700));
  outputs.commit({ vector: new Map([['c', { term: 1, seq: 1 }]]), upserts, complete: true });
  const head = { cluster: 'c1', capabilities: CAPABILITIES, limits: { messageBytes: 1024, windowDeltas: 4 } };
  const contentIndex = new ContentIndex();
  const caller = new InvokeCaller({ cluster: 'c1', after: () => () => undefined });
  const handlers = { 'agent.state': { read: () => ({}), run: () => ({}) as never } };
  const pairs: Array<readonly [unknown, unknown, unknown, unknown]> = [
    [
      new PushSender({ ...head, sequence: new Sequence(1), table, kinds: KINDS }),
      new PushReceiver({ ...head, contentIndex, sink: { accept: (batch) => fixture.take(batch) } }),
      pushRequestCodec,
      pushResponseCodec,
    ],
    [
      new PullReceiver({
        ...head,
        term: 1,
        kinds: KINDS,
        contentIndex: new ContentIndex(),
        applied: new Map(),
        applier: { apply: (batch) => new TestFixture().take(batch) },
      }),
      new PullSender({ ...head, outputs }),
      pullRequestCodec,
      pullResponseCodec,
    ],
    [
      new InvokeResponder({ cluster: 'c1', term: 1, handlers, after: () => () => undefined }),
      caller,
      invokeRequestCodec,
      invokeResponseCodec,
    ],
  ];
  const lanes = pairs.flatMap(([agent, server, up, down]): Lane[] => [
    { from: agent as Machine, to: server as Machine, codec: up as Codec<RelayMessage> },
    { from: server as Machine, to: agent as Machine, codec: down as Codec<RelayMessage> },
  ]);
  const driver = { ready: () => undefined, fail: () => undefined };
  for (const { from } of lanes) from.drive(driver);
  for (let step = 0; step < steps; step++) for (const lane of lanes) pass(lane);
  caller.ask('agent.state', {}, { timeout: 1000 }).catch(() => undefined);
  return { lanes, fixture };
}

/** @returns the bytes sent over the lane */
function pass({ from, to, codec }: Lane): Uint8Array | undefined {
  const message = from.next();
  if (message === undefined) return undefined;
  const bytes = codec.encode(message);
  to.receive(codec.decode(bytes) as never);
  return bytes;
}

/** The bytes of each lane in a whole session. */
function samplesOf(): Uint8Array[][] {
  const { lanes } = session(0);
  const samples = lanes.map((): Uint8Array[] => []);
  for (let step = 0; step < 40; step++)
    lanes.forEach((lane, at) => {
      const bytes = pass(lane);
      if (bytes !== undefined) samples[at]?.push(bytes);
    });
  return samples;
}

interface Attempt {
  readonly steps: number;
  readonly lane: number;
  /** Index of the mutated message. */
  readonly sample: number;
  readonly corruptions: readonly Corruption[];
  /** Fields to replace; if any, the bytes are not mutated. */
  readonly fields: ReadonlyArray<{ readonly at: number; readonly value: number }>;
  /** Bytes of any length instead of a message. */
  readonly noise: Uint8Array | null;
}

const attempts: fc.Arbitrary<Attempt> = fc.record(
  {
    steps: fc.nat(7),
    lane: fc.nat(5),
    sample: fc.nat(99),
    corruptions,
    fields: fc.array(fc.record({ at: fc.nat(60), value: fc.nat(255) }, { noNullPrototype: true }), { maxLength: 3 }),
    noise: fc.oneof(
      { weight: 7, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    ),
  },
  { noNullPrototype: true },
);

const PROTOTYPE = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));

test('T8: a mutated frame is accepted or rejected with a reason, quickly, and affects no other session', () => {
  const outcomes = new Map<string, number>();
  const other = session(40);
  const before = other.fixture.content();
  const samples = samplesOf();
  const property = ({ steps, lane: chosen, sample, corruptions: list, fields, noise }: Attempt): void => {
    const { lanes } = session(steps);
    const lane = lanes[chosen % lanes.length] as Lane;
    const messages = samples[chosen % lanes.length] ?? [];
    const sound = messages[sample % messages.length] ?? new Uint8Array();
    const made = fields.length === 0 ? spoil(sound, list) : lane.codec.encode(alter(lane.codec.decode(sound), fields));
    const bytes = noise ?? made;
    const began = performance.now();
    let outcome = 'taken';
    try {
      lane.to.receive(lane.codec.decode(bytes) as never);
      for (let step = 0; step < 4; step++) for (const each of lanes) pass(each);
    } catch (thrown) {
      if (!(thrown instanceof RelayError)) throw thrown;
      outcome = thrown.code;
      if (thrown.message === '' || thrown.code === 'RELAY_E_INTERNAL') throw thrown;
    }
    const took = performance.now() - began;
    if (took > TIMEOUT_MS) throw new Error(`it took ${Math.round(took)} ms`);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    assert.is(({} as Record<string, unknown>)['polluted'], undefined);
    assert.is(JSON.stringify(Object.getOwnPropertyNames(Object.prototype)), PROTOTYPE);
    for (const { from } of lanes) from.end();
  };
  holdAtRandom({
    what: 'spoilt frames',
    values: attempts,
    runs: INPUTS,
    seed: seedOfThisRun(11),
    property,
    report: console.log,
  });
  console.log([...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', '));
  assert.equal(other.fixture.content(), before);
  assert.ok((outcomes.get('RELAY_E_PROTOCOL') ?? 0) > INPUTS / 20);
  assert.ok((outcomes.get('taken') ?? 0) > INPUTS / 20);
});

test.run();
