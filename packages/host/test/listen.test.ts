/** Listen addresses. */
import { assert, test } from '@meshrelay/testing';
import { hostPort, listenAddress } from '../src/mod.ts';

test('addresses are parsed and formatted', () => {
  assert.equal(listenAddress.parse('127.0.0.1:9900'), { host: '127.0.0.1', port: 9900 });
  assert.equal(listenAddress.parse(':0'), { host: '0.0.0.0', port: 0 });
  assert.equal(listenAddress.parse('[::1]:80'), { host: '::1', port: 80 });
  for (const text of ['127.0.0.1:80', '[::1]:80', 'name.example:1'])
    assert.is(hostPort(listenAddress.parse(text)), text);
});

test('invalid addresses are rejected', () => {
  for (const text of ['', '9900', 'host', 'host:', 'host:x', 'host:65536', 'host:123456', ':-1'])
    assert.not(listenAddress.safeParse(text).success, text);
});

test.run();
