/**
 * Decodes relay bytes, whose size and depth are already checked, to objects of the fleet state. One bad object never
 * stops the rest.
 */
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

/** A policy that exists and cannot be read. */
export interface UnreadableEnvelope {
  readonly raw: KubeObject;
  readonly problems: readonly ShapeProblem[];
}

/** Without members, the object is reported by name and hash only. */
export interface DecodedEnvelope {
  readonly object?: KubeObject;
  /** Invalid values of a Meshrelay object. */
  readonly faults?: readonly Report[];
  /** The envelope is accepted, since the object's existence matters too: its last accepted state stays effective. */
  readonly unreadable?: UnreadableEnvelope;
  readonly rejection?: ObjectRejection;
}

/** Meshrelay kinds that a cluster may report; all others come from the management cluster. */
const DISCOVERED = ['Mesh', 'Workload', 'Destination'];
const POLICIES = new Set<string>(clusterPolicyKinds);
const TAKEN = new Set([...DISCOVERED, ...POLICIES]);

type Fault = readonly [code: string, reason: string];

/**
 * Checks that the body matches the envelope, and that it names only the cluster of the certificate it came with.
 * Meshrelay objects must match their schema (unknown fields are pruned). Secrets have a name and a hash, and never
 * their data.
 */
export function decodeEnvelope(cluster: string, envelope: ObjectEnvelope): DecodedEnvelope {
  const { group, kind, body } = envelope;
  if (group === '' && kind === 'Secret') {
    if (body.byteLength === 0) return {};
    return refused(envelope, ['SECRET_DATA', 'the data of Secrets stays in its cluster; send name and hash only']);
  }
  const states = isMeshrelayGroup(group) && !isOutputGroup(group);
  if (states && !TAKEN.has(kind))
    return refused(envelope, [
      'KIND_NOT_ACCEPTED',
      `a ${kind} only takes effect in the management cluster; create it there`,
    ]);
  const { value, fault } = parse(envelope);
  if (fault !== undefined) return refused(envelope, fault);
  const wrong = mismatch(envelope, value);
  if (wrong !== undefined) return refused(envelope, ['ENVELOPE_MISMATCH', wrong]);
  if (!states) return { object: value };
  const { object, reports, problems } = decodeObject(value, { unknownFields: 'prune' });
  if (object === undefined && POLICIES.has(kind)) return { unreadable: { raw: value, problems } };
  if (object === undefined)
    return refused(envelope, ['INVALID_SCHEMA', problems.map(({ message }) => message).join('; ')]);
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
    return {
      fault: ['INVALID_JSON', `its body is not JSON: ${error instanceof Error ? error.message : String(error)}`],
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: ['ENVELOPE_MISMATCH', 'its body is not an object'] };
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
