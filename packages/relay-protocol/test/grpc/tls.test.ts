/** T15: TLS settings that the relay's port and its clients reject, tested with openssl if available. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import {
  createCsr,
  createRoot,
  generateKey,
  issueServerCertificate,
  trustDomain,
  writeCertificates,
  writePrivateKey,
} from '@meshrelay/pki';
import { assert, temporaryFolder, test } from '@meshrelay/testing';
import { connectRelay } from '../../src/grpc/relay-connection.ts';
import { Authority } from './authority.ts';
import { TestServer, TOKEN } from './fixture.ts';

const authority = await Authority.create();
const stranger = await Authority.create('another root');
const csrPem = await createCsr({ key: await generateKey('agent') });
const OPENSSL = spawnSync('openssl', ['version']).status === 0;

interface Handshake {
  readonly protocol: string | undefined;
  readonly cipher: string | undefined;
  readonly alpn: string | undefined;
}

/** What openssl and the server negotiated; undefined members without agreement. */
function handshake(port: number, ...options: readonly string[]): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    const child = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, '-alpn', 'h2', ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 20_000,
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (out += text));
    child.on('error', reject);
    child.on('close', () => {
      const [, protocol, cipher] = /^New, (\S+), Cipher is (\S+)$/m.exec(out) ?? [];
      const agreed = cipher !== undefined && cipher !== '(NONE)';
      resolve({
        protocol: agreed ? protocol : undefined,
        cipher: agreed ? cipher : undefined,
        alpn: /^ALPN protocol: (\S+)$/m.exec(out)?.[1],
      });
    });
  });
}

test('T15: the server accepts TLS 1.2 and 1.3 with authenticated suites, and nothing older or weaker', async () => {
  if (!OPENSSL) return;
  await using server = await TestServer.start(authority);
  const { port } = server.relay;
  const good = await handshake(port);
  assert.equal([good.protocol, good.alpn], ['TLSv1.3', 'h2']);
  assert.is((await handshake(port, '-tls1_2')).cipher?.includes('GCM') ?? false, true);
  const refused: ReadonlyArray<readonly string[]> = [
    ['-tls1', '-cipher', 'ALL:@SECLEVEL=0'],
    ['-tls1_1', '-cipher', 'ALL:@SECLEVEL=0'],
    ['-tls1_2', '-cipher', 'NULL:@SECLEVEL=0'],
    ['-tls1_2', '-cipher', 'aNULL:@SECLEVEL=0'],
    ['-tls1_2', '-cipher', 'RC4:3DES:DES:@SECLEVEL=0'],
    ['-tls1_2', '-cipher', 'ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES256-SHA384:AES128-SHA:AES256-SHA256:@SECLEVEL=0'],
    ['-tls1_2', '-cipher', 'AES128-GCM-SHA256:AES256-GCM-SHA384'],
  ];
  for (const options of refused) {
    const { cipher } = await handshake(port, ...options);
    assert.is(cipher, undefined, `${options.join(' ')} got ${cipher}`);
  }
});

test('T15: an agent sends no byte of its token to a server with a wrong certificate', async () => {
  const now = new Date();
  const key = await generateKey('relay-server');
  const keyPem = writePrivateKey(key);
  const issue = async (ca: Authority['ca'], names: object, at = now): Promise<string> => {
    const issued = await issueServerCertificate({ ca, key, dnsNames: [], days: 5, now: at, ...names });
    if (!issued.ok) throw new Error(issued.message);
    return issued.chainPem;
  };
  const young = { ...authority.ca, certificate: { ...authority.ca.certificate, notBefore: new Date(0) } };
  const selfSigned = await createRoot({
    commonName: 'relay.test',
    trustDomain: trustDomain('relay.test'),
    days: 5,
    now,
    key,
  });
  const certificates: Record<string, string> = {
    'self-signed': writeCertificates([selfSigned.certificate]),
    'of another CA': await issue(stranger.ca, { dnsNames: ['relay.test'] }),
    'of another name': await issue(authority.ca, { dnsNames: ['other.test'] }),
    'of a name around it': await issue(authority.ca, { dnsNames: ['relay.test.evil.example', 'xrelay.test'] }),
    'with an additional wildcard': await issue(authority.ca, { dnsNames: ['*.relay.test'] }),
    expired: await issue(young, { dnsNames: ['relay.test'] }, new Date(now.getTime() - 9 * 86_400_000)),
  };
  if (OPENSSL) certificates['with a common name alone'] = commonNameOnly(keyPem);
  for (const [what, certificate] of Object.entries(certificates)) {
    let heard = '';
    const impostor = createServer({ key: keyPem, cert: certificate, ALPNProtocols: ['h2'] }, (socket) =>
      socket.on('data', (bytes) => (heard += bytes.toString('latin1'))).on('error', () => undefined),
    );
    impostor.on('tlsClientError', () => undefined);
    await listening(impostor);
    try {
      await assertRefused(portOf(impostor), what);
      assert.is(heard, '', what);
    } finally {
      await closed(impostor);
    }
  }
});

test('T15: nor to a server without TLS', async () => {
  let heard = '';
  const plain = createPlainServer((socket) => {
    socket.on('data', (bytes) => (heard += bytes.toString('latin1'))).on('error', () => undefined);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
  });
  await listening(plain);
  try {
    await assertRefused(portOf(plain), 'plaintext');
    assert.not(heard.includes(TOKEN) || heard.includes('PRI * HTTP/2.0'));
  } finally {
    await closed(plain);
  }
});

async function assertRefused(port: number, what: string): Promise<void> {
  for (const token of [undefined, TOKEN]) {
    using agent = connectRelay({
      address: `127.0.0.1:${port}`,
      authority: 'relay.test',
      roots: authority.rootsPem,
      cluster: 'c1',
      ...(token === undefined ? {} : { token }),
    });
    await agent.register({ token: TOKEN, csrPem, program: '' }, 3_000).then(
      () => assert.unreachable(what),
      (error: { code: string }) => assert.is(error.code, 'RELAY_E_UNAVAILABLE', what),
    );
  }
}

/** A certificate of the trusted CA with only a subject name: formerly such a common name was sufficient. */
function commonNameOnly(keyPem: string): string {
  using folder = temporaryFolder();
  const file = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const key = file('key', keyPem);
  const request = spawnSync('openssl', ['req', '-new', '-key', key, '-subj', '/CN=relay.test'], { encoding: 'utf8' });
  const signed = spawnSync(
    'openssl',
    [
      'x509',
      '-req',
      '-days',
      '2',
      '-CA',
      file('ca', authority.rootsPem),
      '-CAkey',
      file('cakey', writePrivateKey(authority.ca.key)),
      '-set_serial',
      '7',
      '-extfile',
      file('ext', 'extendedKeyUsage=serverAuth\n'),
    ],
    { input: request.stdout, encoding: 'utf8' },
  );
  if (signed.status !== 0) throw new Error(signed.stderr);
  return signed.stdout;
}

const open = new Set<Socket>();

function listening(server: NetServer): Promise<void> {
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

/** A rejected client may leave its connection half open; the test does not wait for it. */
function closed(server: NetServer): Promise<unknown> {
  const done = new Promise((resolve) => server.close(resolve));
  for (const socket of open) socket.destroy();
  return done;
}

function portOf(server: NetServer): number {
  return (server.address() as { port: number }).port;
}

test.run();
