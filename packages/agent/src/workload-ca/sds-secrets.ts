/**
 * Secrets with which proxies prove their identity and verify others, as Envoy messages. Only the recipient's stream
 * stores them, and they are never logged.
 */
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { create, type MessageInitShape, packMessage, tls } from '@meshrelay/envoy-api';
import type { XdsResource } from '@meshrelay/envoy-api/xds';

const { SecretSchema } = tls;

interface CertificateParts {
  /** Leaf first. */
  readonly chainPem: string;
  readonly keyPem: string;
  /** Reveals nothing of the key: it is visible wherever a version is. */
  readonly version: string;
}

/** A certificate with its key. */
export function certificateSecret(name: string, { chainPem, keyPem, version }: CertificateParts): XdsResource {
  return secret(
    { name, version },
    {
      case: 'tlsCertificate',
      value: { certificateChain: inline(chainPem), privateKey: inline(keyPem) },
    },
  );
}

/** Roots to which certificates of peers must chain. */
export function rootsSecret(name: string, rootsPem: string): XdsResource {
  const version = hash('sha256', rootsPem, 'hex');
  return secret({ name, version }, { case: 'validationContext', value: { trustedCa: inline(rootsPem) } });
}

function secret(
  { name, version }: Pick<XdsResource, 'name' | 'version'>,
  type: NonNullable<MessageInitShape<typeof SecretSchema>['type']>,
): XdsResource {
  const any = packMessage(SecretSchema, create(SecretSchema, { name, type }));
  return { type: 'secret', name, version, any, references: [] };
}

function inline(pem: string): { readonly specifier: { readonly case: 'inlineBytes'; readonly value: Uint8Array } } {
  return { specifier: { case: 'inlineBytes', value: Uint8Array.from(Buffer.from(pem)) } };
}
