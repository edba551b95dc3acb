/** The applicable part of x509-limbo against the path rules: cases with an expected result for paths of every shape. */
import { readFileSync } from 'node:fs';
import { assert, sharedPath, test } from '@meshrelay/testing';
import { type Certificate, readCertificates } from '../../src/certificate/certificate.ts';
import { isMalformed } from '../../src/pki-error.ts';
import { findPath } from '../../src/verify/find-path.ts';
import { isForServer } from '../../src/verify/server-name.ts';

interface LimboCase {
  readonly id: string;
  readonly validation_kind: 'SERVER' | 'CLIENT';
  readonly trusted_certs: readonly string[];
  readonly untrusted_intermediates: readonly string[];
  readonly peer_certificate: string;
  readonly validation_time: string | null;
  readonly expected_result: 'SUCCESS' | 'FAILURE';
  readonly expected_peer_name: { readonly kind: string; readonly value: string } | null;
  readonly max_chain_depth: number | null;
}

/**
 * Cases with another decision than the corpus, each with the reason. All others must match the expected result, and
 * these must not: a case that starts to match is removed from the list.
 */
const DIVERGENT: Readonly<Record<string, string>> = {
  'pathlen::validation-ignores-pathlen-in-leaf': 'a CA is never accepted as a peer (SPIFFE X509-SVID section 4.1)',
  'rfc5280::ca-as-leaf': 'a CA is never accepted as a peer (SPIFFE X509-SVID section 4.1)',
  'rfc5280::nc::permitted-dns-match-noncritical':
    'name constraints are enforced whether critical or not, as its webpki twin expects',
  'rfc5280::aki::cross-signed-root-missing-aki':
    'pedantic: nothing is built above a trusted root, so its issuer need not be named',
  'webpki::aki::root-with-aki-authoritycertissuer':
    'CABF only: RFC 5280 allows issuer and serial in addition to the key identifier, and easy-rsa writes them',
  'webpki::aki::root-with-aki-authoritycertserialnumber': 'CABF only, as above',
  'webpki::aki::root-with-aki-all-fields': 'CABF only, as above',
  'webpki::eku::ee-anyeku': 'pedantic CABF: it has serverAuth and anyExtendedKeyUsage',
  'webpki::eku::ee-critical-eku': 'pedantic CABF: RFC 5280 allows the extension to be critical',
  'webpki::eku::ee-without-eku':
    'its rfc5280 twin expects the opposite of a path; verifyPeer demands the purpose besides',
  'webpki::eku::root-has-eku': 'pedantic CABF: a private root may restrict its purposes',
  'webpki::san::public-suffix-multi-label-wildcard-san': 'pedantic: no list of public suffixes in a private PKI',
  'webpki::san::public-suffix-private-namespace-wildcard-san': 'pedantic, as above',
  'webpki::san::san-critical-with-nonempty-subject': 'CABF only: RFC 5280 says SHOULD NOT',
};

/** Only cases about time set their own time; the corpus is valid at this one. */
const DEFAULT_TIME = '2026-01-01T00:00:00Z';

function outcome(limbo: LimboCase): string {
  try {
    const one = (pem: string): Certificate => readCertificates(pem, limbo.id, { max: 1 })[0] as Certificate;
    const leaf = one(limbo.peer_certificate);
    const found = findPath(leaf, readable(limbo.untrusted_intermediates), readable(limbo.trusted_certs), {
      usage: limbo.validation_kind === 'CLIENT' ? 'client' : 'server',
      now: new Date(limbo.validation_time ?? DEFAULT_TIME),
      leafGrace: 0,
      maxIntermediates: limbo.max_chain_depth ?? 10,
    });
    if (!found.ok) return found.reason;
    const name = limbo.expected_peer_name;
    return name === null || isForServer(leaf, name.value) ? 'SUCCESS' : 'server-name';
  } catch (error) {
    if (isMalformed(error)) return `malformed (${error.message})`;
    throw error;
  }
}

/** As a verifier reads them: an unreadable one counts as absent. */
function readable(pems: readonly string[]): readonly Certificate[] {
  return pems.flatMap((pem) => {
    try {
      return readCertificates(pem, 'intermediate', { max: 1 });
    } catch (error) {
      if (isMalformed(error)) return [];
      throw error;
    }
  });
}

const path = sharedPath('oracles', 'x509', 'limbo-subset.json');
const { testcases } = (path === undefined ? { testcases: [] } : JSON.parse(readFileSync(path, 'utf8'))) as {
  testcases: readonly LimboCase[];
};

/** The cases with another decision than the corpus, with the actual result. */
function disagreements(cases: readonly LimboCase[]): readonly string[] {
  return cases
    .filter((limbo) => (outcome(limbo) === 'SUCCESS') !== (limbo.expected_result === 'SUCCESS'))
    .map(({ id }) => id);
}

if (path !== undefined) {
  test('every case of x509-limbo outside the pinned list has the expected result', () => {
    assert.ok(testcases.length >= 165);
    assert.equal(disagreements(testcases.filter(({ id }) => !(id in DIVERGENT))), []);
  });

  test('the pinned list holds only cases that still differ', () => {
    const pinned = Object.keys(DIVERGENT);
    assert.equal([...disagreements(testcases.filter(({ id }) => id in DIVERGENT))].sort(), pinned.sort());
  });
}

test.run();
