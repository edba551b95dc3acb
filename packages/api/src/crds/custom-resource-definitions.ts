// The CRDs of Meshrelay's kinds, built from the schemas that also decode objects.
import { descriptions } from '../gen/descriptions.ts';
import type { KindDefinition } from '../registry/kind-definition.ts';
import { kinds } from '../registry/kinds.ts';
import type { CrdVersion, CustomResourceDefinition, StructuralSchema } from './custom-resource-definition.ts';
import { structuralSchema } from './structural-schema.ts';

/** Every CRD, in the order of {@link kinds}. */
export const crds: readonly CustomResourceDefinition[] = kinds.map(customResourceDefinition);

function customResourceDefinition(definition: KindDefinition): CustomResourceDefinition {
  const { group, kind, plural, singular, shortNames, scope } = definition;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: { 'app.kubernetes.io/part-of': 'meshrelay' } },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames }),
        categories: ['meshrelay'],
      },
      scope,
      versions: [version(definition)],
    },
  };
}

function version(definition: KindDefinition): CrdVersion {
  return {
    name: definition.version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: rootSchema(definition) },
    ...(definition.statusSubresource ? { subresources: { status: {} } } : {}),
    additionalPrinterColumns: definition.printerColumns,
  };
}

function rootSchema({ kind, nameSchema, specSchema, statusSchema }: KindDefinition): StructuralSchema {
  return {
    type: 'object',
    description: descriptions[kind] ?? kind,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: 'Group and version the object is written in.' },
      kind: { type: 'string', description: 'The kind of the object.' },
      // Everything else in metadata is up to Kubernetes.
      metadata: {
        type: 'object',
        ...(nameSchema === undefined
          ? {}
          : { properties: { name: { ...structuralSchema(nameSchema), description: 'Unique within the namespace.' } } }),
      },
      spec: structuralSchema(specSchema),
      ...(statusSchema === undefined ? {} : { status: structuralSchema(statusSchema) }),
    },
  };
}
