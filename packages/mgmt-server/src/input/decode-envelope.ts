/** From bytes of a relay to an object of the world, or why there is none. One bad object never stops the rest. */
import { Buffer } from 'node:buffer';
import { decodeObject, isOurGroup, type KubeObject } from '@meshrelay/api';
import type { ObjectEnvelope, Refusal } from '@meshrelay/relay-protocol';

export type DecodedEnvelope =
  | { readonly object: KubeObject; readonly refusal?: undefined }
  | { readonly refusal: Refusal; readonly object?: undefined };

/** Checks that the body is what the envelope says, and that objects of ours have their shape (unknown fields are pruned). */
export function decodeEnvelope(envelope: ObjectEnvelope): DecodedEnvelope {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(envelope.body).toString('utf8'));
  } catch (error) {
    return refused(
      envelope,
      'BAD_JSON',
      `its body is no JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const wrong = mismatch(envelope, value);
  if (wrong !== undefined) return refused(envelope, 'MISLABELLED', wrong);
  if (!isOurGroup(envelope.group)) return { object: value as KubeObject };
  const decoded = decodeObject(value, { unknownFields: 'prune' });
  if (decoded.object !== undefined) return { object: decoded.object };
  return refused(envelope, 'BAD_SHAPE', decoded.problems.map(({ message }) => message).join('; '));
}

function mismatch({ group, version, kind, namespace, name }: ObjectEnvelope, value: unknown): string | undefined {
  const object = value as {
    apiVersion?: unknown;
    kind?: unknown;
    metadata?: { name?: unknown; namespace?: unknown };
  } | null;
  if (typeof object !== 'object' || object === null) return 'its body is no object';
  const apiVersion = group === '' ? version : `${group}/${version}`;
  if (object.apiVersion !== apiVersion || object.kind !== kind)
    return `its body is a ${String(object.apiVersion)} ${String(object.kind)}, not a ${apiVersion} ${kind}`;
  if (object.metadata?.name !== name || (object.metadata?.namespace ?? '') !== namespace)
    return 'its body has another name or namespace';
  return undefined;
}

function refused(envelope: ObjectEnvelope, code: string, reason: string): DecodedEnvelope {
  const { group, version, kind, namespace, name, hash } = envelope;
  return { refusal: { key: { group, version, kind, namespace, name }, hash, code, reason } };
}
