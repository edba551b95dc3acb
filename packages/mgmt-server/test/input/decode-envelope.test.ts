/** Each object that an agent pushes is checked. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import type { ObjectEnvelope } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { decodeEnvelope } from '../../src/input/decode-envelope.ts';
import { destination, kubernetesCluster, mesh, timeoutPolicy, workload } from '../support/discovered.ts';
import { envelopeOf } from '../support/envelope.ts';

const code = (envelope: ObjectEnvelope): string | undefined => decodeEnvelope('c1', envelope).rejection?.code;
const withBody = (envelope: ObjectEnvelope, text: string): ObjectEnvelope => ({ ...envelope, body: Buffer.from(text) });
const native = (spec: unknown, kind = 'VirtualService'): KubeObject => ({
  apiVersion: 'networking.istio.io/v1',
  kind,
  metadata: { name: 'a', namespace: 'b' },
  spec,
});

test('discovered objects of the cluster, its policies and native objects are accepted', () => {
  const good = [
    mesh('c1'),
    workload('c1', 'a'),
    destination('c1', 'a', 1),
    timeoutPolicy('p', 'c9'),
    native({ hosts: ['a'] }),
    { ...native({ proxies: [] }, 'XdsConfig'), apiVersion: 'agent.meshrelay.dev/v1alpha1' },
    // The server writes it, and the agent reports it: the returned object is not a fault.
    { ...native({ hosts: [] }, 'IssuedCertificate'), apiVersion: 'certificates.meshrelay.dev/v1alpha1' },
  ];
  for (const object of good) {
    const { object: decoded, rejection } = decodeEnvelope('c1', envelopeOf(object));
    assert.is(rejection, undefined);
    assert.equal(decoded, object);
  }
});

test('a policy with an invalid schema counts as present and unreadable', () => {
  const broken = { ...timeoutPolicy('p', 'c1'), spec: { policy: { requestTimeout: 7 } } } as unknown as KubeObject;
  const { object, rejection, unreadable } = decodeEnvelope('c1', envelopeOf(broken));
  assert.is(object, undefined);
  assert.is(rejection, undefined);
  assert.is(unreadable?.raw.metadata.name, 'p');
  assert.match(unreadable?.problems[0]?.message ?? '', 'spec.policy.requestTimeout must be a duration');
  assert.is(code(envelopeOf({ ...mesh('c1'), spec: 7 } as unknown as KubeObject)), 'INVALID_SCHEMA');
});

test('T1: an object that names another cluster is rejected, however similar the name', () => {
  for (const name of ['c2', 'c1x', 'C1', 'c', ''])
    for (const object of [mesh(name), workload(name, 'a'), destination(name, 'a', 1)])
      assert.ok(
        ['CLUSTER_MISMATCH', 'INVALID_SCHEMA'].includes(code(envelopeOf(object)) ?? ''),
        `${object.kind} of "${name}"`,
      );
});

test('the registry, the settings and the ledger are not accepted from a cluster', () => {
  assert.is(code(envelopeOf(kubernetesCluster('c3'))), 'KIND_NOT_ACCEPTED');
  for (const kind of ['Settings', 'Ledger', 'OutputLedger'])
    assert.is(
      code(envelopeOf({ ...mesh('c1'), apiVersion: 'admin.meshrelay.dev/v1alpha1', kind })),
      'KIND_NOT_ACCEPTED',
    );
});

test('Secrets have a name and a hash only', () => {
  const secret = envelopeOf({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'n' }, spec: {} });
  const named = { ...secret, body: Buffer.alloc(0) };
  assert.equal(decodeEnvelope('c1', named), {});
  const { rejection } = decodeEnvelope('c1', withBody(secret, '{"data":{"password":"aHVudGVyMg=="}}'));
  assert.is(rejection?.code, 'SECRET_DATA');
  assert.not.match(rejection?.reason ?? '', 'aHVudGVyMg');
});

test('bodies that do not match the envelope are rejected', () => {
  const good = envelopeOf(mesh('c1'));
  assert.is(code(withBody(good, '{')), 'INVALID_JSON');
  assert.is(code(withBody(good, '[]')), 'ENVELOPE_MISMATCH');
  assert.is(code(withBody(good, 'null')), 'ENVELOPE_MISMATCH');
  assert.is(
    code(withBody(good, '{"apiVersion":"discovery.meshrelay.dev/v1alpha1","kind":"Mesh"}')),
    'ENVELOPE_MISMATCH',
  );
  assert.is(
    code(withBody(good, '{"apiVersion":"discovery.meshrelay.dev/v1alpha1","kind":"Mesh","metadata":null}')),
    'ENVELOPE_MISMATCH',
  );
  assert.is(code({ ...good, name: 'other' }), 'ENVELOPE_MISMATCH');
  assert.is(code({ ...good, namespace: 'other' }), 'ENVELOPE_MISMATCH');
  assert.is(code({ ...good, kind: 'Workload' }), 'ENVELOPE_MISMATCH');
  assert.is(code(envelopeOf({ ...mesh('c1'), spec: { type: 3 } })), 'INVALID_SCHEMA');
});

test('decoding a body does not change unrelated objects', () => {
  const text = JSON.stringify(native('HERE')).replace('"HERE"', '{"__proto__":{"polluted":true}}');
  decodeEnvelope('c1', withBody(envelopeOf(native({})), text));
  assert.is(({} as { polluted?: boolean }).polluted, undefined);
});

test.run();
