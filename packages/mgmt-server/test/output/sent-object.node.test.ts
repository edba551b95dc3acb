/** Outputs sent to agents. Collects garbage by a flag that only Node has. */
import { Buffer } from 'node:buffer';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sha256 } from '@meshrelay/host/hash';
import type { DesiredObject } from '@meshrelay/relay-core';
import { assert, test } from '@meshrelay/testing';
import { EncodedOutput } from '../../src/output/sent-object.ts';

test('its bytes match its hash, also when they are encoded again', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let requested = 0;
  const desired: DesiredObject = {
    cluster: 'c1',
    kind: {
      group: 'networking.istio.io',
      version: 'v1',
      kind: 'DestinationRule',
      plural: 'destinationrules',
      namespaced: true,
    },
    plugin: 'istio',
    get object() {
      requested += 1;
      return {
        apiVersion: 'networking.istio.io/v1',
        kind: 'DestinationRule',
        metadata: { name: 'reviews', namespace: 'bookinfo' },
        spec: { host: 'reviews…' },
      };
    },
    sourcePolicies: [],
  };
  const sent = new EncodedOutput(desired);
  assert.is(sha256(Buffer.from(sent.body).toString()), sent.hash);
  assert.is(requested, 1, 'what is sent at once is written once');
  assert.equal(
    [sent.group, sent.version, sent.kind, sent.namespace, sent.name],
    ['networking.istio.io', 'v1', 'DestinationRule', 'bookinfo', 'reviews'],
  );
  const length = sent.body.byteLength;
  // Targets of weak references that were read in a turn are retained until it ends.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  assert.is(sent.body.byteLength, length);
  assert.is(sha256(Buffer.from(sent.body).toString()), sent.hash);
  assert.is(requested, 2);
});

test.run();
