/** Whether a server's certificate is valid for the dialled name (RFC 9525). Common names are never used. */
import { Buffer } from 'node:buffer';
import { isIP } from 'node:net';
import type { Certificate } from '../certificate/certificate.ts';
import { ipOctets } from '../issue/ip-octets.ts';

/** `name` is a host name or an IP address. A wildcard matches exactly one whole label, the first. */
export function isForServer({ extensions }: Certificate, name: string): boolean {
  const names = extensions.subjectAltNames ?? [];
  if (isIP(name) !== 0) {
    const octets = ipOctets(name);
    return names.some((candidate) => candidate.kind === 'ip' && Buffer.from(candidate.value).equals(octets));
  }
  const expected = name.toLowerCase();
  const wildcard = expected.includes('.') ? `*${expected.slice(expected.indexOf('.'))}` : undefined;
  return names.some((candidate) => {
    const offered = candidate.kind === 'dns' ? candidate.value.toLowerCase() : undefined;
    return offered !== undefined && (offered === expected || offered === wildcard);
  });
}
