/** The messages to measure: a large delta, a small one, the entries of a comparison and the answer to a delta. */
import { Buffer } from 'node:buffer';

export interface FixtureEnvelope {
  readonly namespace: string;
  readonly name: string;
  readonly hash: Uint8Array;
  readonly body: Uint8Array;
}

/** One message in neutral words; `field` is the member of the oneof. */
export type FixtureMessage =
  | { readonly field: 'delta'; readonly number: number; readonly upserts: readonly FixtureEnvelope[] }
  | { readonly field: 'have'; readonly entries: ReadonlyArray<Omit<FixtureEnvelope, 'body'>> }
  | { readonly field: 'ack'; readonly number: number };

const OBJECT_BYTES = 1800;
const hash = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
const body = Buffer.from(JSON.stringify({ spec: 'x'.repeat(OBJECT_BYTES - 11) }));
const envelopes = (count: number): FixtureEnvelope[] =>
  Array.from({ length: count }, (_, at) => ({ namespace: 'bookinfo', name: `reviews-v${at}`, hash, body }));

export const KIND = { group: 'networking.istio.io', version: 'v1', kind: 'VirtualService' } as const;

export const FIXTURES: ReadonlyArray<{ readonly name: string; readonly message: FixtureMessage }> = [
  { name: 'delta, 100 objects of 1.8 KB', message: { field: 'delta', number: 77, upserts: envelopes(100) } },
  { name: 'delta, 1 object of 1.8 KB', message: { field: 'delta', number: 77, upserts: envelopes(1) } },
  { name: 'have, 1000 entries', message: { field: 'have', entries: envelopes(1000) } },
  { name: 'ack', message: { field: 'ack', number: 77 } },
];
