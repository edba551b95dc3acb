/** Certificate signing requests (PKCS#10), created by the owner of the key. */
import { Buffer } from 'node:buffer';
import type { KeyObject } from 'node:crypto';
import {
  bitString,
  encode,
  encodedSequence,
  octetString,
  oid,
  sequence,
  set,
  smallInteger,
  tagged,
  taggedOctets,
} from '../asn1/der-build.ts';
import { readDer } from '../asn1/der-node.ts';
import { OID } from '../asn1/oids.ts';
import { publicKeyDer } from '../key/private-key.ts';
import { signBytes, signingAlgorithmIdentifier } from '../key/signature.ts';
import { writePem } from '../pem.ts';
import type { SpiffeId } from '../spiffe/spiffe-id.ts';

/** Content of the request. The issuer uses the key and decides the rest itself; the URI only helps a reader. */
export interface CsrOptions {
  readonly key: KeyObject;
  readonly uri?: SpiffeId;
}

/** A signed request in PEM, with an empty subject. */
export async function createCsr({ key, uri }: CsrOptions): Promise<string> {
  const spki = readDer(publicKeyDer(key), 'public key');
  const names = uri === undefined ? [] : [requestedName(uri)];
  const info = sequence(smallInteger(0), sequence(), encodedSequence(spki.content), tagged(0, ...names));
  const signature = await signBytes(encode(info), key);
  return writePem('CERTIFICATE REQUEST', encode(sequence(info, signingAlgorithmIdentifier(key), bitString(signature))));
}

function requestedName(uri: SpiffeId): ReturnType<typeof sequence> {
  const names = encode(sequence(taggedOctets(6, Buffer.from(uri, 'latin1'))));
  return sequence(oid(OID.extensionRequest), set(sequence(sequence(oid(OID.subjectAltName), octetString(names)))));
}
