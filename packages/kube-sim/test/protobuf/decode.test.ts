/** Protobuf bodies decode to the client's JSON. */
import { Buffer } from 'node:buffer';
import { assert, test } from '@meshrelay/testing';
import { StatusError } from '../../src/object.ts';
import { decodeProtobuf } from '../../src/protobuf/decode.ts';

/** A length-delimited field. */
function field(number: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint((number << 3) | 2), varint(content.length), content]);
}

function count(number: number, value: number): Buffer {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest > 127 ? (rest % 128) | 0x80 : rest);
    if (rest <= 127) return Buffer.from(bytes);
  }
}

function envelope(apiVersion: string, kind: string, ...raw: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from('k8s\0'), field(1, field(1, apiVersion), field(2, kind)), field(2, ...raw)]);
}

test('a ConfigMap, without the empty values that Go writes', () => {
  const meta = field(
    1,
    field(1, 'a'),
    field(3, 'ns'),
    field(5, ''),
    field(8),
    field(11, field(1, 'app'), field(2, 'web')),
  );
  const body = envelope('v1', 'ConfigMap', meta, field(2, field(1, 'k'), field(2, 'v')));
  assert.equal(decodeProtobuf(body), {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'ns', labels: { app: 'web' } },
    data: { k: 'v' },
  });
});

test('bytes become base64', () => {
  const body = envelope('v1', 'Secret', field(1, field(1, 's')), field(2, field(1, 'k'), field(2, 'v')));
  assert.equal((decodeProtobuf(body) as { data: object }).data, { k: 'dg==' });
});

test('a count of zero is kept if it is a choice, and dropped if it means absence', () => {
  const spec = field(2, count(1, 0), count(5, 0), field(2, field(1, field(1, 'a'), field(2, 'b'))));
  const body = decodeProtobuf(envelope('apps/v1', 'Deployment', field(1, field(1, 'd')), spec));
  assert.equal((body as { spec: object }).spec, { replicas: 0, selector: { matchLabels: { a: 'b' } } });
});

test('a port by number or by name, a quantity, and a time', () => {
  const byNumber = field(1, field(1, 'x'), count(3, 80), field(4, count(1, 0), count(2, 8080)));
  const byName = field(1, field(1, 'y'), count(3, 81), field(4, count(1, 1), field(3, 'http')));
  const service = decodeProtobuf(envelope('v1', 'Service', field(2, byNumber, byName)));
  assert.equal((service as { spec: { ports: object[] } }).spec.ports, [
    { name: 'x', port: 80, targetPort: 8080 },
    { name: 'y', port: 81, targetPort: 'http' },
  ]);
  const lease = decodeProtobuf(
    envelope('coordination.k8s.io/v1', 'Lease', field(2, field(4, count(1, 1_700_000_000), count(2, 1000)))),
  );
  assert.equal((lease as { spec: object }).spec, { renewTime: '2023-11-14T22:13:20.000001Z' });
});

for (const [what, bytes] of [
  ['no envelope', Buffer.from('{"a":1}')],
  ['a kind that is not known', envelope('nope/v1', 'Nope')],
  ['a message that ends early', envelope('v1', 'ConfigMap').subarray(0, 9)],
  ['an undefined wire type', Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0b])])],
] as const)
  test(`${what} is a 400`, () => {
    try {
      decodeProtobuf(bytes);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, StatusError);
      assert.is((error as StatusError).status.code, 400);
    }
  });

test.run();
