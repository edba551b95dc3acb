/** The capability matrix: what each mesh carries, as it was proven, in Markdown. */
import { VIEW_FIELDS, type ViewField } from '@meshrelay/relay-core';
import type { CapabilityProof } from './prove.ts';

/** A mesh with a proof for each field. */
export interface ProvenMesh {
  /** The name of its column. */
  readonly name: string;
  readonly proofs: readonly CapabilityProof[];
}

/**
 * A table of all fields, with a note for each cell that is more than yes or no.
 * @throws Error where a claim is not proven: there is nothing to publish then
 */
export function capabilityMatrix(meshes: readonly ProvenMesh[]): string {
  const notes = new Notes();
  const rows = VIEW_FIELDS.map((field) => [`\`${field}\``, ...meshes.map((mesh) => cellOf(mesh, field, notes))]);
  const table = [['field', ...meshes.map(({ name }) => name)], ['---', ...meshes.map(() => '---')], ...rows];
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${notes.text()}`;
}

function cellOf({ name, proofs }: ProvenMesh, field: ViewField, notes: Notes): string {
  const proof = proofs.find((one) => one.field === field);
  if (proof === undefined) throw new Error(`${name} has no proof for ${field}; prove every field`);
  if (proof.problem !== undefined) throw new Error(`${name}, ${field}: ${proof.problem}`);
  const { claim, kinds, carriedBy } = proof;
  if (claim === 'native')
    return carriedBy === undefined ? `yes: ${kinds.join(', ')}` : `yes${notes.mark(`By ${carriedBy}.`)}`;
  if ('always' in claim) return `always${notes.mark(claim.always)}`;
  if ('degraded' in claim) return `in part${notes.mark(claim.degraded)}`;
  return `no${notes.mark(claim.unsupported)}`;
}

/** Notes in the order in which they are first referred to; equal ones are one. */
class Notes {
  readonly #texts: string[] = [];

  /** The mark of a note, as it stands in a cell. */
  mark(text: string): string {
    const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
    if (!this.#texts.includes(sentence)) this.#texts.push(sentence);
    return ` (${this.#texts.indexOf(sentence) + 1})`;
  }

  /** All notes, one line each. */
  text(): string {
    return this.#texts.map((text, index) => `${index + 1}. ${text}\n`).join('');
  }
}
