/** TLS stacks accept the simulator's own certificates. */
import { X509Certificate } from 'node:crypto';
import { assert, test } from '@meshrelay/testing';
import { createAuthority } from '../../src/certificates/certificate.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

test('a server certificate is signed by the authority and contains its names', () => {
  const authority = createAuthority('test-ca', NOW);
  const ca = new X509Certificate(authority.certificate);
  const { certificate, key } = authority.server(['localhost', '127.0.0.1']);
  const server = new X509Certificate(certificate);
  assert.is(ca.ca, true);
  assert.is(server.ca, false);
  assert.ok(server.verify(ca.publicKey));
  assert.ok(server.checkIssued(ca));
  assert.is(server.checkHost('localhost'), 'localhost');
  assert.is(server.checkIP('127.0.0.1'), '127.0.0.1');
  assert.match(key, 'BEGIN PRIVATE KEY');
});

test('a client certificate contains user and groups, and is valid around the given time', () => {
  const { certificate } = createAuthority('test-ca', NOW).client({ commonName: 'ann', organizations: ['dev', 'ops'] });
  const client = new X509Certificate(certificate);
  assert.is(client.subject, 'O=dev\nO=ops\nCN=ann');
  assert.ok(client.validFromDate.getTime() < NOW && client.validToDate.getTime() > NOW);
});

test.run();
