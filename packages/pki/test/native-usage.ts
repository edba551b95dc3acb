/** Value of `X509Certificate.keyUsage` for issued leaves, which differs between runtimes. */
import process from 'node:process';

/** Node lists the extended key usage by number, Deno the key usage by name; each checks one of the two extensions. */
export function nativeUsage(purpose: string): readonly string[] {
  return process.versions['deno'] === undefined ? [purpose] : ['DigitalSignature'];
}
