/** Tokens never print; the registry authorises one cluster, once, until the token expires. */
import { inspect } from 'node:util';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { PkiError } from '../../src/pki-error.ts';
import { createToken, Token, tokenHash } from '../../src/token/token.ts';
import { type TokenCheckResult, TokenRegistry, type TokenUse } from '../../src/token/token-registry.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const later = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);
const [first, second] = [createToken(), createToken()];
const book = new TokenRegistry().declare(first, 'c1', later(60)).declare(second, 'c2', later(60));

const use = (from: TokenRegistry, changes: Partial<TokenUse> = {}): TokenCheckResult =>
  from.use({ token: first, cluster: 'c1', requestHash: 'r1', now: NOW, ...changes });
function bookAfter(result: TokenCheckResult): TokenRegistry {
  if (result.result !== 'ok') throw new Error(result.result);
  return result.book;
}

test('a token is 256 random bits, different each time', () => {
  const texts = new Set(Array.from({ length: 100 }, () => createToken().reveal()));
  assert.is(texts.size, 100);
  for (const text of texts) assert.match(text, /^mrt_[A-Za-z0-9_-]{43}$/);
});

test('a token prints as [redacted] however it is printed', () => {
  const secret = first.reveal().slice(4);
  const holder = { first, list: [first], map: new Map([['t', first]]), error: new Error(`no ${first}`) };
  const prints = [
    String(first),
    `${first}`,
    JSON.stringify(holder),
    inspect(first),
    inspect(holder, { depth: 9, showHidden: true }),
    `${first}x`,
    Object.entries(first).join(),
  ];
  for (const print of prints) assert.not.ok(print.includes(secret), print);
  assert.is(JSON.stringify({ first }), '{"first":"[redacted]"}');
  assert.is(inspect(first), '[redacted]');
});

test('a token is read from the text of a file; other texts are not tokens', () => {
  assert.is(Token.read(`${first.reveal()}\n`)?.hash, first.hash);
  assert.is(first.hash, tokenHash(first.reveal()));
  for (const text of [
    '',
    'mrt_',
    'password',
    first.reveal().slice(1),
    `${first.reveal()}x`,
    first.reveal().replace('mrt_', 'MRT_'),
    `${first.reveal()}\n${second.reveal()}`,
    'x'.repeat(100_000),
  ]) {
    assert.is(Token.read(text), undefined);
  }
});

test('records contain hashes and never a token', () => {
  const stored = JSON.stringify(book.records);
  assert.ok(stored.includes(first.hash));
  assert.not.ok(stored.includes(first.reveal()));
  assert.equal(new TokenRegistry(JSON.parse(stored)).records, book.records);
});

test('a token registers its cluster once', () => {
  const result = use(book);
  assert.is(result.result, 'ok');
  assert.is(use(bookAfter(result), { requestHash: 'r2' }).result, 'used');
  assert.is(use(book).result, 'ok', 'the book it was used from did not change');
});

test('a repeated request, after a lost answer, is the same use', () => {
  const once = use(book);
  const again = use(bookAfter(once), { now: later(1) });
  assert.ok(again.result === 'ok' && again.repeated);
  assert.ok(once.result === 'ok' && !once.repeated);
  assert.equal(bookAfter(again).records, bookAfter(once).records);
  assert.is(use(bookAfter(once), { now: later(60) }).result, 'expired');
});

test('a token of one cluster registers no other', () => {
  for (const cluster of ['c2', 'c', 'c11', 'C1', 'c1 ', '', 'c1\0'])
    assert.is(use(book, { cluster }).result, 'wrong-cluster', cluster);
  assert.is(use(book, { token: second }).result, 'wrong-cluster');
});

test('a token ends when it expires, and not before', () => {
  assert.is(use(book, { now: new Date(later(60).getTime() - 1) }).result, 'ok');
  assert.is(use(book, { now: later(60) }).result, 'expired');
});

test('an unknown token and an empty book authorise nothing', () => {
  assert.is(use(book, { token: createToken() }).result, 'unknown');
  assert.is(use(new TokenRegistry()).result, 'unknown');
});

test('revoking a cluster ends its tokens, used or not, and no others', () => {
  const revoked = book.revoke('c1', NOW);
  assert.is(use(revoked).result, 'revoked');
  assert.is(use(bookAfter(use(book)).revoke('c1', NOW)).result, 'revoked');
  assert.is(use(revoked, { token: second, cluster: 'c2' }).result, 'ok');
});

test('forgetting drops only expired tokens', () => {
  const mixed = book.declare(createToken(), 'c3', later(-10));
  assert.equal(mixed.forget(NOW).records, book.records);
});

test('rejects invalid records, tokens declared twice, and invalid cluster names', () => {
  const [record] = book.records;
  assert.ok(record);
  for (const wrong of [
    { ...record, hash: 'x' },
    { ...record, cluster: 'C 1' },
    { ...record, expiresAt: 'soon' },
    {},
    { ...record, hash: record.hash.toUpperCase() },
  ]) {
    assert.throws(
      () => new TokenRegistry([wrong as typeof record]),
      (error: unknown) => error instanceof PkiError,
    );
  }
  assert.throws(() => book.declare(first, 'c9', later(1)), /twice/);
  assert.throws(() => book.declare(createToken(), '../c1', later(1)), /not the name of a cluster/);
});

test('in any order of attempts, one token authorises one request of one cluster', () => {
  const attempt = fc.record({
    cluster: fc.constantFrom('c1', 'c2', 'c3'),
    requestHash: fc.constantFrom('r1', 'r2', 'r3'),
    minutes: fc.nat(120),
    which: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 30 }), (attempts) => {
      let current = book;
      const authorised = new Map<string, Set<string>>();
      for (const { cluster, requestHash, minutes, which } of attempts) {
        const token = which ? first : second;
        const result = current.use({ token, cluster, requestHash, now: later(minutes) });
        if (result.result !== 'ok') continue;
        current = result.book;
        assert.ok(minutes < 60);
        authorised.set(token.hash, (authorised.get(token.hash) ?? new Set()).add(`${cluster} ${requestHash}`));
      }
      for (const uses of authorised.values()) assert.is(uses.size, 1);
    }),
    { numRuns: scaledRuns(500) },
  );
});

test.run();
