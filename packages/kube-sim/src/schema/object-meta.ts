/** The schema of `metadata`, which is the same for every kind. */
import type { SchemaNode } from '../object.ts';

const text: SchemaNode = { type: 'string' };
const time: SchemaNode = { type: 'string', format: 'date-time' };
const count: SchemaNode = { type: 'integer', format: 'int64' };
const textMap: SchemaNode = { type: 'object', additionalProperties: text };

const ownerReference: SchemaNode = {
  type: 'object',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: text,
    kind: text,
    name: text,
    uid: text,
    controller: { type: 'boolean' },
    blockOwnerDeletion: { type: 'boolean' },
  },
  'x-kubernetes-map-type': 'atomic',
};

const managedFieldsEntry: SchemaNode = {
  type: 'object',
  properties: {
    manager: text,
    operation: text,
    apiVersion: text,
    time,
    fieldsType: text,
    fieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    subresource: text,
  },
};

/** `meta/v1.ObjectMeta`. */
export const objectMetaSchema: SchemaNode = {
  type: 'object',
  description: "Standard object's metadata.",
  properties: {
    annotations: { ...textMap, description: 'Unstructured data that tools attach to the object.' },
    creationTimestamp: { ...time, description: 'When the server made the object. Set by the server.' },
    deletionGracePeriodSeconds: {
      ...count,
      description: 'Seconds the object has to end by itself. Set by the server.',
    },
    deletionTimestamp: { ...time, description: 'When deletion was requested. Set by the server.' },
    finalizers: {
      type: 'array',
      items: text,
      description: 'Names of those who must act before the object is removed.',
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
    generateName: { ...text, description: 'Prefix of a unique name the server makes when name is not given.' },
    generation: { ...count, description: 'Number of the desired state. Set by the server.' },
    labels: { ...textMap, description: 'Keys and values by which objects are selected.' },
    managedFields: {
      type: 'array',
      items: managedFieldsEntry,
      description: 'Who set which fields. Set by the server.',
    },
    name: { ...text, description: 'Name, unique within the namespace.' },
    namespace: { ...text, description: 'Namespace the object is in.' },
    ownerReferences: {
      type: 'array',
      items: ownerReference,
      description: 'Objects this one depends on; it is removed once all of them are gone.',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-merge-key': 'uid',
      'x-kubernetes-patch-strategy': 'merge',
    },
    resourceVersion: { ...text, description: 'Version of the stored object, opaque to clients. Set by the server.' },
    selfLink: text,
    uid: { ...text, description: 'Identifies the object in time and space. Set by the server.' },
  },
};
