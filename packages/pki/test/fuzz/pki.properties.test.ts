/**
 * Requests, certificates and PEM from untrusted sources are parsed, or rejected with a reason: no other error, no hang,
 * no changed prototype (T4, T5).
 */
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { assert, scaledRuns, test } from '@meshrelay/testing';
import { holdAtRandom, seedOfThisRun } from '@meshrelay/testing/random-runs';
import fc from 'fast-check';
import { readDer } from '../../src/asn1/der-node.ts';
import { readCertificate, writeCertificates } from '../../src/certificate/certificate.ts';
import { trustBundle } from '../../src/certificate/trust-bundle.ts';
import { createRoot } from '../../src/issue/create-root.ts';
import { issueAgentCertificate } from '../../src/issue/issue-agent-certificate.ts';
import { readPem, readPemDer, writePem } from '../../src/pem.ts';
import { PkiError } from '../../src/pki-error.ts';
import { createCsr } from '../../src/request/create-csr.ts';
import { readCsr } from '../../src/request/read-csr.ts';
import { agentIdentity } from '../../src/spiffe/agent-identity.ts';
import { trustDomain } from '../../src/spiffe/spiffe-id.ts';
import { verifyPeer } from '../../src/verify/verify-peer.ts';
import { rsaKey } from '../test-keys.ts';

/** Inputs of each kind in one CI run. */
const RUNS = scaledRuns(5000);
const LIMITS = { maxLength: 64 * 1024, maxBlocks: 8 } as const;
/**
 * Milliseconds of this process' own CPU time: the maximum for all inputs but one in a thousand, as in T5, and the
 * maximum for all. Other load of the machine does not count.
 */
const USUAL = 50;
const LONGEST = 1_000;

const now = new Date('2030-01-01T00:00:00Z');
const DOMAIN = trustDomain('relay.test');
const identity = agentIdentity(DOMAIN, 'c1');
const ca = await createRoot({ commonName: 'r', trustDomain: DOMAIN, days: 30, now, key: await rsaKey('root', 3072) });
const csrPem = await createCsr({ key: await rsaKey('agent'), uri: identity });
const issued = await issueAgentCertificate({ ca, csrPem, identity, now });
if (!issued.ok) throw new Error(issued.message);
const csrDer = readPemDer(csrPem, 'CERTIFICATE REQUEST', 'test', LIMITS)[0] ?? new Uint8Array();
const roots = trustBundle([ca.certificate]);

/** Valid bytes after mutations: flipped bits, repeated, omitted or moved parts, wrong lengths, endless nesting. */
function bent(sound: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const edit = fc.record({
    kind: fc.constantFrom('flip', 'cut', 'repeat', 'insert', 'length', 'nest', 'tail'),
    at: fc.nat(10_000),
    size: fc.nat(64),
    bytes: fc.uint8Array({ maxLength: 24 }),
  });
  return fc
    .record({ start: fc.constantFrom(...sound), edits: fc.array(edit, { minLength: 1, maxLength: 6 }) })
    .map(({ start, edits }) =>
      edits.reduce((der: Uint8Array, { kind, at, size, bytes }) => {
        const place = der.length === 0 ? 0 : at % der.length;
        const [before, after] = [der.subarray(0, place), der.subarray(place)];
        if (kind === 'flip')
          return Uint8Array.from(der, (octet, index) => (index === place ? octet ^ (1 << (size % 8)) : octet));
        if (kind === 'cut') return Buffer.concat([before, after.subarray(size)]);
        if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, size), after]);
        if (kind === 'insert') return Buffer.concat([before, bytes, after]);
        if (kind === 'length') return Buffer.concat([before, Buffer.from([0x84, ...bytes.subarray(0, 4)]), after]);
        if (kind === 'tail') return Buffer.concat([der, bytes]);
        return Buffer.concat([...Array.from({ length: 1 + size }, () => Buffer.from([0x30, 0x80])), der]);
      }, start),
    );
}

const labels = fc.constantFrom('CERTIFICATE', 'CERTIFICATE REQUEST', 'X509 CRL', 'RSA PRIVATE KEY', '__proto__', '');
const sound = [csrDer, issued.certificate.der, ca.certificate.der];
const anyBytes = fc.oneof(
  { weight: 6, arbitrary: bent(sound) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }) },
);

