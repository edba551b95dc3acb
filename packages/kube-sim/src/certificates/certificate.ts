/** Creates the simulator's own X.509 certificates: its CA, its server certificate and client certificates of users. */
import { Buffer } from 'node:buffer';
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { bits, der, integer, octets, oid, sequence, set, TRUE, time, utf8 } from './der.ts';

/** A certificate with its key, both PEM; the key is PKCS#8. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Subject of a certificate. */
export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** Signs certificates with a key that never leaves the process. */
export interface CertificateAuthority {
  /** PEM. */
  readonly certificate: string;
  /** A certificate for TLS servers under these DNS names and IPv4 addresses. */
  server(names: readonly string[]): KeyedCertificate;
  /** A certificate for a client: the common name is the user, the organizations are the groups. */
  client(subject: Subject): KeyedCertificate;
}

const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));
/** Tolerated lag of client clocks, in milliseconds. */
const BACKDATE = 3_600_000;
const LIFETIME = 365 * 24 * 3_600_000;
const USAGE = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

/** A new authority, valid for a year from `now` (milliseconds). */
export function createAuthority(name: string, now: number): CertificateAuthority {
  const keys = generateKeys();
  const subject = { commonName: name };
  const signer: Signer = { subject, key: keys.privateKey, now };
  const certificate = build(signer, subject, keys.publicKey, [
    extension('2.5.29.19', true, sequence(TRUE)),
    extension('2.5.29.15', true, bits(Buffer.from([0b0000_0110]), 1)),
  ]);
  const issue = (to: Subject, extensions: readonly Buffer[]): KeyedCertificate => {
    const own = generateKeys();
    const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return {
      certificate: build(signer, to, own.publicKey, [extension('2.5.29.19', true, sequence()), ...extensions]),
      key,
    };
  };
  return {
    certificate,
    server: (names) => issue({ commonName: names[0] ?? name }, [usage('server'), alternativeNames(names)]),
    client: (to) => issue(to, [usage('client')]),
  };
}

interface Signer {
  readonly subject: Subject;
  readonly key: KeyObject;
  readonly now: number;
}

function generateKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function build(signer: Signer, subject: Subject, publicKey: KeyObject, extensions: readonly Buffer[]): string {
  const serial = randomBytes(16);
  // A leading zero byte would not be DER, and a zero serial is invalid.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_SHA256,
    distinguishedName(signer.subject),
    sequence(time(signer.now - BACKDATE), time(signer.now + LIFETIME)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const certificate = sequence(body, ECDSA_SHA256, bits(sign('sha256', body, signer.key)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function distinguishedName({ commonName, organizations = [] }: Subject): Buffer {
  const attribute = (type: string, value: string): Buffer => set(sequence(oid(type), utf8(value)));
  return sequence(...organizations.map((each) => attribute('2.5.4.10', each)), attribute('2.5.4.3', commonName));
}

function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  return sequence(oid(id), ...(critical ? [TRUE] : []), octets(value));
}

function usage(purpose: keyof typeof USAGE): Buffer {
  return extension('2.5.29.37', false, sequence(oid(USAGE[purpose])));
}

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
  );
  return extension('2.5.29.17', false, sequence(...entries));
}
