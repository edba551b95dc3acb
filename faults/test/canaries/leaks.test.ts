/** Finds the canaries in every form in which they leaked. */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/kube-sim';
import { assert, test } from '@meshrelay/testing';
import { leaks } from '../../src/canaries/leaks.ts';
import { markersOf } from '../../src/canaries/markers.ts';
import type { Write } from '../../src/history/history.ts';

const MARKER = 'canary-0123456789abcdef0123456789abcdef';
const found = (text: string): number => leaks([MARKER], [{ name: 'a log', text }]).length;

test('a marker is found plain and in base64', () => {
  assert.is(found(`token is ${MARKER}!`), 1);
  for (const before of ['', 'a', 'ab', 'abc']) {
    assert.is(found(`data: ${Buffer.from(`${before}${MARKER} and more`).toString('base64')}`), 1, before);
  }
  assert.is(found('nothing of it'), 0);
});

test('a leak is reported without its secret', () => {
  const [reported = ''] = leaks([MARKER], [{ name: 'a log', text: MARKER }]);
  assert.is(reported, 'a log holds 1 secrets');
});

test('markers are the contents of Secrets, except certificates', () => {
  const encode = (text: string): string => Buffer.from(text).toString('base64');
  const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n';
  const data = { token: encode(MARKER), 'tls.key': encode(key), 'tls.crt': encode('certificate of all the world') };
  const write = (resource: string): Write => {
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data } as unknown as KubeObject;
    return { cluster: 'c1', at: 0, revision: 1, type: 'ADDED', group: '', resource, object, actor: undefined };
  };
  assert.equal(markersOf([write('secrets')]), [MARKER, 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC']);
  assert.equal(markersOf([write('configmaps')]), []);
});

test.run();
