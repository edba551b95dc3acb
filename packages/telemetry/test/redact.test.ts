/** No secret reaches a log line on any path. */
import { Buffer } from 'node:buffer';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import fc from 'fast-check';
import { createLogger, isSecretName, redact, redactText, redactWhole } from '../src/mod.ts';

const canary = 'cAnArY7f3e9';
const jwt = `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ${canary}.c2lnbmF0dXJl`;
const pem = `-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE${canary}\n-----END EC PRIVATE KEY-----`;

function written(log: (logger: ReturnType<typeof createLogger>) => void): string {
  let lines = '';
  log(createLogger({ name: 'test', level: 'debug', destination: { write: (line) => (lines += line) } }));
  return lines;
}

for (const name of [
  'token',
  'identityToken',
  'bearer_token',
  'key',
  'tls.key',
  'client-key-data',
  'privateKey',
  'password',
  'redis_password',
  'passphrase',
  'Authorization',
  'proxy-authorization',
  'cookie',
  'Set-Cookie',
  'secret',
  'clientSecret',
  'apiKey',
  'storeSecretKey',
  'kubeconfig',
  'credentials',
  'pfx',
]) {
  test(`the field ${name} is hidden at any depth`, () => {
    assert.ok(isSecretName(name.replace('tls.', '')));
    if (name.includes('.')) return;
    const lines = written((logger) => {
      logger.info('flat', { [name]: canary });
      logger.info('deep', { options: { list: [{ [name]: { inner: canary } }] }, map: new Map([[name, canary]]) });
      logger.with({ [name]: canary }).info('inherited');
      logger.error('thrown', { error: Object.assign(new Error('no'), { [name]: canary }) });
    });
    assert.not.match(lines, canary);
    assert.is(lines.split('[redacted]').length, 6);
  });
}

for (const name of ['secretName', 'keyId', 'tokenCount', 'publicKeyHash', 'keys', 'monkey', 'passwordless']) {
  test(`the field ${name} is shown`, () => assert.not(isSecretName(name)));
}

test('texts that look like secrets are hidden in messages, fields, error messages, stacks and causes', () => {
  const texts = [
    `the token mrt_${canary}0123456789 is not known`,
    `sent Authorization: Bearer ${canary}0123`,
    `got ${jwt}`,
    `read ${pem} from disk`,
    `read -----BEGIN RSA PRIVATE KEY-----\n${canary} cut short`,
    `dial rediss://default:${canary}@redis:6379 failed`,
  ];
  for (const text of texts) {
    const lines = written((logger) => {
      logger.info(text, { detail: text, list: [text] });
      logger.error('failed', { error: new Error(text, { cause: new TypeError(text) }) });
      logger.child(`x`, { text }).warn('child');
    });
    assert.not.match(lines, canary, text);
    assert.match(lines, 'redacted');
  }
});

test('a Secret shows only the names of its data, also in lists and in kubectl annotations', () => {
  const secret = {
    kind: 'Secret',
    metadata: {
      name: 'relay-identity',
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"data":{"a":"${canary}"}}`, plain: 'shown' },
    },
    data: { 'ca.crt': canary, other: canary },
    stringData: { other: canary },
  };
  const lines = written((logger) => {
    logger.info('one', { object: secret });
    logger.info('many', { list: { kind: 'SecretList', items: [{ ...secret, kind: undefined }] } });
    logger.info('odd', { object: { kind: 'Secret', data: canary } });
  });
  assert.not.match(lines, canary);
  assert.match(lines, 'ca.crt');
  assert.match(lines, 'shown');
  assert.match(
    written((logger) => logger.info('a', { object: { kind: 'ConfigMap', data: { shown: 'yes' } } })),
    'yes',
  );
});

test('a missing secret is distinguished from a present one', () => {
  assert.equal(redact({ token: '', password: null, secret: 'x' }), { token: '', password: null, secret: '[redacted]' });
});

test('bytes, big integers, dates, sets, cycles, functions and odd numbers give one line', () => {
  const cycle: Record<string, unknown> = {
    bytes: Buffer.from(canary),
    n: 2n ** 60n,
    at: new Date(0),
    set: new Set([1]),
  };
  cycle['self'] = cycle;
  cycle['f'] = () => canary;
  cycle['nan'] = Number.NaN;
  assert.equal(JSON.parse(written((logger) => logger.info('odd', cycle))).self, '[circular]');
  assert.equal(redact(cycle), {
    bytes: '[11 bytes]',
    n: '1152921504606846976',
    at: '1970-01-01T00:00:00.000Z',
    set: [1],
    self: '[circular]',
    nan: Number.NaN,
  });
});

test('lines are bounded', () => {
  const deep = (depth: number): unknown => (depth === 0 ? canary : { inner: deep(depth - 1) });
  const lines = written((logger) =>
    logger.info('m'.repeat(100_000), {
      text: 'x'.repeat(100_000),
      list: Array.from({ length: 10_000 }, (_, i) => i),
      fields: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, i])),
      deep: deep(40),
    }),
  );
  assert.ok(lines.length < 12_000, String(lines.length));
  assert.not.match(lines, canary);
});

test('any value gives one line of JSON, and hidden names never show their value', () => {
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true }),
      (value) => {
        const lines = written((logger) => logger.info('any', { value, token: canary }));
        assert.is(lines.split('\n').length, 2);
        JSON.parse(lines);
        assert.not.match(lines, canary);
      },
    ),
    { numRuns: scaledRuns(500) },
  );
});

test('a text without secrets stays unchanged', () => {
  const text = 'stream to https://relay:9900/path closed: code 14, user alice@example.org, basic training';
  assert.is(redactText(text), text);
});

test('a variable or header with a secret name keeps only its name', () => {
  const env = [
    { name: 'DB_PASSWORD', value: canary },
    { name: 'REGION', value: 'east' },
  ];
  assert.equal(redact({ env }), {
    env: [
      { name: 'DB_PASSWORD', value: '[redacted]' },
      { name: 'REGION', value: 'east' },
    ],
  });
});

test('a whole value is shown to its last item and depth, without its secrets', () => {
  const many = Array.from({ length: 200 }, (_, at) => ({ at }));
  let deep: object = { token: canary, text: 'x'.repeat(10_000) };
  for (let level = 0; level < 20; level += 1) deep = { deep };
  const shown = JSON.stringify(redactWhole({ many, deep, data: { kind: 'Secret', data: { a: canary } } }));
  assert.not.match(shown, canary);
  assert.match(shown, '{"at":199}');
  assert.match(shown, 'x'.repeat(10_000));
  assert.not.match(shown, /more|deeper/);
});

test.run();
