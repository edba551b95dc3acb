/** Certificates and keys read once: a fleet reads the same few again and again, and reading them costs more than a step of it. */
import { Buffer } from 'node:buffer';
import type { KeyObject, X509Certificate } from 'node:crypto';

interface Crypto {
  X509Certificate: new (given: string | Uint8Array) => X509Certificate;
  createPrivateKey: (given: unknown) => KeyObject;
  createPublicKey: (given: unknown) => KeyObject;
}

/** What these make of a text never changes, so that it may be shared. */
export function rememberKeys(crypto: Crypto): void {
  const { X509Certificate: Real, createPrivateKey, createPublicKey } = crypto;
  const read = remembered((given: string | Uint8Array) => new Real(given));
  function Certificate(given: string | Uint8Array): X509Certificate {
    return read(given);
  }
  Certificate.prototype = Real.prototype;
  crypto.X509Certificate = Certificate as unknown as Crypto['X509Certificate'];
  crypto.createPrivateKey = remembered(createPrivateKey);
  crypto.createPublicKey = remembered(createPublicKey);
}

function remembered<Given, Made>(make: (given: Given) => Made): (given: Given) => Made {
  const known = new Map<string, Made>();
  return (given) => {
    const text =
      typeof given === 'string'
        ? given
        : given instanceof Uint8Array
          ? Buffer.from(given).toString('latin1')
          : undefined;
    if (text === undefined) return make(given);
    const found = known.get(text) ?? make(given);
    known.set(text, found);
    return found;
  };
}
