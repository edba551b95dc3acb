/** New private keys, generated off the event loop. */
import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** Purpose of a key, which decides its kind and size. */
export type KeyPurpose =
  | 'agent'
  | 'relay-server'
  | 'relay-ca'
  | 'mesh-ca'
  | 'mesh-intermediate'
  | 'workload-ca'
  | 'workload';

/** Bits of an RSA modulus, or a curve where many keys and signatures are needed. */
const KINDS: Readonly<Record<KeyPurpose, number | 'P-256'>> = {
  agent: 2048,
  'relay-server': 2048,
  'relay-ca': 3072,
  'mesh-ca': 4096,
  'mesh-intermediate': 3072,
  'workload-ca': 'P-256',
  workload: 'P-256',
};

const generate = promisify(generateKeyPair);

/**
 * A new private key of the kind and size for its purpose (milliseconds for a leaf, up to seconds for a mesh CA).
 * @param bits of the modulus of an RSA key, if configured
 */
export async function generateKey(purpose: KeyPurpose, bits?: number): Promise<KeyObject> {
  const kind = bits ?? KINDS[purpose];
  const pair =
    kind === 'P-256'
      ? await generate('ec', { namedCurve: kind })
      : await generate('rsa', { modulusLength: kind, publicExponent: 65_537 });
  return pair.privateKey;
}
