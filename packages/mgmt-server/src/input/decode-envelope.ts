/** From bytes of a relay, which has checked their size and depth, to an object of the world. One bad object never stops the rest. */
import { Buffer } from 'node:buffer';
import {
  apiVersionOf,
  clusterPolicyKinds,
  decodeObject,
  isMeshrelayGroup,
  isOutputGroup,
  type KubeObject,
  type Report,
  type ShapeProblem,
} from '@meshrelay/api';
import { clusterMismatch } from '@meshrelay/relay-core';
import type { ObjectEnvelope, ObjectRejection } from '@meshrelay/relay-protocol';

/** A policy that is there and cannot be read. */
export interface UnreadableEnvelope {
  readonly raw: KubeObject;
  readonly problems: readonly ShapeProblem[];
}

/** No member: the object is told by name and hash alone. */
export interface DecodedEnvelope {
  readonly object?: KubeObject;
  /** What is wrong with the values of an object of ours. */
  readonly faults?: readonly Report[];
  /** It is taken, for that it is there matters, too: what was last accepted of it stays in force. */
  readonly unreadable?: UnreadableEnvelope;
  readonly rejection?: ObjectRejection;
}

/** What a cluster may tell of our kinds; everything else comes from the management cluster. */
const DISCOVERED = ['Mesh', 'Workload', 'Destination'];
const POLICIES = new Set<string>(clusterPolicyKinds);
const TAKEN = new Set([...DISCOVERED, ...POLICIES]);

type Fault = readonly [code: string, reason: string];

/**
 * Checks that the body is what the envelope says, that it speaks of no other cluster than the one whose certificate brought it, and that
 * objects of ours have their shape (unknown fields are pruned). Secrets are known by name and hash, and never by their data.
 */
export function decodeEnvelope(cluster: string, envelope: ObjectEnvelope): DecodedEnvelope {
  const { group, kind, body } = envelope;
  if (group === '' && kind === 'Secret') {
    if (body.byteLength === 0) return {};
    return refused(envelope, ['SECRET_DATA', 'the data of Secrets stays in its cluster; send name and hash alone']);
  }
  const states = isMeshrelayGroup(group) && !isOutputGroup(group);
  if (states && !TAKEN.has(kind))
    return refused(envelope, ['KIND_NOT_TAKEN', `a ${kind} counts in the management cluster only; create it there`]);
  const { value, fault } = parse(envelope);
  if (fault !== undefined) return refused(envelope, fault);
  const wrong = mismatch(envelope, value);
  if (wrong !== undefined) return refused(envelope, ['MISLABELLED', wrong]);
  if (!states) return { object: value };
  const { object, reports, problems } = decodeObject(value, { unknownFields: 'prune' });
  if (object === undefined && POLICIES.has(kind)) return { unreadable: { raw: value, problems } };
  if (object === undefined) return refused(envelope, ['BAD_SHAPE', problems.map(({ message }) => message).join('; ')]);
  const claim = clusterMismatch(cluster, object);
  if (claim !== undefined) return refused(envelope, [claim.code, claim.reason]);
  return { object, faults: reports };
}

type Parsed =
  | { readonly value: KubeObject; readonly fault?: undefined }
  | { readonly fault: Fault; readonly value?: undefined };

function parse({ body }: ObjectEnvelope): Parsed {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch (error) {
    return { fault: ['BAD_JSON', `its body is no JSON: ${error instanceof Error ? error.message : String(error)}`] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: ['MISLABELLED', 'its body is no object'] };
  return { value: value as KubeObject };
}

function mismatch({ group, version, kind, namespace, name }: ObjectEnvelope, value: KubeObject): string | undefined {
  const apiVersion = apiVersionOf({ group, version });
  if (value.apiVersion !== apiVersion || value.kind !== kind)
    return `its body is a ${String(value.apiVersion)} ${String(value.kind)}, not a ${apiVersion} ${kind}`;
  const metadata = value.metadata as KubeObject['metadata'] | null | undefined;
  if (metadata?.name !== name || (metadata.namespace ?? '') !== namespace)
    return 'its body has another name or namespace';
  return undefined;
}

function refused(envelope: ObjectEnvelope, [code, reason]: Fault): DecodedEnvelope {
  const { group, version, kind, namespace, name, hash } = envelope;
  return { rejection: { key: { group, version, kind, namespace, name }, hash, code, reason } };
}
