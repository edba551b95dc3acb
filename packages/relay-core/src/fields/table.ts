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
