/** What `X509Certificate.keyUsage` gives for our leaves, which differs between runtimes. */
import process from 'node:process';

/** Node lists the extended key usage by number, Deno the key usage by name; each is a check of one of the two extensions. */
export function nativeUsage(purpose: string): readonly string[] {
  return process.versions['deno'] === undefined ? [purpose] : ['DigitalSignature'];
}
