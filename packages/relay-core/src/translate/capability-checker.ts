/** Says what a mesh cannot carry, by its capability table, and to whom that must be told. */
import type { PolicyRef, PolicyState, Report } from '@meshrelay/api';
import { CAPABILITY_PATHS } from '../fields/capabilities.ts';
import {
  type CapabilityTable,
  degradedNote,
  unsupportedReason,
  VIEW_FIELDS,
  type ViewField,
} from '../plugin/capability.ts';
import type { MeshPlugin } from '../plugin/contract.ts';
import { memoize } from '../plugin/memoize.ts';

/** Something a mesh cannot carry, wholly or in part. */
export interface UnsupportedField {
  readonly policies: readonly PolicyRef[];
  readonly state: PolicyState;
  readonly report: Report;
}

/** The fields that a mesh does not carry, or not wholly: few of all that are asked for. */
const imperfectFields = memoize(
  (table: CapabilityTable): ReadonlySet<ViewField> => new Set(VIEW_FIELDS.filter((field) => table[field] !== 'native')),
);

/** Fields of a policy that come to one field of a view, of which it sets some. */
export type FieldPlaces = Readonly<Partial<Record<ViewField, readonly string[]>>>;

/** A mesh plugin, as far as it says what it carries. */
export type PluginCapabilities = Pick<MeshPlugin<never>, 'name' | 'capabilities'>;

/** Judges fields against one mesh's table and remembers what is lost. */
export class CapabilityChecker {
  readonly rejected: UnsupportedField[] = [];
  readonly #mesh: string;
  readonly #table: CapabilityTable;
  readonly #imperfect: ReadonlySet<ViewField>;

  constructor({ name, capabilities }: PluginCapabilities) {
    this.#mesh = name;
    this.#table = capabilities;
    this.#imperfect = imperfectFields(capabilities);
  }

  /**
   * True where all fields can be carried, at least in part. What is lost is reported to the policies.
   * @param places the fields of the policies, where several of them come to one of a view
   */
  check(fields: readonly ViewField[], policies: readonly PolicyRef[], places: FieldPlaces = {}): boolean {
    let supported = true;
    for (const field of fields) {
      if (!this.#imperfect.has(field)) continue;
      const reason = unsupportedReason(this.#table, field);
      const note = degradedNote(this.#table, field);
      if (reason !== undefined) supported = false;
      if (reason === undefined && note === undefined) continue;
      const message = rejectionText(this.#mesh, field, reason, note);
      for (const place of places[field] ?? [CAPABILITY_PATHS[field]])
        this.#lose(policies, reason === undefined ? 'DEGRADED' : 'UNSUPPORTED', place, message);
    }
    return supported;
  }

  /** Whether a field can be carried, at least in part; nobody is told. */
  supports(field: ViewField): boolean {
    return unsupportedReason(this.#table, field) === undefined;
  }

  /** Tells the policies behind something. */
  report({ from }: { readonly from: readonly PolicyRef[] }, state: PolicyState, report: Report): void {
    this.rejected.push({ policies: from, state, report });
  }

  #lose(policies: readonly PolicyRef[], code: string, field: string, message: string): void {
    this.rejected.push({ policies, state: 'DEGRADED', report: { code, severity: 'warning', field, message } });
  }
}

function rejectionText(mesh: string, field: ViewField, reason: string | undefined, note: string | undefined): string {
  return reason === undefined
    ? `${mesh} carries ${field} in part: ${note}`
    : `${mesh} does not carry ${field}: ${reason}`;
}
