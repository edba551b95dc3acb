/** NIST PKITS paths (those without revocation) against the path rules. */
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { assert, sharedPath, test } from '@meshrelay/testing';
import { type Certificate, readCertificate } from '../../src/certificate/certificate.ts';
import { isMalformed } from '../../src/pki-error.ts';
import { findPath } from '../../src/verify/find-path.ts';

interface PkitsCase {
  readonly name: string;
  /** Trust anchor first, leaf last. */
  readonly path: readonly string[];
  readonly valid: boolean;
}

/** Cases with another decision, with the reason. All are stricter. */
const DIVERGENT: Readonly<Record<string, string>> = {
  '4.1.4 Valid DSA Signatures Test4': 'DSA is not an allowed algorithm',
  '4.6.8 Valid pathLenConstraint Test8': 'a CA is never accepted as a peer',
  '4.6.14 Valid pathLenConstraint Test14': 'a CA is never accepted as a peer',
  ...(process.versions['deno'] === undefined
    ? {}
    : { '4.3.6 Valid Name Chaining UIDs Test6': 'Deno can not read unique identifiers (deprecated since 1999)' }),
};

const NOW = new Date('2020-06-01T00:00:00Z');

function outcome(certs: Readonly<Record<string, string>>, { path }: PkitsCase): string {
  try {
    const [root, ...rest] = path.map((name) =>
      readCertificate(Uint8Array.from(Buffer.from(certs[name] ?? '', 'base64'))),
    );
    const leaf = rest.at(-1) as Certificate;
    const rules = { usage: 'client', now: NOW, leafGrace: 0, maxIntermediates: 10 } as const;
    const found = findPath(leaf, rest.slice(0, -1), [root as Certificate], rules);
    return found.ok ? 'valid' : `${found.reason}: ${found.message}`;
  } catch (error) {
    if (isMalformed(error)) return `malformed: ${error.message}`;
    throw error;
  }
}

const file = sharedPath('oracles', 'x509', 'pkits-subset.json');
if (file !== undefined) {
  const { certs, cases } = JSON.parse(readFileSync(file, 'utf8')) as {
    certs: Record<string, string>;
    cases: PkitsCase[];
  };

  test('PKITS paths have the result of NIST, except the pinned list', () => {
    assert.ok(cases.length >= 49);
    const differing = cases.filter((one) => (outcome(certs, one) === 'valid') !== one.valid);
    assert.equal(differing.map(({ name }) => name).sort(), Object.keys(DIVERGENT).sort());
  });
}

test.run();
