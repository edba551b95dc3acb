/** The capability matrix in Markdown: the proven support of each mesh. */
import { VIEW_FIELDS, type ViewField } from '@meshrelay/plugin';
import type { CapabilityProof } from './prove.ts';

/** A mesh with a proof for each field. */
export interface ProvenMesh {
  /** The plugin's mesh type. */
  readonly type: string;
  /** The name of its column. */
  readonly name: string;
  readonly proofs: readonly CapabilityProof[];
}

/**
 * A table of all fields, with a note for each cell that needs more than yes or no.
 * @throws Error if a claim is not proven, since only proven claims are published
 */
export function capabilityMatrix(meshes: readonly ProvenMesh[]): string {
  const notes = new Notes();
  const rows = VIEW_FIELDS.map((field) => [`\`${field}\``, ...meshes.map((mesh) => cellOf(mesh, field, notes))]);
  const table = [['field', ...meshes.map(({ name }) => name)], ['---', ...meshes.map(() => '---')], ...rows];
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${notes.text()}`;
}

function cellOf({ name, type, proofs }: ProvenMesh, field: ViewField, notes: Notes): string {
  const proof = proofs.find((one) => one.field === field);
  if (proof === undefined) throw new Error(`${name} has no proof for ${field}; prove every field`);
  if (proof.problem !== undefined) throw new Error(`${name}, ${field}: ${proof.problem}`);
  const { claim, kinds, supportedBy } = proof;
  const note = (text: string) => notes.mark(`${type}-${field}`, text);
  if (claim === 'native')
    return supportedBy === undefined ? `yes: ${kinds.join(', ')}` : `yes${note(`By ${supportedBy}.`)}`;
  if ('always' in claim) return `always${note(claim.always)}`;
  if ('degraded' in claim) return `in part${note(claim.degraded)}`;
  return `no${note(claim.unsupported)}`;
}

/**
 * Footnotes, each named after the first cell that has it, so a new field changes no other line. Equal notes of a mesh
 * share one footnote.
 */
class Notes {
  readonly #names = new Map<string, string>();

  /** The reference to a note in a cell. */
  mark(cell: string, text: string): string {
    const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
    const name = this.#names.get(sentence) ?? cell;
    this.#names.set(sentence, name);
    return `[^${name}]`;
  }

  /** All notes, one line each. */
  text(): string {
    return [...this.#names].map(([sentence, name]) => `[^${name}]: ${sentence}\n`).join('');
  }
}
