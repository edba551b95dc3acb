/** The rules for a CustomResourceDefinition. */
import { type FieldError, forbidden, invalid, notSupported, required } from '../errors/field-error.ts';
import type { Json, KubeObject, SchemaNode } from '../object.ts';
import { labelFault, serviceNameFault, subdomainFault } from '../schema/names.ts';
import type { CrdColumn, CrdSpec, CrdVersion, CustomResourceDefinition } from './crd.ts';
import { validateStructuralSchema } from './validate-schema.ts';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const APPROVAL = 'api-approved.kubernetes.io';
const SIMPLE_PATH = /^\.[^{}]*$/;

/** Every rule the CRD breaks; `live` is the stored one for updates. */
export function validateCrd(object: KubeObject, live: KubeObject | undefined): FieldError[] {
  const crd = object as CustomResourceDefinition;
  if (live !== undefined && live['spec'] === crd.spec) return [];
  const spec: Partial<CrdSpec> = crd.spec ?? {};
  const missing = requiredErrors(spec);
  if (missing.length > 0) return missing;
  const whole = spec as CrdSpec;
  return [
    ...nameErrors(crd, whole),
    ...approvalErrors(crd, whole),
    ...versionListErrors(whole),
    ...whole.versions.flatMap((version, index) => versionErrors(version, paths(whole, index))),
    ...(live === undefined ? [] : immutableErrors(whole, (live as CustomResourceDefinition).spec)),
  ];
}

function requiredErrors(spec: Partial<CrdSpec>): FieldError[] {
  const errors: FieldError[] = [];
  if (!spec.group) errors.push(required('spec.group'));
  if (spec.versions === undefined || spec.versions.length === 0)
    errors.push(
      invalid(
        'spec.versions',
        (spec.versions ?? null) as Json,
        'must have exactly one version marked as storage version',
      ),
    );
  if (!spec.names?.plural) errors.push(required('spec.names.plural'));
  if (!spec.names?.kind) errors.push(required('spec.names.kind'));
  if (!spec.scope) errors.push(required('spec.scope'));
  return errors;
}

function nameErrors(crd: CustomResourceDefinition, { group, names, scope }: CrdSpec): FieldError[] {
  const errors: FieldError[] = [];
  const { name } = crd.metadata;
  if (name !== `${names.plural}.${group}`)
    errors.push(invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'));
  const groupFault = subdomainFault(group);
  if (groupFault !== undefined) errors.push(invalid('spec.group', group, groupFault));
  else if (!group.includes('.')) errors.push(invalid('spec.group', group, 'should be a domain with at least one dot'));
  if (scope !== 'Namespaced' && scope !== 'Cluster')
    errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  const lower = { plural: names.plural, singular: names.singular ?? names.kind.toLowerCase() };
  for (const [key, value] of Object.entries(lower)) {
    const fault = serviceNameFault(value);
    if (fault !== undefined) errors.push(invalid(`spec.names.${key}`, value, fault));
  }
  for (const key of ['kind', 'listKind'] as const) {
    const value = names[key] ?? `${names.kind}List`;
    const fault = serviceNameFault(value.toLowerCase());
    if (fault !== undefined)
      errors.push(invalid(`spec.names.${key}`, value, `may have mixed case, but should otherwise match: ${fault}`));
  }
  if (names.kind === names.listKind)
    errors.push(invalid('spec.names.listKind', names.listKind, 'kind and listKind may not be the same'));
  for (const [index, shortName] of (names.shortNames ?? []).entries()) {
    const fault = serviceNameFault(shortName);
    if (fault !== undefined) errors.push(invalid(`spec.names.shortNames[${index}]`, shortName, fault));
  }
  return errors;
}

function approvalErrors(crd: CustomResourceDefinition, { group }: CrdSpec): FieldError[] {
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  if (!isProtected || crd.metadata.annotations?.[APPROVAL] !== undefined) return [];
  const why = `protected groups must have approval annotation "${APPROVAL}"`;
  return [required(`metadata.annotations[${APPROVAL}]`, why)];
}

function versionListErrors({ versions }: CrdSpec): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { name }] of versions.entries()) {
    const fault = labelFault(name ?? '');
    if (fault !== undefined) errors.push(invalid(`spec.versions[${index}].name`, name ?? '', fault));
    if (seen.has(name))
      errors.push(invalid('spec.versions', versions as unknown as Json, 'must contain unique version names'));
    seen.add(name);
  }
  if (versions.filter((version) => version.storage).length !== 1)
    errors.push(
      invalid('spec.versions', versions as unknown as Json, 'must have exactly one version marked as storage version'),
    );
  return errors;
}

