/** Corrupted bodies of pushed objects: accepted, rejected or unreadable, without effect on others. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { hashOf, objectFault, relayLimits } from '@meshrelay/relay-protocol';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { holdAtRandom, seedOfThisRun } from '@meshrelay/testing/random-runs';
import fc from 'fast-check';
import { decodeEnvelope } from '../../src/input/decode-envelope.ts';
import { destination, mesh, timeoutPolicy, workload } from '../support/discovered.ts';
import { envelopeOf } from '../support/envelope.ts';

/** Inputs in one run of CI. */
const INPUTS = scaledRuns(5000);
/** Milliseconds for one body of less than 64 KiB, on a busy machine. */
const TIMEOUT_MS = 2_000;

const OBJECTS: readonly KubeObject[] = [
  mesh('c1'),
  workload('c1', 'a'),
  destination('c1', 'a', 1),
  timeoutPolicy('p', 'c1'),
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'n' } } as KubeObject,
  {
    apiVersion: 'networking.istio.io/v1',
    kind: 'VirtualService',
    metadata: { name: 'a', namespace: 'b' },
    spec: { hosts: ['a'] },
  } as KubeObject,
];

/** Replacement texts: meaningful JSON, and invalid JSON. */
const PIECES = [
  '"__proto__":{"polluted":true},',
  '"constructor":{"prototype":{"polluted":true}},',
  'null',
  '1e999',
  '-0',
  '9007199254740993',
  '"\\ud800"',
  '"\\u0000"',
  '{}',
  '[]',
  '[[[[[[[[[[',
  '{"a":'.repeat(80),
  '"',
  '\\',
  '\u2028',
  '"metadata":{"name":"a"},',
  '"apiVersion":"v1",',
  'x'.repeat(5000),
] as const;

interface Attempt {
  readonly object: number;
  readonly edits: ReadonlyArray<{
    readonly at: number;
    readonly drop: number;
    readonly piece: number;
    readonly byte: number | null;
  }>;
}

const attempts: fc.Arbitrary<Attempt> = fc.record(
  {
    object: fc.nat(OBJECTS.length - 1),
    edits: fc.array(
      fc.record(
        {
          at: fc.nat(65_535),
          drop: fc.nat(12),
          piece: fc.nat(PIECES.length - 1),
          byte: fc.oneof(fc.constant(null), fc.nat(255)),
        },
        { noNullPrototype: true },
      ),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { noNullPrototype: true },
);

function spoilt(object: KubeObject, edits: Attempt['edits']): Buffer {
  let body = Buffer.from(JSON.stringify(object));
  for (const { at, drop, piece, byte } of edits) {
    const place = Math.floor((at / 65_536) * body.length);
    const put = byte === null ? Buffer.from(PIECES[piece] ?? '') : Buffer.from([byte]);
    body = Buffer.concat([body.subarray(0, place), put, body.subarray(place + drop)]);
  }
  return body;
}

const PROTOTYPE = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));

test('T8: a corrupted body is accepted, rejected or unreadable, quickly, and harms no other object', () => {
  const outcomes = new Map<string, number>();
  const limits = relayLimits();
  const property = ({ object, edits }: Attempt): void => {
    const sound = OBJECTS[object] as KubeObject;
    const body = spoilt(sound, edits);
    // The hash matches: a malicious agent computes it.
    const reported = { ...envelopeOf(sound), body, hash: hashOf(body) };
    const began = performance.now();
    const fault = objectFault(reported, limits);
    const { object: decoded, rejection, unreadable } = fault === undefined ? decodeEnvelope('c1', reported) : {};
    const took = performance.now() - began;
    if (took > TIMEOUT_MS) throw new Error(`it took ${Math.round(took)} ms`);
    const outcome = fault?.code ?? rejection?.code ?? (unreadable === undefined ? 'taken' : 'unreadable');
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    for (const reason of [fault?.reason, rejection?.reason]) assert.ok(reason !== '');
    if (decoded !== undefined) {
      const { kind, metadata } = decoded;
      assert.equal(
        [kind, metadata.name, metadata.namespace],
        [sound.kind, sound.metadata.name, sound.metadata.namespace],
      );
    }
    assert.is(({} as Record<string, unknown>)['polluted'], undefined);
    assert.is(JSON.stringify(Object.getOwnPropertyNames(Object.prototype)), PROTOTYPE);
  };
  holdAtRandom({
    what: 'spoilt bodies',
    values: attempts,
    runs: INPUTS,
    seed: seedOfThisRun(12),
    property,
    report: console.log,
  });
  console.log([...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', '));
  assert.ok((outcomes.get('taken') ?? 0) > INPUTS / 100);
  assert.ok(outcomes.size > 5, [...outcomes.keys()].join());
});

test.run();
