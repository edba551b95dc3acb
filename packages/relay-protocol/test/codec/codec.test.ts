/** Every message survives a round trip; on any bytes the decoder either returns a message or throws RelayError. */
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import {
  invokeRequestCodec,
  invokeResponseCodec,
  pullRequestCodec,
  pullResponseCodec,
  pushRequestCodec,
  pushResponseCodec,
  registerRequestCodec,
  renewRequestCodec,
} from '../../src/codec/codec.ts';
import { RelayError } from '../../src/errors.ts';
import { ACCESS, RELAY_SERVICE } from '../../src/grpc/service.ts';
import type {
  Ack,
  ContentRequest,
  Delta,
  Have,
  Heartbeat,
  Hello,
  InvokeRequest,
  InvokeResponse,
  PullResponse,
  VectorUpdate,
  Welcome,
} from '../../src/message.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const integer = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const small = fc.nat(0xffff);
const hash = fc.stringMatching(/^[0-9a-f]{32}$/);
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const kind = fc.record({ group: text, version: text, kind: text });
const name = { namespace: text, name: text };
const window = fc.record({ deltas: small, bytes: small });

const hello: fc.Arbitrary<Hello> = fc.record(
  {
    type: fc.constant('hello' as const),
    cluster: text,
    term: integer,
    kinds: fc.array(kind),
    capabilities: fc.array(text),
    program: text,
    window,
    failedPlugins: fc.array(text, { minLength: 1 }),
  },
  { requiredKeys: ['type', 'cluster', 'term', 'kinds', 'capabilities', 'program'] },
) as fc.Arbitrary<Hello>;
const contentRequest: fc.Arbitrary<ContentRequest> = fc.record({
  type: fc.constant('contentRequest' as const),
  kind,
  round: small,
  ask: fc.oneof(
    fc.record({ digest: bytes(16) }),
    fc.record({ buckets: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }) }),
  ),
});
const have: fc.Arbitrary<Have> = fc.record({
  type: fc.constant('have' as const),
  kind,
  round: small,
  answer: fc.oneof(
    fc.constant({ same: true as const }),
    fc.record({ bucketDigests: bytes(1024) }),
    fc.record({ entries: fc.array(fc.record({ ...name, hash })), last: fc.boolean() }),
  ),
});
const delta: fc.Arbitrary<Delta> = fc.record({
  type: fc.constant('delta' as const),
  number: integer,
  kind,
  upserts: fc.array(
    fc.record(
      {
        ...name,
        hash,
        body: fc.uint8Array(),
        part: fc.record({ total: fc.integer({ min: 1, max: 9999 }), offset: small }),
      },
      { requiredKeys: ['namespace', 'name', 'hash', 'body'] },
    ),
  ),
  deletes: fc.array(fc.record(name)),
  complete: fc.boolean(),
}) as fc.Arbitrary<Delta>;
const ack: fc.Arbitrary<Ack> = fc.record({
  type: fc.constant('ack' as const),
  number: integer,
  result: fc.constantFrom('accepted' as const, 'held' as const, 'stale' as const),
  refused: fc.array(
    fc.record({
      key: fc.record({ group: text, version: text, kind: text, ...name }),
      hash: fc.oneof(hash, fc.constant('')),
      code: text,
      reason: text,
    }),
  ),
  behind: fc.array(text),
});
const vector: fc.Arbitrary<VectorUpdate> = fc.record({
  type: fc.constant('vector' as const),
  full: fc.boolean(),
  components: fc.array(
    fc.record({
      name: text,
      version: fc.oneof(fc.constant('gone' as const), fc.record({ term: integer, seq: integer })),
    }),
  ),
  last: fc.boolean(),
});

