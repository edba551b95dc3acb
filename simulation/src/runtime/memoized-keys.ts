/**
 * Memoizes parsed certificates, keys and signatures: a fleet reads the same few repeatedly, and parsing costs more than
 * a step of the fleet.
 */
import { Buffer } from 'node:buffer';
import type { KeyObject, X509Certificate } from 'node:crypto';

type KeyInput = KeyObject | string | Uint8Array | { readonly key: Uint8Array; readonly format: string };
type Verify = (digest: string | null, data: Uint8Array, key: KeyObject, signature: Uint8Array) => boolean;

interface Crypto {
  X509Certificate: new (given: string | Uint8Array) => X509Certificate;
  createPrivateKey: (given: KeyInput) => KeyObject;
  createPublicKey: (given: KeyInput) => KeyObject;
  verify: Verify;
}

/** The results depend only on the arguments and are immutable, so they can be shared. */
export function memoizeKeys(crypto: Crypto): void {
  const { X509Certificate: Real, createPrivateKey, createPublicKey } = crypto;
  const read = cached((given: string | Uint8Array) => new Real(given), textOf);
  function Certificate(given: string | Uint8Array): X509Certificate {
    return read(given);
  }
  Certificate.prototype = Real.prototype;
  crypto.X509Certificate = Certificate as unknown as Crypto['X509Certificate'];
  crypto.createPrivateKey = cached((given) => memoizeExport(createPrivateKey(given)), inputOf);
  const publicKeys = cached((given: KeyInput) => memoizeExport(createPublicKey(given)), inputOf);
  const publicHalves = new WeakMap<object, KeyObject>();
  crypto.createPublicKey = (given) => {
    if (!(typeof given === 'object' && 'asymmetricKeyType' in given)) return publicKeys(given);
    const half = publicHalves.get(given) ?? memoizeExport(createPublicKey(given));
    publicHalves.set(given, half);
    return half;
  };
  crypto.verify = memoizeVerifications(crypto.verify);
}

function memoizeVerifications(verify: Verify): Verify {
  const byKey = new WeakMap<KeyObject, Map<string, boolean>>();
  return (digest, data, key, signature) => {
    const known = byKey.get(key) ?? new Map<string, boolean>();
    byKey.set(key, known);
    const requested = `${digest} ${data.byteLength} ${latin1(data)}${latin1(signature)}`;
    const result = known.get(requested) ?? verify(digest, data, key, signature);
    known.set(requested, result);
    return result;
  };
}

/** Its texts and bytes are also computed once. */
function memoizeExport(key: KeyObject): KeyObject {
  const make = key.export.bind(key) as (options: { type?: string; format?: string }) => string | Buffer;
  const known = new Map<string, string | Buffer>();
  key.export = ((options: { type?: string; format?: string } = {}) => {
    const requested = `${options.type} ${options.format}`;
    const made = known.get(requested) ?? make(options);
    known.set(requested, made);
    return typeof made === 'string' ? made : Buffer.from(made);
  }) as unknown as KeyObject['export'];
  return key;
}

function cached<Given, Made>(
  make: (given: Given) => Made,
  nameOf: (given: Given) => string | undefined,
): (given: Given) => Made {
  const known = new Map<string, Made>();
  return (given) => {
    const name = nameOf(given);
    if (name === undefined) return make(given);
    const found = known.get(name) ?? make(given);
    known.set(name, found);
    return found;
  };
}

function inputOf(given: KeyInput): string | undefined {
  if (typeof given !== 'object' || given instanceof Uint8Array) return textOf(given);
  return 'format' in given && given.key instanceof Uint8Array ? `${given.format} ${latin1(given.key)}` : undefined;
}

function textOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  return given instanceof Uint8Array ? latin1(given) : undefined;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