interface VersionPaths {
  readonly version: string;
  readonly schema: string;
  readonly columns: string;
  readonly subresources: string;
}

/** With one version, errors have the paths of the older, version-less form. */
function paths({ versions }: CrdSpec, index: number): VersionPaths {
  const version = `spec.versions[${index}]`;
  const alone = versions.length === 1;
  return {
    version,
    schema: alone ? 'spec.validation.openAPIV3Schema' : `${version}.schema.openAPIV3Schema`,
    columns: alone ? 'spec.additionalPrinterColumns' : `${version}.additionalPrinterColumns`,
    subresources: alone ? 'spec.subresources' : `${version}.subresources`,
  };
}

function versionErrors(version: CrdVersion, at: VersionPaths): FieldError[] {
  const schema = version.schema?.openAPIV3Schema;
  if (schema === undefined) return [required(`${at.version}.schema.openAPIV3Schema`)];
  return [
    ...validateStructuralSchema(schema, at.schema),
    ...(version.additionalPrinterColumns ?? []).flatMap((column, index) =>
      columnErrors(column, `${at.columns}[${index}]`),
    ),
    ...scaleErrors(version, at.subresources),
    ...selectableErrors(version, schema, at.version),
  ];
}

function columnErrors({ name, type, jsonPath }: CrdColumn, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const list = COLUMN_TYPES.join(',');
  if (!name) errors.push(required(`${path}.name`));
  if (!type) errors.push(required(`${path}.type`, `must be one of ${list}`));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalid(`${path}.type`, type, `must be one of ${list}`));
  if (!jsonPath) errors.push(required(`${path}.JSONPath`));
  else if (!SIMPLE_PATH.test(jsonPath))
    errors.push(invalid(`${path}.JSONPath`, jsonPath, 'must be a simple json path starting with .'));
  return errors;
}

function scaleErrors({ subresources }: CrdVersion, path: string): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const errors: FieldError[] = [];
  const check = (field: 'specReplicasPath' | 'statusReplicasPath', under: string): void => {
    const value = scale[field] ?? '';
    if (value === '') errors.push(required(`${path}.scale.${field}`));
    else if (!value.startsWith(`${under}.`))
      errors.push(invalid(`${path}.scale.${field}`, value, `should be a json path under ${under}`));
  };
  check('specReplicasPath', '.spec');
  check('statusReplicasPath', '.status');
  return errors;
}

function selectableErrors({ selectableFields = [] }: CrdVersion, schema: SchemaNode, path: string): FieldError[] {
  return selectableFields.flatMap(({ jsonPath }, index) => {
    const field = `${path}.selectableFields[${index}].jsonPath`;
    if (!jsonPath) return [required(field)];
    const names = jsonPath.replace(/^\./, '').split('.');
    const found = names.reduce<SchemaNode | undefined>((node, name) => node?.properties?.[name], schema);
    if (names[0] === 'metadata') return [invalid(field, jsonPath, 'must not point to fields in metadata')];
    if (found === undefined) return [invalid(field, jsonPath, 'is an invalid path: does not refer to a valid field')];
    if (['string', 'boolean', 'integer'].includes(found.type ?? '')) return [];
    const why =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    return [invalid(field, jsonPath, why)];
  });
}

function immutableErrors(spec: CrdSpec, live: CrdSpec): FieldError[] {
  const why = 'field is immutable';
  return [
    ...(spec.group === live.group ? [] : [invalid('spec.group', spec.group, why)]),
    ...(spec.scope === live.scope ? [] : [invalid('spec.scope', spec.scope, why)]),
    ...(spec.names.kind === live.names.kind ? [] : [invalid('spec.names.kind', spec.names.kind, why)]),
    ...(spec.names.plural === live.names.plural ? [] : [forbidden('spec.names.plural', why)]),
  ];
}