const rejection = fc.record({
  key: fc.record({ group: text, version: text, kind: text, ...name }),
  hash,
  code: text,
  reason: text,
});
const withholding: fc.Arbitrary<Delta> = fc.record({
  type: fc.constant('delta' as const),
  number: integer,
  kind,
  upserts: fc.constant([]),
  deletes: fc.constant([]),
  complete: fc.boolean(),
  oversized: fc.array(rejection, { minLength: 1 }),
});
const resume: fc.Arbitrary<Hello> = fc.record({
  type: fc.constant('hello' as const),
  cluster: text,
  term: integer,
  kinds: fc.constant([]),
  capabilities: fc.array(text),
  program: text,
  failedPlugins: fc.array(text, { minLength: 1 }),
  resume: fc.record(
    { kinds: bytes(16), content: bytes(16), vector: bytes(16), number: fc.integer({ min: 1 }) },
    { requiredKeys: ['kinds'] },
  ),
}) as fc.Arbitrary<Hello>;
const welcome = fc.constantFrom<Welcome>(
  { type: 'welcome', capabilities: ['x'], window: { deltas: 1, bytes: 2 } },
  { type: 'welcome', capabilities: [], resumed: true, complete: true },
  { type: 'welcome', capabilities: [], sendKinds: true },
);
const move = fc.record({ type: fc.constant('move' as const), reason: text, within: small });
const heartbeat: fc.Arbitrary<Heartbeat> = fc.oneof(
  fc.record({ type: fc.constant('heartbeat' as const), answered: integer }),
  fc.record({
    type: fc.constant('heartbeat' as const),
    answered: integer,
    lags: fc.array(fc.record({ kind, entries: small, age: integer }), { minLength: 1 }),
  }),
);
const kinds = fc.record({ type: fc.constant('kinds' as const), kinds: fc.array(kind) });
const reply: fc.Arbitrary<InvokeRequest> = fc.oneof(
  fc.record({ type: fc.constant('reply' as const), id: integer, result: fc.uint8Array(), last: fc.boolean() }),
  fc.record({
    type: fc.constant('reply' as const),
    id: integer,
    result: fc.constant(new Uint8Array()),
    last: fc.constant(true),
    failure: fc.record({ code: fc.constant('RELAY_E_INTERNAL'), reason: text }),
  }),
);
const call: fc.Arbitrary<InvokeResponse> = fc.oneof(
  fc.record({
    type: fc.constant('call' as const),
    id: integer,
    method: text,
    arguments: fc.uint8Array(),
    timeout: small,
    credits: small,
  }),
  fc.record({ type: fc.constant('cancel' as const), id: integer }),
  fc.record({ type: fc.constant('grant' as const), id: integer, credits: small }),
);

function survives<T>(
  codec: { encode(message: T): Buffer; decode(bytes: Uint8Array): T },
  messages: fc.Arbitrary<T>,
): void {
  fc.assert(
    fc.property(messages, (message) => {
      assert.equal(plain(codec.decode(codec.encode(message))), plain(message));
    }),
    { numRuns: scaledRuns(60) },
  );
}

