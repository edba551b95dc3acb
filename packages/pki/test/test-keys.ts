/** Keys for the tests, each generated once per process. */
import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);
const made = new Map<string, Promise<KeyObject>>();

/** A private RSA key of `bits`, the same for the same `name`. */
export function rsaKey(name: string, bits = 2048, publicExponent = 65_537): Promise<KeyObject> {
  return once(
    `rsa ${name} ${bits} ${publicExponent}`,
    async () => (await generate('rsa', { modulusLength: bits, publicExponent })).privateKey,
  );
}

/** A private EC key, the same for the same `name`. */
export function ecKey(name: string, namedCurve: string): Promise<KeyObject> {
  return once(`ec ${name} ${namedCurve}`, async () => (await generate('ec', { namedCurve })).privateKey);
}

/** A private Ed25519 key, the same for the same `name`. */
export function ed25519Key(name: string): Promise<KeyObject> {
  return once(`ed25519 ${name}`, async () => (await generate('ed25519')).privateKey);
}

function once(name: string, make: () => Promise<KeyObject>): Promise<KeyObject> {
  const key = made.get(name) ?? make();
  made.set(name, key);
  return key;
}
