/** Tokens of an OpenID provider, against a test provider. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assert, test } from '@meshrelay/testing';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { byOidc, type OidcOptions } from '../../../src/http/auth/by-oidc.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** A provider with one key. */
async function startProvider() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const state = { up: true, issuer: '' };
  const server = createServer((request, response) => {
    const answers: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': { issuer: state.issuer, jwks_uri: `${url}/keys` },
      '/keys': { keys: [key] },
    };
    const answer = answers[request.url ?? ''];
    response.writeHead(state.up && answer !== undefined ? 200 : 500).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.issuer = url;
  return {
    url,
    state,
    privateKey,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Provider = Awaited<ReturnType<typeof startProvider>>;

const guardOf = ({ url }: Provider, options: Partial<OidcOptions> = {}) =>
  byOidc(
    {
      issuer: url,
      audience: 'meshrelay',
      usernameClaim: 'email',
      groupsClaim: 'groups',
      allowedUsers: ['jane@example.com'],
      allowedGroups: ['sre'],
      ...options,
    },
    () => NOW,
  );

const tokenOf = (provider: Provider, claims: object = {}, key: CryptoKey = provider.privateKey): Promise<string> =>
  new SignJWT({
    iss: provider.url,
    aud: 'meshrelay',
    exp: seconds(NOW) + 600,
    email: 'jane@example.com',
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .sign(key);

test('users and groups of the lists are admitted; others are forbidden', async () => {
  await using provider = await startProvider();
  const guard = guardOf(provider);
  assert.equal(await guard(await tokenOf(provider), '/api/v1'), { admitted: true, user: 'jane@example.com' });
  const member = await tokenOf(provider, { email: 'joe@example.com', groups: ['dev', 'sre'] });
  assert.equal(await guard(member, '/api/v1'), { admitted: true, user: 'joe@example.com' });
  for (const groups of [[], ['dev'], 'sre', [{ sre: true }], undefined]) {
    const admission = await guard(await tokenOf(provider, { email: 'joe@example.com', groups }), '/api/v1');
    assert.ok(!admission.admitted && admission.reason === 'forbidden', JSON.stringify(groups));
  }
});

test('tokens of another issuer, audience or time are unknown', async () => {
  await using provider = await startProvider();
  const guard = guardOf(provider);
  const { privateKey: foreign } = await generateKeyPair('ES256');
  const claims = { iss: provider.url, aud: 'meshrelay', exp: seconds(NOW) + 600, email: 'jane@example.com' };
  const good = await tokenOf(provider);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const tokens: Readonly<Record<string, string>> = {
    'another key': await tokenOf(provider, {}, foreign),
    'another issuer': await tokenOf(provider, { iss: 'https://elsewhere.example' }),
    'another audience': await tokenOf(provider, { aud: 'grafana' }),
    'no audience': await tokenOf(provider, { aud: undefined }),
    expired: await tokenOf(provider, { exp: seconds(NOW) - 61 }),
    'without an end': await tokenOf(provider, { exp: undefined }),
    'not yet valid': await tokenOf(provider, { nbf: seconds(NOW) + 61 }),
    'no signature': new UnsecuredJWT(claims).encode(),
    'signed with a public key as a secret': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode('any secret of at least 32 bytes ....')),
    'a changed payload': `${header}.${btoa(JSON.stringify({ ...claims, email: 'root' })).replace(/=+$/, '')}.${signature}`,
    'a cut signature': `${header}.${payload}.${signature.slice(0, -4)}`,
    'no name': await tokenOf(provider, { email: undefined }),
    'an empty name': await tokenOf(provider, { email: '' }),
    'no token at all': 'abc',
  };
  for (const [what, token] of Object.entries(tokens)) {
    const admission = await guard(token, '/api/v1');
    assert.ok(!admission.admitted && admission.reason === 'unknown', what);
  }
  assert.ok((await guard(await tokenOf(provider, { exp: seconds(NOW) - 30 }), '/api/v1')).admitted, 'clocks differ');
});

test('a user with an unverified address is unknown, by name and by group', async () => {
  await using provider = await startProvider();
  const guard = guardOf(provider);
  for (const verified of [false, 'false', 'true', 0, null]) {
    const claims = { email_verified: verified, groups: ['sre'] };
    const admission = await guard(await tokenOf(provider, claims), '/api/v1');
    assert.ok(!admission.admitted && admission.reason === 'unknown', String(verified));
    assert.match(admission.message, 'email_verified');
  }
  assert.ok((await guard(await tokenOf(provider, { email_verified: true }), '/api/v1')).admitted);
  const bySub = guardOf(provider, { usernameClaim: 'sub', allowedUsers: ['jane'] });
  assert.ok((await bySub(await tokenOf(provider, { sub: 'jane', email_verified: false }), '/api/v1')).admitted);
});

test('an unreachable provider decides nothing about a token, and is called again', async () => {
  await using provider = await startProvider();
  const guard = guardOf(provider);
  const token = await tokenOf(provider);
  provider.state.up = false;
  await guard(token, '/api/v1').then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, 'answered 500'),
  );
  provider.state.up = true;
  assert.ok((await guard(token, '/api/v1')).admitted);
});

test('a discovery document of another issuer is rejected', async () => {
  await using provider = await startProvider();
  provider.state.issuer = 'https://elsewhere.example';
  await guardOf(provider)(await tokenOf(provider), '/api/v1').then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, 'is for issuer "https://elsewhere.example"'),
  );
});

test.run();
