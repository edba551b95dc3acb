/**
 * Inventory storage: outputs are spread over a fixed number of OutputLedgers, each far below the API server's size
 * limit for an object.
 */
import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { canonicalJson } from '@meshrelay/relay-core';
import type { ObjectEnvelope } from '@meshrelay/relay-protocol';
import type { DesiredOutput } from './admit-output.ts';

/** With 10,000 outputs of 2 kB each, a shard has about 80 kB. One more output rewrites one shard. */
export const SHARDS: number = 32;
/** Bytes of base64 in one shard. */
export const SHARD_BYTES: number = 256 * 1024;
/**
 * Limit of unpacked bytes per shard. An agent wrote the shard, but others may be able to write in the agent's
 * namespace.
 */
const UNPACKED_BYTES = 64 * 1024 * 1024;

/** Shard of an output. */
export function shardOf(id: string): number {
  return hash('sha256', id, 'buffer').readUInt32BE() % SHARDS;
}

export function shardName(shard: number): string {
  return `agent-outputs-${shard}`;
}

interface Retained {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly hash: string;
  readonly body: string;
}

/** Packs a shard. Returns its text and the number of outputs that did not fit; the largest are left out first. */
export function packShard(outputs: readonly DesiredOutput[]): { readonly text: string; readonly left: number } {
  let retained = outputs
    .map(({ kind, hash, object }): Retained => {
      const { namespace = '', name } = object.metadata;
      return {
        group: kind.group,
        version: kind.version,
        kind: kind.kind,
        namespace,
        name,
        hash,
        body: canonicalJson(object),
      };
    })
    .sort((a, b) => a.body.length - b.body.length);
  for (;;) {
    const text = gzipSync(JSON.stringify(retained)).toString('base64');
    if (text.length <= SHARD_BYTES || retained.length === 0) return { text, left: outputs.length - retained.length };
    retained = retained.slice(0, Math.floor((retained.length * SHARD_BYTES) / text.length) - 1);
  }
}

/**
 * Outputs of a shard, to be admitted as if a server had sent them. @throws Error if this format does not match the text
 */
export function unpackShard(text: string): ObjectEnvelope[] {
  const plain = gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: UNPACKED_BYTES }).toString('utf8');
  return (JSON.parse(plain) as Retained[]).map(({ body, ...rest }) => ({ ...rest, body: Buffer.from(body) }));
}
