/** One configuration object, decoded: unchanged parts are not decoded again. */
import type { JsonObject } from '@bufbuild/protobuf';
import { violations } from '../../check/violations.ts';
import { messageFromJson } from '../../messages/json.ts';
import { type Hash, resourceOf, type XdsResource } from '../resource.ts';
import { keyText, type XdsKey } from '../resource-key.ts';
import { XDS_TYPES, type XdsType } from '../resource-type.ts';

/** Which callers may request it, and their root resources. */
export interface CatalogProxy {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly workload?: string;
  readonly listeners: readonly string[];
  readonly clusters: readonly string[];
}

/** The content of an XdsConfig. */
export interface ShardSpec {
  readonly proxies?: readonly CatalogProxy[];
  readonly resources?: readonly { readonly type: XdsType; readonly name: string; readonly value: JsonObject }[];
  /** Resources that the host made itself, which are in no object. */
  readonly made?: readonly XdsResource[];
  /** Expected resources: they are not reported as missing, and the resources served under their names stay. */
  readonly awaited?: readonly XdsKey[];
}

/** A resource that is not served: its message is unreadable, or Envoy would reject it and its whole response. */
export interface BadResource extends XdsKey {
  readonly shard: string;
  /** The fault, naming the field. */
  readonly problem: string;
}

export interface ShardEntry extends XdsKey {
  /** The JSON it was decoded from. */
  readonly text: string;
  /** Undefined if it is invalid. */
  readonly resource: XdsResource | undefined;
  readonly problem?: string;
  /** True while it is expected. */
  readonly awaited?: true;
}

/** The entries of a shard by their keys; those with unchanged JSON are the same objects as before. */
export function decodeShard(
  spec: ShardSpec,
  before: ReadonlyMap<string, ShardEntry> | undefined,
  hash: Hash,
): ReadonlyMap<string, ShardEntry> {
  const entries = new Map<string, ShardEntry>();
  for (const { type, name, value } of spec.resources ?? []) {
    const id = keyText({ type, name });
    if (entries.has(id)) continue;
    const text = JSON.stringify(value);
    const old = before?.get(id);
    entries.set(id, old?.text === text ? old : decode({ type, name }, value, text, hash));
  }
  for (const resource of spec.made ?? []) {
    const { type, name, version } = resource;
    const old = before?.get(keyText(resource));
    entries.set(keyText(resource), old?.text === version ? old : { type, name, text: version, resource });
  }
  for (const { type, name } of spec.awaited ?? [])
    entries.set(keyText({ type, name }), { type, name, text: '', resource: undefined, awaited: true });
  return entries;
}

function decode({ type, name }: XdsKey, value: JsonObject, text: string, hash: Hash): ShardEntry {
  try {
    const message = messageFromJson(XDS_TYPES[type].schema, value);
    const [problem] = violations(XDS_TYPES[type].schema, message);
    if (problem !== undefined) return { type, name, text, resource: undefined, problem };
    return { type, name, text, resource: resourceOf(type, name, message, hash) };
  } catch (error) {
    return { type, name, text, resource: undefined, problem: (error as Error).message };
  }
}
