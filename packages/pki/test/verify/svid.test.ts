/** X.509-SVID rules against the certificates of go-spiffe's own tests. */
import { readFileSync } from 'node:fs';
import { assert, sharedPath, test } from '@meshrelay/testing';
import { parse } from 'yaml';
import { readCertificates } from '../../src/certificate/certificate.ts';
import { readSvid } from '../../src/verify/svid.ts';

interface SvidCase {
  readonly name: string;
  readonly accept: boolean;
  readonly spiffeId: string | null;
  readonly chainPem: string;
}

const file = sharedPath('oracles', 'spiffe', 'x509-svid.yaml');
if (file !== undefined) {
  const { cases } = parse(readFileSync(file, 'utf8')) as { cases: readonly SvidCase[] };
  for (const { name, accept, spiffeId, chainPem } of cases) {
    test(`${accept ? 'accepts' : 'rejects'} ${name}`, () => {
      const [leaf, ...intermediates] = readCertificates(chainPem, name, { max: 10 });
      assert.ok(leaf);
      const svid = readSvid(leaf, intermediates);
      assert.is(svid.ok, accept, JSON.stringify(svid));
      if (svid.ok) assert.is(svid.identity, spiffeId);
    });
  }
}

test.run();
