/** What a server may make an agent apply, and what not. */
import { Buffer } from 'node:buffer';
import { hashOf } from '@meshrelay/relay-protocol';
import { assert, test } from '@meshrelay/testing';
import { judgeOutput } from '../../src/apply/judge-output.ts';
import { output } from '../harness/cluster.ts';
import { envelope } from '../harness/relay.ts';
import { KINDS } from './outputs.ts';

const judge = (sent: Parameters<typeof judgeOutput>[0]) => judgeOutput(sent, KINDS, 'meshrelay');
const good = output('VirtualService', 'a', { hosts: ['a'] });

test('an object of a written kind with our label is wanted, without what is the cluster’s business', () => {
  const { metadata } = good;
  const foreignParts = {
    ...metadata,
    finalizers: ['x'],
    ownerReferences: [],
    uid: 'u',
    resourceVersion: '1',
    annotations: { a: 'b' },
  };
  const { wanted } = judge(envelope({ ...good, metadata: foreignParts, status: { state: 'x' } } as never));
  assert.equal(wanted?.object, { ...good, metadata: { ...metadata, annotations: { a: 'b' } } });
});

test('everything else is refused with a word and a sentence', () => {
  const mislabelled = { ...envelope(good), name: 'b' };
  const broken = Buffer.from('{"metadata":');
  const cases = [
    [envelope({ ...good, apiVersion: 'v1', kind: 'Secret' }), 'NOT_ALLOWED', 'Secret'],
    [envelope({ ...good, apiVersion: 'networking.istio.io/v1beta1' }), 'NOT_ALLOWED', 'v1beta1'],
    [mislabelled, 'MISLABELLED', 'shop/a'],
    [{ ...envelope(good), namespace: 'kube-system' }, 'MISLABELLED', 'shop/a'],
    [{ ...envelope(good), body: broken, hash: hashOf(broken) }, 'MISLABELLED', 'no JSON'],
    [{ ...envelope(good), body: Buffer.from('null') }, 'MISLABELLED', 'no JSON'],
    [envelope(output('VirtualService', 'a', {}, 'other')), 'NOT_OURS', '"other"'],
    [envelope({ ...good, metadata: { name: 'a', namespace: 'shop' } }), 'NOT_OURS', 'undefined'],
  ] as const;
  for (const [sent, code, word] of cases) {
    const { wanted, refusal } = judge(sent);
    assert.is(wanted, undefined);
    assert.is(refusal?.code, code);
    assert.match(refusal?.reason ?? '', word);
    assert.is(refusal?.hash, sent.hash);
  }
});

test.run();
