/** Finds what a mesh does not support, by its capability table, and the policies that get a report about it. */
import type { PolicyRef, PolicyState, Report } from '@meshrelay/api';
import { type CapabilityTable, type MeshPlugin, memoize, VIEW_FIELDS, type ViewField } from '@meshrelay/plugin';
import { CAPABILITY_PATHS } from '../fields/capabilities.ts';
import { degradedNote, unsupportedReason } from '../plugin/capability.ts';

/** Something that a mesh does not support, or supports only in part. */
export interface UnsupportedField {
  readonly policies: readonly PolicyRef[];
  readonly state: PolicyState;
  readonly report: Report;
}

/** The fields that a mesh does not support natively; policies use few of them. */
const imperfectFields = memoize(
  (table: CapabilityTable): ReadonlySet<ViewField> => new Set(VIEW_FIELDS.filter((field) => table[field] !== 'native')),
);

/** Policy fields that map to one field of a view, where a policy sets some of them. */
export type FieldPlaces = Readonly<Partial<Record<ViewField, readonly string[]>>>;

/** The part of a mesh plugin that declares its capabilities. */
export type PluginCapabilities = Pick<MeshPlugin<never>, 'name' | 'capabilities'>;

/** Checks fields against the capability table of one mesh and records what it does not support. */
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
   * Returns true if the mesh supports all fields, at least in part. The policies get a report about the rest.
   * @param places the fields of the policies, where several of them map to one field of a view
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

  /** As `check`, for the capabilities that a value needs. */
  meets(requirements: FieldPlaces, policies: readonly PolicyRef[]): boolean {
    return this.check(Object.keys(requirements) as ViewField[], policies, requirements);
  }

  /** Whether the mesh supports a field, at least in part. Reports nothing. */
  supports(field: ViewField): boolean {
    return unsupportedReason(this.#table, field) === undefined;
  }

  /** Reports to the source policies of something. */
  report({ from }: { readonly from: readonly PolicyRef[] }, state: PolicyState, report: Report): void {
    this.rejected.push({ policies: from, state, report });
  }

  #lose(policies: readonly PolicyRef[], code: string, field: string, message: string): void {
    this.rejected.push({ policies, state: 'DEGRADED', report: { code, severity: 'warning', field, message } });
  }
}

function rejectionText(mesh: string, field: ViewField, reason: string | undefined, note: string | undefined): string {
  return reason === undefined
    ? `${mesh} supports ${field} in part: ${note}`
    : `${mesh} does not support ${field}: ${reason}`;
}
