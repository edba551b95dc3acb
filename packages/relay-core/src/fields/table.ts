/** Functions that the tables of fields share. */

/** The capabilities that a value needs, each with the paths of the fields in the policy that need it. */
export type Requirements<Capability extends string> = Readonly<Partial<Record<Capability, readonly string[]>>>;

/** A field with its capabilities, each with the path in the policy that reports name. */
export interface FieldWithCapabilities {
  readonly capabilities: Readonly<Record<string, string>>;
}

/** The capabilities of these fields, each with the path of the first field that has it. */
export function capabilityPaths<Capability extends string>(
  fields: Readonly<Record<string, FieldWithCapabilities>>,
): Readonly<Record<Capability, string>> {
  const paths: Record<string, string> = {};
  for (const { capabilities } of Object.values(fields))
    for (const [capability, path] of Object.entries(capabilities)) paths[capability] ??= path;
  return paths as Readonly<Record<Capability, string>>;
}

/** Adds the capabilities that one field needs. */
export function addRequirements(
  requirements: Record<string, string[]>,
  { capabilities }: FieldWithCapabilities,
  needed: readonly string[],
): void {
  for (const capability of needed) {
    const paths = requirements[capability] ?? [];
    paths.push(capabilities[capability] ?? 'spec');
    requirements[capability] = paths;
  }
}

/** The capabilities of one field of a table; never for a name without a field. */
export type CapabilitiesOf<Fields, Name> = Name extends keyof Fields
  ? Fields[Name] extends FieldWithCapabilities
    ? keyof Fields[Name]['capabilities']
    : never
  : never;

/** The capabilities of all fields of a table. */
export type CapabilityOf<Fields> = { [Name in keyof Fields]: CapabilitiesOf<Fields, Name> }[keyof Fields];

/** The intersection of the members of a union. */
export type Intersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (
  value: infer Whole,
) => void
  ? Whole
  : never;
