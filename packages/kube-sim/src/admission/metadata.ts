/** Rules of `metadata` for all kinds. */
import { type FieldError, forbidden, invalid, required } from '../errors/field-error.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import {
  labelFault,
  labelValueFault,
  pathSegmentFault,
  qualifiedNameFault,
  serviceNameFault,
  subdomainFault,
} from '../schema/names.ts';

const NAME_RULES = {
  subdomain: subdomainFault,
  label: labelFault,
  service: serviceNameFault,
  path: pathSegmentFault,
} as const;

/** The rules that `metadata` of a new object breaks. */
export function validateMetadata(object: KubeObject, definition: ResourceDefinition): FieldError[] {
  const { metadata } = object;
  if (metadata.name === '') return [required('metadata.name', 'name or generateName is required')];
  const fault = NAME_RULES[definition.strategy.nameRule ?? 'subdomain'](metadata.name);
  return [
    ...(fault === undefined ? [] : [invalid('metadata.name', metadata.name, fault)]),
    ...labelErrors(metadata),
    ...annotationErrors(metadata),
    ...ownerErrors(metadata),
    ...finalizerErrors(metadata),
  ];
}

/** The rules that a change of `metadata` breaks; server-owned fields were restored from the stored object before. */
export function validateMetadataUpdate(object: KubeObject, live: KubeObject): FieldError[] {
  const { metadata } = object;
  return [
    ...labelErrors(metadata),
    ...annotationErrors(metadata),
    ...ownerErrors(metadata),
    ...finalizerErrors(metadata),
    ...newFinalizerErrors(metadata, live.metadata),
    ...(metadata.uid !== undefined && metadata.uid !== live.metadata.uid
      ? [invalid('metadata.uid', metadata.uid, 'field is immutable')]
      : []),
  ];
}

function labelErrors(metadata: ObjectMeta): FieldError[] {
  return Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    const keyFault = qualifiedNameFault(key);
    const valueFault = labelValueFault(value);
    return [
      ...(keyFault === undefined ? [] : [invalid('metadata.labels', key, keyFault)]),
      ...(valueFault === undefined ? [] : [invalid('metadata.labels', value, valueFault)]),
    ];
  });
}

function annotationErrors(metadata: ObjectMeta): FieldError[] {
  return Object.keys(metadata.annotations ?? {}).flatMap((key) => {
    const fault = qualifiedNameFault(key.toLowerCase());
    return fault === undefined ? [] : [invalid('metadata.annotations', key, fault)];
  });
}

function ownerErrors(metadata: ObjectMeta): FieldError[] {
  const owners = metadata.ownerReferences ?? [];
  const missing = owners.flatMap((owner, index) =>
    (['apiVersion', 'kind', 'name', 'uid'] as const)
      .filter((field) => owner[field] === undefined || owner[field] === '')
      .map((field) => invalid(`metadata.ownerReferences[${index}].${field}`, '', 'must not be empty')),
  );
  const controllers = owners.filter((owner) => owner.controller === true);
  if (controllers.length < 2) return missing;
  const names = controllers.map((owner) => owner.kind).join(', ');
  const message = `Only one reference can have Controller set to true. Found "true" in references for ${names}`;
  return [...missing, invalid('metadata.ownerReferences', JSON.stringify(owners), message)];
}

function finalizerErrors(metadata: ObjectMeta): FieldError[] {
  return (metadata.finalizers ?? []).flatMap((name, index) => {
    const fault = qualifiedNameFault(name);
    return fault === undefined ? [] : [invalid(`metadata.finalizers[${index}]`, name, fault)];
  });
}

function newFinalizerErrors(metadata: ObjectMeta, live: ObjectMeta): FieldError[] {
  if (live.deletionTimestamp === undefined) return [];
  const former = new Set(live.finalizers ?? []);
  const added = (metadata.finalizers ?? []).filter((name) => !former.has(name));
  if (added.length === 0) return [];
  const list = added.map((name) => JSON.stringify(name)).join(', ');
  const message = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [forbidden('metadata.finalizers', message)];
}
