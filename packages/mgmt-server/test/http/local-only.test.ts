/** Local addresses and Host headers. */
import { assert, test } from '@meshrelay/testing';
import { isLocalHostHeader, isLoopback } from '../../src/http/local-only.ts';

test('loopback addresses', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) assert.ok(isLoopback(host), host);
  for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example', 'localhost.example', '', '::ffff:10.0.0.1'])
    assert.not(isLoopback(host), host);
});

test('Host headers', () => {
  for (const host of ['localhost', 'LOCALHOST:8090', '127.0.0.1:1', '[::1]', '[::1]:8090'])
    assert.ok(isLocalHostHeader(host), host);
  for (const host of [
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1@evil.example',
    'localhost:x',
    '[::1',
    '[::2]:80',
    'localhost:8090:1',
  ])
    assert.not(isLocalHostHeader(host), String(host));
});

test.run();
