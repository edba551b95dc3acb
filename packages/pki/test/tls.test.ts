/** Issued certificates in a real mutual TLS handshake, verified by the TLS stack and then by this package. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { assert, test } from '@meshrelay/testing';
import { trustBundle, writeTrustBundle } from '../src/certificate/trust-bundle.ts';
import type { IssueResult } from '../src/issue/create-intermediate.ts';
import { createRoot } from '../src/issue/create-root.ts';
import { issueAgentCertificate } from '../src/issue/issue-agent-certificate.ts';
import { issueServerCertificate } from '../src/issue/issue-server-certificate.ts';
import type { Issued } from '../src/issue/issued.ts';
import { writePrivateKey } from '../src/key/private-key.ts';
import { createCsr } from '../src/request/create-csr.ts';
import { agentIdentity } from '../src/spiffe/agent-identity.ts';
import { trustDomain } from '../src/spiffe/spiffe-id.ts';
import { verifyPeer } from '../src/verify/verify-peer.ts';
import { rsaKey } from './test-keys.ts';

const now = new Date();
const DOMAIN = trustDomain('relay.example');
const [rootKey, otherRootKey, serverKey, agentKey] = await Promise.all([
  rsaKey('root'),
  rsaKey('other'),
  rsaKey('server'),
  rsaKey('agent'),
]);
const root = await createRoot({ commonName: 'root', trustDomain: DOMAIN, days: 1, now, key: rootKey });
const otherRoot = await createRoot({ commonName: 'other', trustDomain: DOMAIN, days: 1, now, key: otherRootKey });
const roots = trustBundle([root.certificate]);
const ca = writeTrustBundle(roots);

function issued(result: IssueResult): Issued {
  if (!result.ok) throw new Error(result.message);
  return result;
}
const csrPem = await createCsr({ key: agentKey });
const identity = agentIdentity(DOMAIN, 'c1');
const server = issued(
  await issueServerCertificate({ ca: root, key: serverKey, dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'], now }),
);
const agent = issued(await issueAgentCertificate({ ca: root, csrPem, identity, now }));
const stranger = issued(await issueAgentCertificate({ ca: otherRoot, csrPem, identity, now }));

/** The client's chain as the server received it (leaf first, DER), or why the connection failed. */
async function handshake(client: Issued): Promise<readonly Uint8Array[] | string> {
  const listener = createServer({
    cert: server.chainPem,
    key: writePrivateKey(serverKey),
    ca,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const seen = new Promise<readonly Uint8Array[] | string>((resolve) => {
    listener.once('secureConnection', (socket: TLSSocket) => {
      resolve([Uint8Array.from(socket.getPeerCertificate(true).raw)]);
      socket.end();
    });
    listener.once('tlsClientError', (error) => resolve(error.message));
  });
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername: 'localhost',
    ca,
    cert: client.chainPem,
    key: writePrivateKey(agentKey),
  });
  socket.on('error', () => undefined);
  try {
    return await seen;
  } finally {
    socket.destroy();
    await new Promise((closed) => listener.close(closed));
  }
}

// Deno's node:tls does not give a server the client certificate; grpc-js there is tested by the relay's own suite.
if (process.versions['deno'] === undefined) {
  test('an agent and a server of one root connect, and the identity is read from the received chain', async () => {
    const chain = await handshake(agent);
    assert.not.type(chain, 'string');
    const peer = verifyPeer({ purpose: 'agent', trustDomain: DOMAIN, chain, roots, now });
    assert.ok(peer.ok && peer.cluster === 'c1', JSON.stringify(peer));
  });

  test('an agent of another root is rejected', async () => {
    assert.type(await handshake(stranger), 'string');
  });
}

test('both roots issue the same identity, and only one is trusted', () => {
  const result = verifyPeer({ purpose: 'agent', trustDomain: DOMAIN, chain: stranger.chainPem, roots, now });
  assert.is(result.ok ? 'accepted' : result.reason, 'untrusted');
});

test.run();
