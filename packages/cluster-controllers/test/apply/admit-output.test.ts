/** Which outputs of a server an agent applies, and which not. */
import { Buffer } from 'node:buffer';
import { hashOf, keepEnvelope } from '@meshrelay/relay-protocol';
import { envelope, output } from '@meshrelay/test-cluster';
import { assert, test } from '@meshrelay/testing';
import { admitOutput } from '../../src/apply/admit-output.ts';
import { KINDS, RIGHTS } from './outputs.ts';

const check = (sent: Parameters<typeof admitOutput>[0]) =>
  admitOutput(sent, { kinds: KINDS, rights: RIGHTS, owner: 'meshrelay' });
const good = output('VirtualService', 'a', { hosts: ['a'] });

test('an object of a written kind with the owner label is desired, without fields that only the cluster sets', () => {
  const { metadata } = good;
  const foreignParts = {
    ...metadata,
    finalizers: ['x'],
    ownerReferences: [],
    uid: 'u',
    resourceVersion: '1',
    annotations: { a: 'b' },
  };
  const { output: required } = check(envelope({ ...good, metadata: foreignParts, status: { state: 'x' } } as never));
  assert.equal(required?.object, { ...good, metadata: { ...metadata, annotations: { a: 'b' } } });
});

test('everything else is rejected with a code and a sentence', () => {
  const mislabelled = { ...envelope(good), name: 'b' };
  const broken = Buffer.from('{"metadata":');
  const cases = [
    [envelope({ ...good, apiVersion: 'v1', kind: 'Secret' }), 'NOT_ALLOWED', 'Secret'],
    [envelope({ ...good, apiVersion: 'networking.istio.io/v1beta1' }), 'NOT_ALLOWED', 'v1beta1'],
    [mislabelled, 'ENVELOPE_MISMATCH', 'shop/a'],
    [{ ...envelope(good), namespace: 'elsewhere' }, 'ENVELOPE_MISMATCH', 'shop/a'],
    [{ ...envelope(good), namespace: 'kube-system' }, 'NOT_ALLOWED', 'kube-system'],
    [{ ...envelope(good), body: broken, hash: hashOf(broken) }, 'ENVELOPE_MISMATCH', 'not a JSON object'],
    [{ ...envelope(good), body: Buffer.from('null') }, 'ENVELOPE_MISMATCH', 'not a JSON object'],
    [envelope(output('VirtualService', 'a', {}, 'other')), 'OTHER_OWNER', '"other"'],
    [envelope({ ...good, metadata: { name: 'a', namespace: 'shop' } }), 'OTHER_OWNER', 'undefined'],
  ] as const;
  for (const [sent, code, word] of cases) {
    const { output: required, rejection } = check(sent);
    assert.is(required, undefined);
    assert.is(rejection?.code, code);
    assert.match(rejection?.reason ?? '', word);
    assert.is(rejection?.hash, sent.hash);
  }
});

test('an object that the server wants kept is neither changed nor rejected', () => {
  assert.equal(check(keepEnvelope(envelope(good))), {});
  const otherPlace = { ...envelope(good), group: '', version: 'v1', kind: 'Secret' };
  assert.is(check(keepEnvelope(otherPlace)).rejection?.code, 'NOT_ALLOWED');
});

test('a patch is accepted only for fields that a plugin of this agent declares', () => {
  const patch = (spec: object, namespace = 'istio-system') =>
    envelope({
      apiVersion: 'agent.meshrelay.dev/v1alpha1',
      kind: 'ObjectPatch',
      metadata: { name: 'p', namespace, labels: { 'meshrelay.dev/owner': 'meshrelay' } },
      spec,
    });
  const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'istio-system', name: 'istio' };
  const spec = { object, fieldPath: 'data.mesh:yaml/trustDomainAliases', include: ['td2'] };
  assert.ok(check(patch(spec)).output);
  assert.ok(check(patch({ ...spec, object: { ...object, name: 'istio-canary' } })).output, 'of any revision');
  const cases = [
    [patch({ ...spec, fieldPath: 'data.mesh:yaml/rootNamespace' }), 'NOT_ALLOWED'],
    [patch({ ...spec, object: { ...object, name: 'coredns' } }), 'NOT_ALLOWED'],
    [patch({ ...spec, object: { ...object, apiVersion: 'v2' } }), 'NOT_ALLOWED'],
    [patch({ ...spec, object: { ...object, kind: 'Secret' } }), 'NOT_ALLOWED'],
    [patch(spec, 'elsewhere'), 'ENVELOPE_MISMATCH'],
    [patch({ object, fieldPath: spec.fieldPath }), 'ENVELOPE_MISMATCH'],
    [patch({ ...spec, set: 1 }), 'ENVELOPE_MISMATCH'],
    [patch({ ...spec, include: [1] }), 'ENVELOPE_MISMATCH'],
  ] as const;
  for (const [sent, code] of cases) assert.is(check(sent).rejection?.code, code);
});

test.run();
