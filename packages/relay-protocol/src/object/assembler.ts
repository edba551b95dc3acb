/** Reassembles objects that were sent in parts. */
import { RelayError } from '../errors.ts';
import type { RelayLimits } from '../limits.ts';
import type { Upsert } from '../message.ts';
import { entryId, kindId, type ObjectEnvelope, type ObjectKind } from './envelope.ts';
import { type IntakeFault, sizeFault } from './intake.ts';

/** An object being assembled; without a buffer when it was rejected and its remaining parts are skipped. */
interface Assembly {
  readonly id: string;
  readonly hash: string;
  readonly total: number;
  readonly buffer: Uint8Array | undefined;
  filled: number;
}

/** Result of an upsert. */
export type Assembled =
  | { readonly envelope: ObjectEnvelope }
  | { readonly fault: IntakeFault }
  /** A part; more follow. */
  | { readonly waiting: true };

/** Assembler of one stream: at most one object at a time, since the parts of an object follow each other directly. */
export class Assembler {
  readonly #limits: RelayLimits;
  #current: Assembly | undefined;

  constructor(limits: RelayLimits) {
    this.#limits = limits;
  }

  /**
   * Takes an upsert, whole or in part. @throws RelayError when parts are out of order or belong to different objects
   */
  take(kind: ObjectKind, upsert: Upsert): Assembled {
    const { namespace, name, hash, body, part } = upsert;
    if (part === undefined) {
      this.#current = undefined;
      return { envelope: envelopeOf(kind, upsert, body) };
    }
    const id = `${kindId(kind)}/${entryId({ namespace, name })}`;
    if (part.offset === 0) return this.#begin(kind, upsert, id, part.total);
    const current = this.#current;
    const fits = current?.id === id && current.hash === hash && current.total === part.total;
    if (
      current === undefined ||
      !fits ||
      current.filled !== part.offset ||
      part.offset + body.byteLength > part.total
    ) {
      throw new RelayError('RELAY_E_PROTOCOL', `${id}: a chunk does not continue the previous one`);
    }
    return this.#fill(kind, upsert, current);
  }

  #begin(kind: ObjectKind, upsert: Upsert, id: string, total: number): Assembled {
    const { namespace, name, hash, body } = upsert;
    if (body.byteLength === 0 || body.byteLength > total) {
      throw new RelayError(
        'RELAY_E_PROTOCOL',
        `${id}: a first chunk of ${body.byteLength} bytes for an object of ${total}`,
      );
    }
    const oversize = total > this.#limits.objectBytes;
    const current = { id, hash, total, buffer: oversize ? undefined : new Uint8Array(total), filled: 0 };
    this.#current = current;
    const result = this.#fill(kind, upsert, current);
    return oversize ? { fault: sizeFault({ ...kind, namespace, name }, total, this.#limits) } : result;
  }

  #fill(kind: ObjectKind, upsert: Upsert, current: Assembly): Assembled {
    current.buffer?.set(upsert.body, current.filled);
    current.filled += upsert.body.byteLength;
    if (current.filled < current.total) return { waiting: true };
    this.#current = undefined;
    // The last part of a rejected object ends the skipping.
    if (current.buffer === undefined) return { waiting: true };
    return { envelope: envelopeOf(kind, upsert, current.buffer) };
  }
}

function envelopeOf(kind: ObjectKind, { namespace, name, hash }: Upsert, body: Uint8Array): ObjectEnvelope {
  return { group: kind.group, version: kind.version, kind: kind.kind, namespace, name, hash, body };
}
