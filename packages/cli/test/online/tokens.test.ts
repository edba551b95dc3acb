/** Tokens and revocation from the command line: what is printed, what is stored, and what is valid afterwards. */
import { Secrets } from '@meshrelay/kube';
import {
  CERTIFICATES_SECRET,
  CertificateRegistry,
  readCertificateBook,
  readTokenBook,
  TOKENS_SECRET,
  Token,
  writeCertificateBook,
} from '@meshrelay/pki';
import { assert, test } from '@meshrelay/testing';
import { managementCluster, NAMESPACE, type TestCluster } from '../support/clusters.ts';
import type { Result } from '../support/run-here.ts';
import { meshctlOnline } from '../support/run-online.ts';

function meshctl({ kubeconfig, folder }: TestCluster, ...args: string[]): Promise<Result> {
  return meshctlOnline([...args, '--mgmt-kubeconfig', kubeconfig], folder, { HOME: folder, KUBECONFIG: '' });
}

async function book({ connection }: TestCluster) {
  return readTokenBook((await new Secrets(connection, NAMESPACE).read(TOKENS_SECRET))?.data ?? {});
}

test('a token is created for a cluster, printed once, and stored as a hash; the previous one becomes invalid', async () => {
  await using cluster = await managementCluster();
  const first = Token.read((await meshctl(cluster, 'token', 'create', 'east')).stdout);
  const json = await meshctl(cluster, 'token', 'create', 'east', '--ttl', '10m', '--replace', '-o', 'json');
  const second = Token.read((JSON.parse(json.stdout) as { token: string }).token);
  assert.ok(first && second);
  assert.not.match(JSON.stringify(cluster.sim.snapshot()), second.reveal());
  const use = { cluster: 'east', requestHash: 'x', now: new Date() };
  assert.is((await book(cluster)).use({ ...use, token: first }).result, 'revoked');
  const result = (await book(cluster)).use({ ...use, token: second });
  assert.ok(result.result === 'ok' && result.replace);

  const { stdout } = await meshctl(cluster, 'token', 'list');
  assert.match(stdout, /ID +CLUSTER +KIND +STATE +EXPIRES/);
  assert.match(stdout, new RegExp(`${second.hash.slice(0, 12)} +east +register +open`));
  assert.match(stdout, new RegExp(`${first.hash.slice(0, 12)} +east +register +revoked`));
  assert.not.match(stdout, second.reveal());
  assert.match((await meshctl(cluster, 'token', 'list', 'west')).stdout, 'no tokens');

  assert.match(
    (await meshctl(cluster, 'token', 'revoke', second.hash.slice(0, 12))).stdout,
    '1 of the tokens was still valid',
  );
  assert.is((await book(cluster)).use({ ...use, token: second }).result, 'revoked');
});

test('a long-lived token is the identity of its cluster for ninety days, and leaves other tokens valid', async () => {
  await using cluster = await managementCluster();
  const registers = Token.read((await meshctl(cluster, 'token', 'create', 'east')).stdout);
  const identifies = Token.read((await meshctl(cluster, 'token', 'create', 'east', '--long-lived')).stdout);
  assert.ok(registers && identifies);
  const after = (days: number): Date => new Date(Date.now() + days * 86_400_000);
  const tokens = await book(cluster);
  assert.is(tokens.identify(identifies, 'east', after(89)), 'ok');
  assert.is(tokens.identify(identifies, 'east', after(91)), 'expired');
  const use = { cluster: 'east', requestHash: 'x', now: new Date() };
  assert.is(tokens.use({ ...use, token: identifies }).result, 'wrong-use');
  assert.is(tokens.use({ ...use, token: registers }).result, 'ok');
  assert.match(
    (await meshctl(cluster, 'token', 'list')).stdout,
    new RegExp(`${identifies.hash.slice(0, 12)} +east +long-lived +open`),
  );
});

