/** Reads the values of a SEQUENCE in order: the reader names each expected field, and no field is left unread. */
import { malformed } from '../pki-error.ts';
import type { DerNode } from './der-node.ts';
import { TAG } from './der-values.ts';

/** The fields of one constructed value. Every reader ends with `done()`. */
export class DerFields {
  readonly #nodes: readonly DerNode[];
  readonly #what: string;
  #at = 0;

  constructor(node: DerNode, what: string, tag: number = TAG.sequence) {
    if (node.tag !== tag) throw malformed(`${what}: unexpected DER tag 0x${node.tag.toString(16)}`);
    this.#nodes = node.children;
    this.#what = what;
  }

  /** The next field, which must exist and have the tag, if one is given. */
  take(tag?: number): DerNode {
    const node = this.#nodes[this.#at];
    if (node === undefined) throw malformed(`${this.#what}: a field is missing`);
    if (tag !== undefined && node.tag !== tag) {
      throw malformed(`${this.#what}: unexpected DER tag 0x${node.tag.toString(16)}`);
    }
    this.#at++;
    return node;
  }

  /** The next field if it has this tag. */
  optional(tag: number): DerNode | undefined {
    return this.#nodes[this.#at]?.tag === tag ? this.take() : undefined;
  }

  /** The fields not yet taken. */
  rest(): readonly DerNode[] {
    const rest = this.#nodes.slice(this.#at);
    this.#at = this.#nodes.length;
    return rest;
  }

  /** Rejects fields that were not read. */
  done(): void {
    if (this.#at !== this.#nodes.length) throw malformed(`${this.#what}: unexpected fields at its end`);
  }
}
