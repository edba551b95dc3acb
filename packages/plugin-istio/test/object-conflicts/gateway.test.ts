/** Gateways of users, which no API server has validated. */
import { assert, test } from '@meshrelay/testing';
import { gateways } from '../../src/object-conflicts/gateway.ts';

const gateway = (servers: unknown): Parameters<typeof gateways.indexKeys>[0] =>
  ({
    apiVersion: 'networking.istio.io/v1',
    kind: 'Gateway',
    metadata: { name: 'own', namespace: 'bank' },
    spec: { servers },
  }) as never;

test('a server whose port or mode cannot be serialized is ignored', () => {
  const unwritable = { toString: 1, valueOf: null };
  const servers = [
    { port: { number: unwritable }, hosts: ['a.example'] },
    { port: { number: 443 }, hosts: ['a.example'], tls: { mode: unwritable } },
    null,
  ];
  assert.equal(gateways.indexKeys(gateway(servers)), ['Gateway port 443']);
});

const server = (port: number, host: string, mode?: string) => ({
  port: { number: port },
  hosts: [host],
  ...(mode === undefined ? {} : { tls: { mode } }),
});

function effectOf(selector: object, unmanaged: { readonly selector: object; readonly servers: readonly object[] }) {
  const servers = [server(15443, '*.svc.c1.global', 'AUTO_PASSTHROUGH')];
  const managed = { ...gateway(servers), spec: { selector, servers } };
  return gateways.detect(managed as never, { ...gateway([]), spec: unmanaged } as never, [])?.effect;
}

test('servers of one host on one port of one gateway conflict, whichever selector is wider', () => {
  const [narrow, wide, other] = [{ istio: 'edge', tier: 'front' }, { istio: 'edge' }, { istio: 'inner' }];
  const clashing = [server(15443, '*.global', 'SIMPLE')];
  for (const [own, their] of [
    [wide, wide],
    [wide, narrow],
    [narrow, wide],
  ] as const)
    assert.is(effectOf(own, { selector: their, servers: clashing }), 'notApplied');
  for (const their of [other, { tier: 'back' }])
    assert.is(effectOf(narrow, { selector: their, servers: clashing }), undefined);
});

test('servers of another port or host do not conflict, and identical servers get info only', () => {
  const detect = (...servers: readonly object[]) =>
    effectOf({ istio: 'edge' }, { selector: { istio: 'edge' }, servers });
  assert.is(detect(server(443, '*', 'SIMPLE'), server(15443, 'shop.example', 'SIMPLE')), undefined);
  assert.is(detect(server(15443, 'a.svc.c1.global.example', 'SIMPLE')), undefined);
  assert.is(detect(server(15443, '*.svc.c2.global', 'SIMPLE')), undefined);
  for (const host of ['*', '*.c1.global', 'team/*.svc.c1.global', 'a.shop.svc.c1.global'])
    assert.is(detect(server(15443, host, 'SIMPLE')), 'notApplied', host);
  assert.is(detect(server(15443, '*.global', 'AUTO_PASSTHROUGH')), 'info');
  assert.is(detect(server(15443, '*.global')), 'notApplied', 'no TLS at all');
});

test.run();