test('an invalid request is reported, and changes nothing', async () => {
  await using cluster = await managementCluster();
  for (const [args, message] of [
    [['token', 'create', 'East'], 'Not a cluster name'],
    [['token', 'create', 'east', '--ttl', '48h'], 'at most 24h'],
    [['token', 'create', 'east', '--ttl', '0s'], 'is above 0 and at most'],
    [['token', 'revoke', 'east'], 'no token "east"'],
    [['token', 'revoke', '00'], 'no token "00"'],
    [['cluster', 'revoke', '../east'], 'Not a cluster name'],
  ] as const) {
    const { code, stderr } = await meshctl(cluster, ...args);
    assert.is(code, 1, args.join(' '));
    assert.match(stderr, message);
  }
  assert.equal((await book(cluster)).records, []);
});

test('a Secret without records is reported with the next action, not as an internal error', async () => {
  await using cluster = await managementCluster();
  await new Secrets(cluster.connection, NAMESPACE).create(TOKENS_SECRET, { 'records.json': '[{}]' });
  const { code, stderr } = await meshctl(cluster, 'token', 'list');
  assert.is(code, 1);
  assert.is(
    stderr,
    'error: Secret relay-tokens: records.json is not a list of token records. Delete that key to start without tokens.\n',
  );
});

test('a revoked cluster has no valid credentials, and the others keep their own', async () => {
  await using cluster = await managementCluster();
  const now = new Date();
  const facts = (letter: string) => ({
    serial: letter.repeat(8),
    keyHash: letter.repeat(64),
    notBefore: now,
    notAfter: new Date(now.getTime() + 86_400_000),
  });
  const before = new CertificateRegistry().issue('east', facts('a'), now).issue('west', facts('b'), now);
  const secrets = new Secrets(cluster.connection, NAMESPACE);
  await secrets.create(CERTIFICATES_SECRET, writeCertificateBook(before));
  const tokens = { east: '', west: '' };
  for (const name of ['east', 'west'] as const) tokens[name] = (await meshctl(cluster, 'token', 'create', name)).stdout;
  const { stdout, code } = await meshctl(cluster, 'cluster', 'revoke', 'east');
  assert.is(code, 0);
  assert.match(stdout, 'east is revoked: 1 certificate that was still valid');
  const after = readCertificateBook((await secrets.read(CERTIFICATES_SECRET))?.data);
  assert.is(after.verify('east', facts('a')), 'revoked');
  assert.is(after.verify('west', facts('b')), 'good');
  for (const [name, result] of [
    ['east', 'revoked'],
    ['west', 'ok'],
  ] as const) {
    const token = Token.read(tokens[name]);
    assert.ok(token);
    assert.is((await book(cluster)).use({ token, cluster: name, requestHash: 'x', now }).result, result);
  }
  const again = await meshctl(cluster, 'cluster', 'revoke', 'east');
  assert.is(again.code, 0, 'a second time');
  assert.match(again.stderr, 'east has no valid certificate or token and is not registered');
});

test('readmit accepts certificates that an external issuer creates after a revocation, and changes nothing else', async () => {
  await using cluster = await managementCluster();
  const secrets = new Secrets(cluster.connection, NAMESPACE);
  for (const name of ['east', 'west']) await meshctl(cluster, 'token', 'create', name);
  assert.match((await meshctl(cluster, 'cluster', 'readmit', 'east')).stdout, 'nothing to do');
  await meshctl(cluster, 'cluster', 'revoke', 'east');
  await meshctl(cluster, 'cluster', 'revoke', 'west');
  const { stdout, code } = await meshctl(cluster, 'cluster', 'readmit', 'east');
  assert.equal([code, stdout.startsWith('east is readmitted')], [0, true]);
  const book = readCertificateBook((await secrets.read(CERTIFICATES_SECRET))?.data);
  assert.equal([book.isClusterRevoked('east'), book.isClusterRevoked('west')], [false, true]);
});

test.run();
