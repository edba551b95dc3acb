/** Objects of measured agents. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { ObjectEnvelope } from '@meshrelay/relay-protocol';
import { KIND } from './ends.ts';

/** An object of about the given size, different for each `at` and `round`. */
export function objectOf(at: number, round: number, bytes: number): ObjectEnvelope {
  const body = Buffer.from(`{"a":"${`${round}.${at}.`.padEnd(bytes - 8, 'x')}"}`);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 32);
  return { ...KIND, namespace: 'default', name: `n${at}`, hash, body };
}