/** Byte arrays of any class are compared by content. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, one) => {
      if (typeof one === 'bigint') return `${one}n`;
      return one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one;
    }).replaceAll(
      /\{"type":"Buffer","data":\[[^\]]*\]\}/g,
      (json) => `"${Buffer.from(JSON.parse(json).data).toString('hex')}"`,
    ),
  );
}

test('every message survives a round trip', () => {
  survives(pushRequestCodec, fc.oneof(hello, resume, kinds, contentRequest, delta, withholding, heartbeat));
  survives(pushResponseCodec, fc.oneof(welcome, have, ack, move, heartbeat));
  survives(pullRequestCodec, fc.oneof(hello, resume, kinds, have, ack, heartbeat));
  survives(
    pullResponseCodec,
    fc.oneof(welcome, contentRequest, delta, withholding, vector, move) as fc.Arbitrary<PullResponse>,
  );
  survives(invokeRequestCodec, fc.oneof(hello, reply) as fc.Arbitrary<InvokeRequest>);
  survives(invokeResponseCodec, fc.oneof(welcome, call) as fc.Arbitrary<InvokeResponse>);
  survives(pushResponseCodec, fc.constant({ type: 'resync', kinds: [], reason: 'r' } as const));
  survives(registerRequestCodec, fc.record({ cluster: text, token: text, csrPem: text, program: text }));
  survives(
    renewRequestCodec,
    fc.record({ csrPem: text, expiredCertificatePem: text, challenge: fc.uint8Array(), proof: fc.uint8Array() }),
  );
});

test('a decoded body does not keep its whole message alive', () => {
  const message: Delta = {
    type: 'delta',
    number: 1,
    kind: { group: '', version: 'v1', kind: 'Service' },
    upserts: [{ namespace: 'a', name: 'b', hash: '00'.repeat(16), body: Buffer.from('{}') }],
    deletes: [],
    complete: false,
  };
  const decoded = pushRequestCodec.decode(pushRequestCodec.encode(message)) as Delta;
  assert.is(decoded.upserts[0]?.body.buffer.byteLength, 2);
});

test('arbitrary and corrupt bytes are decoded or rejected', () => {
  const attempt = (input: Uint8Array): void => {
    for (const codec of [
      pushRequestCodec,
      pushResponseCodec,
      pullRequestCodec,
      pullResponseCodec,
      registerRequestCodec,
    ]) {
      try {
        codec.decode(input);
      } catch (thrown) {
        assert.instance(thrown, RelayError);
        assert.is((thrown as RelayError).code, 'RELAY_E_PROTOCOL');
      }
    }
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), attempt), { numRuns: scaledRuns(500) });
  fc.assert(
    fc.property(fc.oneof(hello, contentRequest, delta), fc.nat(), fc.nat(255), (message, place, value) => {
      const corrupt = pushRequestCodec.encode(message as Delta);
      if (corrupt.length > 0) corrupt[place % corrupt.length] = value;
      attempt(corrupt);
    }),
    { numRuns: scaledRuns(500) },
  );
  assert.is(({} as Record<string, unknown>)['polluted'], undefined);
});

test('a message of the other direction is rejected', () => {
  const answer = pushResponseCodec.encode({ type: 'ack', number: 1, result: 'accepted', refused: [], behind: [] });
  assert.throws(
    () => pushRequestCodec.decode(answer),
    (error: RelayError) => error.code === 'RELAY_E_PROTOCOL',
  );
});

test('the service has exactly the methods of the .proto, each with an access rule', () => {
  const proto = readFileSync(new URL('../../proto/meshrelay/relay/v1/relay.proto', import.meta.url), 'utf8');
  const described = [...proto.matchAll(/^ {2}rpc (\w+)\((stream )?\w+\) returns \((stream )?\w+\);/gm)];
  assert.equal(
    described.map(([, name]) => name),
    Object.keys(RELAY_SERVICE),
  );
  for (const [, name = '', up, down] of described) {
    const method = RELAY_SERVICE[name as keyof typeof RELAY_SERVICE];
    assert.is(method.path, `/meshrelay.relay.v1.Relay/${name}`);
    assert.is(method.requestStream, up !== undefined);
    assert.is(method.responseStream, down !== undefined);
  }
  assert.equal(Object.keys(ACCESS), Object.keys(RELAY_SERVICE));
  assert.equal(
    Object.entries(ACCESS).filter(([, access]) => access !== 'cluster'),
    [
      ['Register', 'anyone'],
      ['Renew', 'holder'],
    ],
  );
});

test('deltas with large bodies survive a round trip for all lengths', () => {
  for (const length of [2_047, 2_048, 16_383, 16_384, 300_000, 2_097_151, 2_097_152]) {
    const upsert = (name: string, body: Uint8Array) => ({ namespace: 'n', name, hash: 'ab'.repeat(16), body });
    const body = new Uint8Array(length).fill(7).with(length - 1, 1);
    const large: Delta = {
      type: 'delta',
      number: Number.MAX_SAFE_INTEGER,
      kind: { group: 'g', version: 'v', kind: 'k' },
      upserts: [
        upsert('whole', body),
        { ...upsert('part', body.slice(0, 4_096)), part: { total: 9_000_000, offset: 128 } },
        upsert('empty', new Uint8Array()),
      ],
      deletes: [{ namespace: '', name: 'gone' }],
      complete: true,
      oversized: [
        { key: { group: 'g', version: 'v', kind: 'k', namespace: '', name: 'w' }, hash: '', code: 'c', reason: 'r' },
      ],
    };
    assert.equal(pushRequestCodec.decode(pushRequestCodec.encode(large)), large);
    assert.equal(pullResponseCodec.decode(pullResponseCodec.encode(large)), large);
  }
});

test('a body that is most of its message is not copied; a small one does not keep the message alive', () => {
  const body = (length: number) => new Uint8Array(length).fill(1);
  const upserts = [100_000, 1_000].map((length) => ({
    namespace: '',
    name: `n${length}`,
    hash: 'ab'.repeat(16),
    body: body(length),
  }));
  const delta: Delta = {
    type: 'delta',
    number: 1,
    kind: { group: '', version: '', kind: 'k' },
    upserts,
    deletes: [],
    complete: false,
  };
  const encoded = pushRequestCodec.encode(delta);
  const received = pushRequestCodec.decode(encoded);
  assert.ok(received.type === 'delta');
  const [large, small] = received.type === 'delta' ? received.upserts : [];
  assert.is(large?.body.buffer, encoded.buffer);
  assert.is(small?.body.buffer.byteLength, 1_000);
});

test.run();
