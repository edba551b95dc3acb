/** Gateways of users, as nobody has checked them. */
import { assert, test } from '@meshrelay/testing';
import { gateways } from '../../src/rivalry/gateway.ts';

const gateway = (servers: unknown): Parameters<typeof gateways.foundBy>[0] =>
  ({
    apiVersion: 'networking.istio.io/v1',
    kind: 'Gateway',
    metadata: { name: 'own', namespace: 'bank' },
    spec: { servers },
  }) as never;

test('a server whose port or mode cannot even be written out is none', () => {
  const unwritable = { toString: 1, valueOf: null };
  const servers = [
    { port: { number: unwritable }, hosts: ['a.example'] },
    { port: { number: 443 }, hosts: ['a.example'], tls: { mode: unwritable } },
    null,
  ];
  assert.equal(gateways.foundBy(gateway(servers)), ['Gateway port 443']);
});

test.run();