/** Text around and inside PEM blocks, as in operators' files and attacks. */
const anyPem: fc.Arbitrary<string> = fc
  .record({
    blocks: fc.array(fc.tuple(labels, anyBytes), { maxLength: 4 }),
    noise: fc.array(
      fc.constantFrom(
        '\uFEFF',
        '\r\n',
        '\n\n',
        '-----',
        '-----BEGIN ',
        '-----END CERTIFICATE-----',
        ' ',
        '\0',
        '=',
        'a'.repeat(300),
        'Proc-Type: 4,ENCRYPTED\n',
      ),
      { maxLength: 5 },
    ),
    at: fc.array(fc.nat(4_000), { minLength: 5, maxLength: 5 }),
  })
  .map(({ blocks, noise, at }) => {
    const text = blocks.map(([label, der]) => writePem(label, der)).join('');
    return noise.reduce((whole, part, index) => {
      const place = (at[index] ?? 0) % (whole.length + 1);
      return whole.slice(0, place) + part + whole.slice(place);
    }, text);
  });

/** Milliseconds per input. */
const took: number[] = [];

/** Runs a function that must return or throw a PkiError, in time. */
function verified<T>(work: () => T): T | undefined {
  const began = process.cpuUsage();
  try {
    return work();
  } catch (error) {
    assert.instance(error, PkiError, error instanceof Error ? error.stack : String(error));
    return undefined;
  } finally {
    const { user, system } = process.cpuUsage(began);
    took.push((user + system) / 1000);
    assert.ok((took.at(-1) ?? 0) < LONGEST, `it took ${took.at(-1)} ms`);
    assert.equal(Object.keys(Object.prototype), []);
    assert.is(({} as Record<string, unknown>)['polluted'], undefined);
  }
}

const report = (line: string): void =>
  void process.stdout.write(`${line}
`);

test('T5: DER and certificates from untrusted sources', () => {
  holdAtRandom({
    what: 'DER',
    values: anyBytes,
    runs: RUNS,
    seed: seedOfThisRun(0),
    report: report,
    property: (der) => {
      verified(() => readDer(der, 'fuzzed'));
      verified(() => readCertificate(der));
      const result = verified(() =>
        verifyPeer({ purpose: 'agent', trustDomain: DOMAIN, chain: [der, ca.certificate.der], roots, now }),
      );
      assert.ok(result !== undefined, 'judging a peer never throws');
      // Only the signed certificate itself may be accepted.
      if (result.ok) assert.equal(Buffer.from(der), Buffer.from(issued.certificate.der));
    },
  });
});

test('T4: signing requests from untrusted sources', () => {
  holdAtRandom({
    what: 'requests',
    values: fc.oneof(
      { weight: 5, arbitrary: bent([csrDer]).map((der) => writePem('CERTIFICATE REQUEST', der)) },
      { weight: 1, arbitrary: anyPem },
    ),
    runs: RUNS,
    seed: seedOfThisRun(1),
    report: report,
    property: (pem) => {
      const result = verified(() => readCsr(pem));
      assert.ok(result !== undefined, 'judging a request never throws');
      // An accepted request is signed by its own key, and there is one such request here.
      if (result.ok) assert.equal(Buffer.from(result.publicKey.der), Buffer.from(issued.certificate.publicKey.der));
    },
  });
});

test('T5: PEM from untrusted sources', () => {
  holdAtRandom({
    what: 'PEM',
    values: anyPem,
    runs: RUNS,
    seed: seedOfThisRun(2),
    report: report,
    property: (pem) => {
      verified(() => readPem(pem, 'fuzzed', LIMITS));
      verified(() => readPem(pem, 'fuzzed', { ...LIMITS, allowText: true }));
      const result = verified(() => verifyPeer({ purpose: 'agent', trustDomain: DOMAIN, chain: pem, roots, now }));
      assert.ok(result !== undefined, 'judging a peer never throws');
      if (result.ok) assert.is(result.identity, identity);
    },
  });
});

test('T5: hardly any input takes long', () => {
  assert.ok(took.length > 3 * RUNS, `${took.length} were timed`);
  const sorted = took.toSorted((one, other) => one - other);
  const at = sorted[Math.floor(sorted.length * 0.999)] ?? 0;
  assert.ok(at < USUAL, `one in a thousand takes ${at} ms`);
});

test('valid input passes, so the properties above are meaningful', () => {
  assert.ok(readCsr(csrPem).ok);
  const chain = writeCertificates([issued.certificate]);
  assert.ok(verifyPeer({ purpose: 'agent', trustDomain: DOMAIN, chain, roots, now }).ok);
});

test.run();
