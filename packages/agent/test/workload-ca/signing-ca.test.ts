/** The CA from which an agent issues: accepted and rejected Secrets. */
import { generateKey, writeCertificates, writePrivateKey } from '@meshrelay/pki';
import { assert, test } from '@meshrelay/testing';
import { readSigningCa } from '../../src/workload-ca/signing-ca.ts';
import { DOMAIN, intermediate, NOW, root } from './cas.ts';

const shared = await root();
const own = await root('east.example');
const data = await intermediate(shared);
const selfSigned = {
  'ca-cert.pem': writeCertificates([own.certificate]),
  'ca-key.pem': writePrivateKey(own.key),
  'root-cert.pem': writeCertificates([own.certificate]),
};
const rejection = (given: Readonly<Record<string, string>>, now: Date = NOW): string => {
  try {
    readSigningCa(given, now);
    return 'taken';
  } catch (error) {
    return String(error);
  }
};

test('an intermediate under the roots, and a root of its own', () => {
  const ca = readSigningCa(data, NOW);
  assert.is(ca.trustDomain, DOMAIN);
  assert.is(ca.rootsPem.trim(), data['root-cert.pem']?.trim());
  assert.is(ca.authority.intermediates.length, 0, 'roots are not presented');
  assert.is(readSigningCa(selfSigned, NOW).trustDomain, DOMAIN);
});

test('the usual key names of certificate Secrets work too, for a CA of the user', () => {
  const usual = {
    'tls.crt': data['ca-cert.pem'] ?? '',
    'tls.key': data['ca-key.pem'] ?? '',
    'ca.crt': data['root-cert.pem'] ?? '',
  };
  assert.is(readSigningCa(usual, NOW).trustDomain, DOMAIN);
});

test('another CA or other roots have another id, the same ones the same', async () => {
  const ids = [data, data, await intermediate(shared), selfSigned].map((one) => readSigningCa(one, NOW).id);
  assert.is(new Set(ids).size, 3);
  assert.is(ids[0], ids[1]);
  const both = { ...data, 'root-cert.pem': `${data['root-cert.pem']}${selfSigned['root-cert.pem']}` };
  assert.is.not(readSigningCa(both, NOW).id, ids[0]);
});

test('a CA that peers would reject is not used, and no key is quoted', async () => {
  const key = writePrivateKey(await generateKey('agent'));
  const rejections = [
    rejection({ ...data, 'ca-key.pem': '' }),
    rejection({ ...data, 'ca-key.pem': key }),
    rejection({ ...data, 'root-cert.pem': selfSigned['root-cert.pem'] }),
    rejection({ ...selfSigned, 'root-cert.pem': data['root-cert.pem'] ?? '' }),
    rejection({ ...data, 'cert-chain.pem': 'none' }),
    rejection(data, new Date('2040-01-01T00:00:00Z')),
  ];
  assert.match(rejections[0] ?? '', 'lacks ca-key.pem or tls.key');
  assert.match(rejections[1] ?? '', 'not the one it certifies');
  for (const said of rejections) {
    assert.match(said, 'Error');
    assert.not.match(said, 'PRIVATE');
  }
});

test.run();
