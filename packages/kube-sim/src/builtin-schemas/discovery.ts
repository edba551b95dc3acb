/** The discovery.k8s.io group: EndpointSlice. */
import type { SchemaNode } from '../object.ts';
import { atomic, flag, int32, listOf, mapOf, record, setOf, text, textOr } from './build.ts';
import { objectReference } from './core-reference.ts';
import { kind } from './meta.ts';

const endpointConditions = record({ ready: flag, serving: flag, terminating: flag });

const forNode = record({ name: text }, 'name');

const forZone = record({ name: text }, 'name');

const endpointHints = record({ forNodes: listOf(forNode), forZones: listOf(forZone) });

const endpoint = record(
  {
    addresses: setOf(text),
    conditions: endpointConditions,
    deprecatedTopology: mapOf(text),
    hints: endpointHints,
    hostname: text,
    nodeName: text,
    targetRef: objectReference,
    zone: text,
  },
  'addresses',
);

const endpointPort = atomic(record({ appProtocol: text, name: text, port: int32, protocol: textOr('TCP') }, 'port'));

/** discovery.k8s.io/v1 EndpointSlice. */
export const endpointSlice: SchemaNode = kind(
  { addressType: text, endpoints: listOf(endpoint), ports: listOf(endpointPort) },
  'addressType',
);
