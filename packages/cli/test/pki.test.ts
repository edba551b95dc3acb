/** `meshctl pki`: signs requests and verifies chains from files. */
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRoot, trustDomain, writeCertificates, writePrivateKey } from '@meshrelay/pki';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { addPki } from '../src/commands/pki.ts';
import { meshctlWith } from './support/run-commands.ts';
import type { Result } from './support/run-here.ts';

const meshctlPki = meshctlWith(addPki);
const DOMAIN = 'relay.meshrelay.local';
const root = await createRoot({ commonName: 'root', trustDomain: trustDomain(DOMAIN), days: 30, now: new Date() });

function folder() {
  const { path, ...rest } = temporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(join(path, name), text, { mode: 0o600 });
  write('ca.crt', writeCertificates([root.certificate]));
  write('ca.key', writePrivateKey(root.key));
  const pki = (...args: string[]): Promise<Result> =>
    meshctlPki(['pki', ...args], path, { HOME: path, KUBECONFIG: '' });
  return { path, write, pki, [Symbol.dispose]: () => rest[Symbol.dispose]() };
}

const CA = ['--ca', 'ca.crt', '--ca-key', 'ca.key'] as const;

test('a request is created, signed for an agent, and accepted for that agent only', async () => {
  using here = folder();
  const { path, write, pki } = here;
  assert.is((await pki('csr', '--key-out', 'a.key', '--out', 'a.csr')).code ?? 0, 0);
  assert.is(statSync(join(path, 'a.key')).mode & 0o777, 0o600);
  assert.match((await pki('csr', '--key-out', 'a.key', '--out', 'b.csr')).stderr, 'a.key cannot be written');
  symlinkSync(join(path, 'elsewhere'), join(path, 'link'));
  assert.match((await pki('csr', '--key-out', 'link', '--out', 'b.csr')).stderr, 'link cannot be written');

  write('a.crt', (await pki('sign', 'a.csr', ...CA, '--agent', 'c1')).stdout);
  const good = await pki('verify', 'a.crt', '--roots', 'ca.crt', '--agent', '-o', 'json');
  const { identity, cluster } = JSON.parse(good.stdout) as Record<string, string>;
  assert.equal([identity, cluster], [`spiffe://${DOMAIN}/cluster/c1/agent`, 'c1']);
  const asServer = await pki('verify', 'a.crt', '--roots', 'ca.crt', '--server', 'c1');
  assert.is(asServer.code, 2);
  assert.match(
    asServer.stdout,
    /^refused \(extended-key-usage\): .*\nIssue it with clientAuth for an agent, with serverAuth for a server\.\n$/,
  );
  const otherClusters = await pki('verify', 'a.crt', '--roots', 'ca.crt', '--agent', '--trust-domain', 'other.example');
  assert.match(otherClusters.stdout, 'refused (trust-domain)');

  write('s.crt', (await pki('sign', 'a.csr', ...CA, '--server', 'mgmt.example', '--server', '192.0.2.1')).stdout);
  for (const name of ['mgmt.example', '192.0.2.1'])
    assert.match((await pki('verify', 's.crt', '--roots', 'ca.crt', '--server', name)).stdout, `accepted: ${name}`);
  assert.is((await pki('verify', 's.crt', '--roots', 'ca.crt', '--server', 'other.example')).code, 2);
  for (const { stdout, stderr } of [good, asServer]) assert.not.match(stdout + stderr, 'PRIVATE KEY');
  assert.ok(readFileSync(join(path, 'a.key'), 'utf8').includes('PRIVATE KEY'));
});

test('input that cannot be signed or verified is rejected in one line that names it', async () => {
  using here = folder();
  const { write, pki } = here;
  await pki('csr', '--key-out', 'a.key', '--out', 'a.csr');
  write('garbage', 'x');
  for (const [args, message] of [
    [['sign', 'a.csr', ...CA], 'either --agent CLUSTER or --server NAME'],
    [['sign', 'a.csr', ...CA, '--agent', 'c1', '--server', 'x'], 'either --agent CLUSTER or --server NAME'],
    [['sign', 'a.csr', ...CA, '--agent', 'C1/../c2'], 'cluster name'],
    [['sign', 'a.csr', ...CA, '--agent', 'c1', '--days', 'many'], 'expected a number above 0'],
    [['sign', 'garbage', ...CA, '--agent', 'c1'], 'garbage: '],
    [['sign', 'none', ...CA, '--agent', 'c1'], 'none cannot be read'],
    [['sign', 'a.csr', '--ca', 'ca.crt', '--ca-key', 'a.key', '--agent', 'c1'], 'the key is not the one it certifies'],
    [['verify', 'ca.crt', '--roots', 'ca.crt'], 'either --agent or --server'],
    [['verify', 'ca.crt', '--roots', 'garbage', '--agent'], 'trust bundle'],
  ] as const) {
    const { code, stderr, stdout } = await pki(...args);
    assert.is(code, 1, args.join(' '));
    assert.match(stderr, message);
    assert.is(stdout, '');
    assert.is(stderr.trim().split('\n').length, 1);
  }
  const other = await pki('sign', 'a.csr', '--ca', 'ca.crt', '--ca-key', 'a.key', '--agent', 'c1');
  assert.match(other.stderr, 'Provide a valid CA certificate', 'and says what to do');
  assert.is((await pki('verify', 'garbage', '--roots', 'ca.crt', '--agent')).code, 2);
});

test.run();
