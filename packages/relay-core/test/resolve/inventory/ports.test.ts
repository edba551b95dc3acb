/** Protocols and target ports of Services. */
import { assert, test } from '@meshrelay/testing';
import { httpPorts, portViews, targetPortOf } from '../../../src/resolve/inventory/ports.ts';

for (const [port, protocol, http] of [
  [{ port: 80, name: 'http' }, 'HTTP', true],
  [{ port: 80, name: 'HTTP-web' }, 'HTTP', true],
  [{ port: 80, name: 'httpish' }, 'AUTO', true],
  [{ port: 80, name: 'http2-x' }, 'HTTP2', true],
  [{ port: 80, name: 'grpc' }, 'GRPC', true],
  [{ port: 80, name: 'grpc-web-x' }, 'HTTP', true],
  [{ port: 443, name: 'https' }, 'HTTPS', false],
  [{ port: 80, name: 'tcp-x' }, 'TCP', false],
  [{ port: 80 }, 'AUTO', true],
  [{ port: 3306 }, 'TCP', false],
  [{ port: 53, name: 'http', protocol: 'UDP' }, 'UDP', false],
  [{ port: 80, name: 'tcp', appProtocol: 'http' }, 'HTTP', true],
  [{ port: 80, name: 'http', appProtocol: 'kubernetes.io/h2c' }, 'HTTP2', true],
  [{ port: 80, name: 'http', appProtocol: 'example.com/mine' }, 'HTTP', true],
  [{ port: 80, name: '__proto__' }, 'AUTO', true],
  [{ port: 80, name: 'http', appProtocol: 'constructor' }, 'HTTP', true],
] as const) {
  test(`${JSON.stringify(port)} has protocol ${protocol}`, () => {
    const views = portViews([port], []);
    assert.equal(
      views.map((view) => view.protocol),
      [protocol],
    );
    assert.equal(httpPorts(views), http ? views : []);
  });
}

test('Services with the same ports share one list of them', () => {
  const ports = () => portViews([{ port: 80, name: 'http' }, { port: 53 }], []);
  assert.is(ports(), ports());
  assert.is(httpPorts(ports()), httpPorts(ports()));
  assert.is.not(portViews([{ port: 80, name: 'http', targetPortNumber: 8080 }, { port: 53 }], []), ports());
});

test('a named target port has the number that its endpoints serve, the lowest if they differ', () => {
  const port = { port: 80, name: 'http', targetPortName: 'web' };
  assert.is(targetPortOf(port, []), undefined);
  const served = [9090, 8080].map((number) => ({
    endpoints: [],
    ports: [
      { port: number, name: 'http' },
      { port: 1, name: 'other' },
    ],
  }));
  assert.is(targetPortOf(port, served), 8080);
  assert.is(targetPortOf({ port: 80, name: 'http', targetPortNumber: 7 }, served), 7);
  assert.is(targetPortOf({ port: 80, name: 'http' }, served), undefined);
});

test.run();
