/** Proof that the requester of a renewal has the key of the certificate being renewed. */
import { Buffer } from 'node:buffer';
import { hash, type KeyObject, randomBytes } from 'node:crypto';
import type { Certificate } from '../certificate/certificate.ts';
import { publicKeyObject } from '../key/public-key.ts';
import { signBytes, verifyBytes } from '../key/signature.ts';

/** Content that a proof is bound to, so that it cannot be used for another purpose. */
export interface PossessionStatement {
  /** The verifier's challenge for this renewal, from `renewalChallenge`. */
  readonly challenge: Uint8Array;
  /** The request for the new certificate: an intercepted proof certifies no other key. */
  readonly csrPem: string;
}

/** Separates these signatures from any other made with the key. */
const CONTEXT = 'meshrelay renewal: proof of the old key, version 1';
const CHALLENGE_BYTES = 32;

/** A new challenge of 32 random bytes, valid for one renewal. */
export function renewalChallenge(): Uint8Array {
  return Uint8Array.from(randomBytes(CHALLENGE_BYTES));
}

/** Signs the statement with the old key. */
export function provePossession(oldKey: KeyObject, statement: PossessionStatement): Promise<Uint8Array> {
  return signBytes(signedText(statement), oldKey);
}

/** Whether `proof` signs exactly this statement with the key in `certificate`. */
export function verifyPossession(certificate: Certificate, statement: PossessionStatement, proof: Uint8Array): boolean {
  if (statement.challenge.length < CHALLENGE_BYTES || !canSign(certificate)) return false;
  return verifyBytes(signedText(statement), publicKeyObject(certificate.publicKey, 'certificate'), proof);
}

function canSign({ publicKey: { kind } }: Certificate): boolean {
  return kind.type === 'rsa' || (kind.type === 'ec' && kind.curve !== 'P-521');
}

/** Each part has a fixed length, so different statements have different bytes. */
function signedText({ challenge, csrPem }: PossessionStatement): Uint8Array {
  return Buffer.from([CONTEXT, hash('sha256', challenge, 'hex'), hash('sha256', csrPem, 'hex')].join('\n'), 'utf8');
}
