/** New private keys, made off the event loop. */
import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** What a key is for, which decides its size. */
export type KeyPurpose = 'agent' | 'relay-server' | 'relay-ca' | 'mesh-ca' | 'mesh-intermediate';

const MODULUS_BITS: Readonly<Record<KeyPurpose, number>> = {
  agent: 2048,
  'relay-server': 2048,
  'relay-ca': 3072,
  'mesh-ca': 4096,
  'mesh-intermediate': 3072,
};

const generate = promisify(generateKeyPair);

/**
 * A new RSA private key of the size its purpose asks for (milliseconds for a leaf, up to seconds for a mesh CA).
 * @param bits of the modulus, where somebody has chosen
 */
export async function generateKey(purpose: KeyPurpose, bits: number = MODULUS_BITS[purpose]): Promise<KeyObject> {
  const pair = await generate('rsa', { modulusLength: bits, publicExponent: 65_537 });
  return pair.privateKey;
}
