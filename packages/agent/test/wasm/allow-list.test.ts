/** Which hosts and addresses the agent may call for modules (T26). */
import { assert, test } from '@meshrelay/testing';
import { AllowList, entryProblem } from '../../src/wasm/fetch/allow-list.ts';
import { isPublicAddress, unmapped } from '../../src/wasm/fetch/special-addresses.ts';

for (const address of [
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:169.254.169.254',
  '64:ff9b::7f00:1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2001:0:1::1',
])
  test(`${address} is not a public address`, () => assert.not(isPublicAddress(address)));

for (const address of [
  '1.1.1.1',
  '172.32.0.1',
  '192.167.255.255',
  '2606:4700::1111',
  '::ffff:1.1.1.1',
  '::ffff:101:101',
])
  test(`${address} is a public address`, () => assert.ok(isPublicAddress(address)));

test('an IPv4-mapped IPv6 address is treated as IPv4', () => {
  assert.is(unmapped('::ffff:7f00:1'), '127.0.0.1');
  assert.is(unmapped('::FFFF:10.1.2.3'), '10.1.2.3');
  assert.is(unmapped('2606:4700::1111'), '2606:4700::1111');
});

const allows = (entries: readonly string[], url: string): boolean =>
  new AllowList(entries).urlProblem(new URL(url)) === undefined;

test('a host is allowed only with the exact listed name, scheme and port', () => {
  const list = [
    'modules.example.com',
    'registry.example.com:5000',
    '*.cdn.example.com',
    'http://plain.example.com',
    'http://127.0.0.1:8080',
    '[2001:db8::1]:8443',
  ];
  for (const url of [
    'https://modules.example.com/a',
    'https://MODULES.example.com./a',
    'https://modules.example.com:443/a',
    'https://registry.example.com:5000/v2/',
    'https://a.b.cdn.example.com/',
    'http://plain.example.com/',
    'http://127.0.0.1:8080/',
    'http://2130706433:8080/',
    'https://[2001:db8::1]:8443/',
  ])
    assert.ok(allows(list, url), url);
  for (const url of [
    'http://modules.example.com/a',
    'https://modules.example.com:8443/a',
    'https://registry.example.com/',
    'https://cdn.example.com/',
    'https://evil-cdn.example.com/',
    'https://modules.example.com.evil.org/',
    'https://plain.example.com/',
    'http://127.0.0.1/',
    'http://127.0.0.2:8080/',
    'ftp://modules.example.com/',
    'file:///etc/passwd',
  ])
    assert.not(allows(list, url), url);
});

test('a star allows every name with TLS, and no address', () => {
  assert.ok(allows(['*'], 'https://anything.example.org/'));
  for (const url of [
    'http://anything.example.org/',
    'https://anything.example.org:8443/',
    'https://1.1.1.1/',
    'https://[::1]/',
  ])
    assert.not(allows(['*'], url), url);
  assert.not(allows([], 'https://anything.example.org/'));
});

test('non-public addresses are called only if the list has them', () => {
  const problem = (entries: readonly string[], address: string) =>
    new AllowList(entries).addressProblem('registry.infra', address);
  assert.is(problem([], '1.1.1.1'), undefined);
  for (const address of ['127.0.0.1', '169.254.169.254', '10.1.2.3', '::1', '::ffff:10.1.2.3', 'fd00::1']) {
    assert.match(
      problem(['*', 'registry.infra'], address) ?? '',
      /not a public address; to allow it, add .* to wasm\.hosts/,
    );
    assert.match(problem(['192.168.0.0/16'], address) ?? '', /not a public address/);
  }
  assert.is(problem(['10.1.0.0/16'], '10.1.2.3'), undefined);
  assert.is(problem(['10.1.0.0/16'], '::ffff:10.1.2.3'), undefined);
  assert.is(problem(['fd00::/8'], 'fd00::1'), undefined);
  assert.is(problem(['http://127.0.0.1:8080'], '127.0.0.1'), undefined, 'an address that is a host is listed itself');
});

test('an invalid entry is reported', () => {
  for (const entry of [
    'modules.example.com',
    '*',
    '*.a.b',
    'http://a:80',
    '10.0.0.0/8',
    'fd00::/8',
    '[::1]:443',
    '127.0.0.1',
  ])
    assert.is(entryProblem(entry), undefined, entry);
  for (const entry of ['', 'https://a/b', 'ftp://a', 'a b', '10.0.0.0/33', 'a:99999', 'a*', '[zz]:1', 'user@a'])
    assert.match(entryProblem(entry) ?? '', /expected a host/, entry);
});

test.run();
