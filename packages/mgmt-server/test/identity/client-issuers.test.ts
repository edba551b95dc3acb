/** Certificates of other issuers: the exact rules that map them to clusters. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTrustBundle, trustBundle } from '@meshrelay/pki';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { serverConfig } from '../../src/config/config.ts';
import { type ClientIssuer, mapClient } from '../../src/identity/client-issuers.ts';
import { nameOf, OtherIssuer } from '../support/other-issuer.ts';

const corp = await OtherIssuer.create();
const east = await corp.certificate('east');
const OPENSSL = spawnSync('openssl', ['version']).status === 0;

const issuer = (pem: string, clusters: Readonly<Record<string, string>>): ClientIssuer => ({
  secretName: 'corp-ca',
  trusted: readTrustBundle(pem),
  clusters: new Map(Object.entries(clusters)),
});

function outcome(issuers: readonly ClientIssuer[], pem: string): string {
  const mapped = mapClient(issuers, pem, new Date());
  return 'refused' in mapped ? mapped.refused : mapped.cluster;
}

test('a certificate maps to the cluster of the rule with its exact name, and to no other', () => {
  const name = `uri ${nameOf('east')}`;
  assert.is(outcome([issuer(corp.pem, { [name]: 'c1' })], east.certificate), 'c1');
  const others = [
    name.toUpperCase(),
    `${name}/`,
    name.slice(0, -1),
    name.replace('uri', 'dnsName'),
    'uri spiffe://corp.example/*',
  ];
  for (const other of others)
    assert.match(
      outcome([issuer(corp.pem, { [other]: 'c1' })], east.certificate),
      'no rule of relay.clientIdentity is for "uri spi',
    );
});

test('a rule applies to its own issuer; names without a trusted issuer are ignored', async () => {
  const stranger = await OtherIssuer.create('corp root');
  const name = `uri ${nameOf('east')}`;
  assert.match(outcome([issuer(stranger.pem, { [name]: 'c1' })], east.certificate), 'no trusted root');
  const both = [issuer(stranger.pem, { [name]: 'c1' }), issuer(corp.pem, { 'uri spiffe://corp.example/x': 'c2' })];
  assert.match(outcome(both, east.certificate), 'no rule', 'the rule is for another issuer of the same name');
  assert.match(
    outcome([{ ...issuer(corp.pem, { [name]: 'c1' }), trusted: trustBundle([]) }], east.certificate),
    'no trusted root',
  );
  assert.match(outcome([issuer(corp.pem, { [name]: 'c1' })], 'canary'), 'PEM');
});

test('one issuer below a root is trusted without its siblings, and trusting the root does not imply its intermediates', async () => {
  const [clients, siblings] = [await corp.below(), await corp.below()];
  const certificate = (await clients.certificate('east')).certificate;
  const rules = { [`uri ${nameOf('east')}`]: 'c1' };
  assert.is(outcome([issuer(clients.pem, rules)], certificate), 'c1');
  assert.match(outcome([issuer(siblings.pem, rules)], certificate), 'no trusted root');
  // The handshake sends only the leaf to the relay.
  const [leaf = ''] = certificate.split(/(?<=-----END CERTIFICATE-----\n)/);
  assert.match(outcome([issuer(corp.pem, rules)], leaf), 'no trusted root');
  assert.is(outcome([issuer(corp.pem + clients.pem, rules)], leaf), 'c1');
});

test('a certificate that rules map to two clusters maps to neither', () => {
  const name = `uri ${nameOf('east')}`;
  const issuers = [issuer(corp.pem, { [name]: 'c2' }), issuer(corp.pem, { [name]: 'c1' })];
  assert.match(outcome(issuers, east.certificate), 'maps the certificate to several clusters (c1, c2)');
  const same = [issuer(corp.pem, { [name]: 'c1' }), issuer(corp.pem, { [name]: 'c1' })];
  assert.is(outcome(same, east.certificate), 'c1');
});

test('certificates of other tools: by common name or DNS name, for clients only', () => {
  if (!OPENSSL) return;
  using folder = temporaryFolder();
  const file = (name: string): string => join(folder.path, name);
  const openssl = (...options: string[]): void => {
    const { status, stderr } = spawnSync('openssl', options, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const ca = ['-subj', '/O=corp/CN=corp ec root', '-keyout', file('ca.key'), '-out', file('ca.crt')];
  openssl('req', '-x509', ...key, ...ca, '-days', '2', '-addext', 'keyUsage=critical,keyCertSign');
  const made = (subject: string, extensions: string): string => {
    openssl('req', ...key, '-subj', subject, '-keyout', file('leaf.key'), '-out', file('leaf.csr'));
    writeFileSync(file('ext'), `authorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n${extensions}`);
    const signer = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '1'];
    openssl('x509', '-req', '-in', file('leaf.csr'), ...signer, '-extfile', file('ext'), '-out', file('leaf.crt'));
    return readFileSync(file('leaf.crt'), 'utf8');
  };
  const issuers = [
    issuer(readFileSync(file('ca.crt'), 'utf8'), { 'commonName Agent of East': 'c1', 'dnsName west.example': 'c2' }),
  ];
  const client = 'extendedKeyUsage=clientAuth\nkeyUsage=critical,digitalSignature';
  assert.is(outcome(issuers, made('/O=corp/CN=Agent of East', client)), 'c1');
  assert.is(outcome(issuers, made('/O=corp', `${client}\nsubjectAltName=DNS:west.example,DNS:other.example`)), 'c2');
  assert.match(outcome(issuers, made('/O=corp/CN=agent of east', client)), 'no rule');
  assert.match(outcome(issuers, made('/O=corp/CN=west.example', client)), 'no rule', 'a common name is not a DNS name');
  assert.match(
    outcome(issuers, made('/CN=Agent of East', `${client}\nsubjectAltName=DNS:west.example`)),
    'several clusters',
  );
  assert.match(outcome(issuers, made('/CN=Agent of East', 'extendedKeyUsage=serverAuth')), 'not for TLS clients');
  assert.match(outcome(issuers, made('/CN=Agent of East', 'keyUsage=digitalSignature')), 'clientAuth is missing');
});

test('invalid rules are rejected when the configuration is read', () => {
  const problems = (...clientIdentity: readonly object[]): string => {
    const { error } = serverConfig.safeParse({ relay: { clientIdentity } });
    return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  };
  const of = (...clusters: readonly object[]): object => ({ caSecretName: 'corp-ca', clusters });
  assert.is(
    problems(of({ cluster: 'c1', uri: 'spiffe://corp/east' }, { cluster: 'c1', commonName: 'Agent of East' })),
    '',
  );
  assert.match(problems(of({ cluster: 'c1' })), 'exactly one of uri, dnsName and commonName');
  assert.match(problems(of({ cluster: 'c1', uri: 'spiffe://a', dnsName: 'a' })), 'exactly one of');
  assert.match(problems(of({ cluster: 'C1', uri: 'spiffe://a' })), 'the name of a KubernetesCluster');
  assert.match(problems(of({ cluster: 'c1', dnsName: '*.corp.example' })), 'without a wildcard');
  assert.match(problems(of({ cluster: 'c1', dnsName: 'East.corp' })), 'lower case');
  assert.match(problems(of({ cluster: 'c1', commonName: 'a\u0000b' })), 'exactly as in the subject');
  assert.match(problems(of()), 'at least one cluster');
  assert.match(
    problems(of({ cluster: 'c1', dnsName: 'east' }, { cluster: 'c2', dnsName: 'east' })),
    'relay.clientIdentity.0.clusters.1: dnsName east stands twice',
  );
  assert.match(
    problems(of({ cluster: 'c1', dnsName: 'a' }), of({ cluster: 'c2', dnsName: 'b' })),
    'merge its clusters',
  );
  assert.match(
    problems(of({ cluster: 'c2', uri: 'spiffe://relay.meshrelay.local/cluster/c1/agent' })),
    'is the trust domain of the relay',
  );
});

test.run();
