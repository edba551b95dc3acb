/** The apiextensions.k8s.io group: CustomResourceDefinition, whose schemas are checked by code rather than by a schema. */
import type { SchemaNode } from '../object.ts';
import { anything, flag, int32, int64, listBy, listOf, or, record, text, time } from './build.ts';
import { kind } from './meta.ts';

const names = record(
  {
    categories: listOf(text),
    kind: text,
    listKind: text,
    plural: text,
    shortNames: listOf(text),
    singular: text,
  },
  'kind',
  'plural',
);

const printerColumn = record(
  { description: text, format: text, jsonPath: text, name: text, priority: int32, type: text },
  'jsonPath',
  'name',
  'type',
);

const scale = record(
  { labelSelectorPath: text, specReplicasPath: text, statusReplicasPath: text },
  'specReplicasPath',
  'statusReplicasPath',
);

const version = record(
  {
    additionalPrinterColumns: listOf(printerColumn),
    deprecated: flag,
    deprecationWarning: text,
    name: text,
    schema: record({ openAPIV3Schema: anything }),
    selectableFields: listOf(record({ jsonPath: text }, 'jsonPath')),
    served: flag,
    storage: flag,
    subresources: record({ scale, status: anything }),
  },
  'name',
  'served',
  'storage',
);

const crdCondition = record(
  { lastTransitionTime: time, message: text, observedGeneration: int64, reason: text, status: text, type: text },
  'status',
  'type',
);

/** apiextensions.k8s.io/v1 CustomResourceDefinition. */
export const customResourceDefinition: SchemaNode = kind(
  {
    spec: record(
      {
        conversion: or(record({ strategy: text, webhook: anything }, 'strategy'), { strategy: 'None' }),
        group: text,
        names,
        preserveUnknownFields: flag,
        scope: text,
        versions: listOf(version),
      },
      'group',
      'names',
      'scope',
      'versions',
    ),
    status: record({
      acceptedNames: names,
      conditions: listBy(['type'], crdCondition),
      storedVersions: listOf(text),
    }),
  },
  'spec',
);
