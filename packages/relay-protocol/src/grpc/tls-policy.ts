/** TLS requirements of both ends: versions, cipher suites, and accepted names of a server's certificate. */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate, type SecureContextOptions } from 'node:tls';

/** TLS 1.2 or later, with authenticated encryption and forward secrecy. */
export const TLS_POLICY: Pick<SecureContextOptions, 'minVersion' | 'ciphers'> = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
};

/**
 * As in Node, except that the common name is never used. Node falls back to it for certificates without a DNS name (RFC
 * 9525 does not).
 */
export function checkServerName(host: string, certificate: PeerCertificate): Error | undefined {
  const kind = isIP(host) === 0 ? 'DNS:' : 'IP Address:';
  const names = (certificate.subjectaltname ?? '').split(', ');
  if (!names.some((name) => name.startsWith(kind)))
    return new Error(
      `the server's certificate has no subject alternative name for hosts like ${host}; the common name is ignored`,
    );
  return checkServerIdentity(host, certificate);
}
