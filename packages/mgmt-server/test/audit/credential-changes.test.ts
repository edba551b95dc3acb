/** Audited changes of credentials, from the Secrets before and after. */
import { CertificateRegistry, createToken, TokenRegistry, withTokenBook, writeCertificateBook } from '@meshrelay/pki';
import { assert, test } from '@meshrelay/testing';
import { Credentials } from '../../src/audit/credential-changes.ts';

const at = (day: number): Date => new Date(Date.parse('2030-01-01T00:00:00Z') + day * 86_400_000);

function credentials(
  tokens = new TokenRegistry(),
  certificates = new CertificateRegistry(),
  phase?: string,
): Credentials {
  return new Credentials({
    tokens: withTokenBook({}, tokens),
    certificates: writeCertificateBook(certificates),
    rotation: phase === undefined ? undefined : { phase },
  });
}

test('a token is audited when it is created, and when it is revoked before its use', () => {
  const [once, used, current] = [createToken(), createToken(), createToken()];
  const none = credentials().state;
  const made = new TokenRegistry()
    .declare(once, 'c1', at(1))
    .declare(used, 'c1', at(1))
    .declare(current, 'c2', at(90), { longLived: true });
  const reported = credentials(made).tokensSince(none);
  assert.equal(
    reported.map(({ action, cluster, tokenId }) => `${action} ${cluster} ${tokenId}`),
    [
      `token-create c1 ${once.hash.slice(0, 12)}`,
      `token-create c1 ${used.hash.slice(0, 12)}`,
      `token-create c2 ${current.hash.slice(0, 12)}`,
    ],
  );
  assert.match(reported[2]?.reason ?? '', 'an identity, until 2030-04-01');
  const { state } = credentials(made);
  assert.equal(credentials(made).tokensSince(state), []);

  const use = made.use({ token: used, cluster: 'c1', requestHash: 'x', now: at(0) });
  assert.ok(use.result === 'ok');
  const spent = credentials(use.book);
  assert.equal(spent.tokensSince(state), [], 'a registration is audited where it happens');
  const revoked = credentials(use.book.revoke('c1', at(1)));
  assert.equal(revoked.tokensSince(spent.state), [
    { action: 'token-revoke', cluster: 'c1', tokenId: once.hash.slice(0, 12) },
  ]);
  assert.equal(revoked.tokensSince(revoked.state), []);
  assert.is(revoked.tokensSince(none).length, 4, 'created and revoked between two reads');
  assert.not(JSON.stringify([revoked.state, reported]).includes(once.reveal()));
});

test('a cluster is audited when it is revoked, revoked again, and readmitted', () => {
  const facts = { serial: '01', keyHash: 'a'.repeat(64), notBefore: at(0), notAfter: at(30) };
  const first = new CertificateRegistry().issue('c1', facts, at(0));
  const since = (before: CertificateRegistry, after: CertificateRegistry): string[] =>
    credentials(undefined, after)
      .certificatesSince(credentials(undefined, before).state)
      .map(({ action, cluster }) => `${action} ${cluster}`);
  const revoked = first.revoke('c1', at(1));
  assert.equal(since(first, revoked), ['revoke c1']);
  assert.equal(since(revoked, revoked), []);
  assert.equal(since(revoked, revoked.revoke('c1', at(2))), ['revoke c1']);
  assert.equal(since(revoked, revoked.readmit('c1')), ['readmit c1']);
  assert.equal(since(revoked, revoked.supersede('c1', facts, at(2))), [], 'a registration is audited where it is made');
  assert.equal(since(first, first.supersede('c1', { ...facts, keyHash: 'b'.repeat(64) }, at(2))), []);
});

test('each phase of a rotation is audited, and its end', () => {
  const since = (before: string | undefined, after: string | undefined): string[] =>
    credentials(undefined, undefined, after)
      .rotationSince(credentials(undefined, undefined, before).state)
      .map(({ action, reason }) => `${action}: ${reason}`);
  assert.equal(since(undefined, 'distribute'), ['rotate: the rotation of the relay CA is in phase distribute']);
  assert.equal(since('distribute', 'distribute'), []);
  assert.equal(since('distribute', 'switch'), ['rotate: the rotation of the relay CA is in phase switch']);
  assert.equal(since('drop', undefined), ['rotate: the old root is removed']);
  assert.equal(since('distribute', undefined), ['rotate: undone: the previous root stays']);
});

test('the error names a Secret that cannot be read', () => {
  assert.throws(
    () => new Credentials({ tokens: undefined, certificates: { c1: 'canary' }, rotation: undefined }),
    (error: Error) => error.message.startsWith('Secret relay-certificates: c1'),
  );
});

test.run();
