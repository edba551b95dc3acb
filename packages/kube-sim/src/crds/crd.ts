/** CustomResourceDefinitions as this package reads them. */
import type { KubeObject, SchemaNode } from '../object.ts';

/** `apiextensions.k8s.io/v1` CustomResourceDefinition. */
export interface CustomResourceDefinition extends KubeObject {
  spec: CrdSpec;
  status?: CrdStatus;
}

/** Spec of a CRD. */
export interface CrdSpec {
  group: string;
  names: CrdNames;
  scope: string;
  versions: CrdVersion[];
  conversion?: { strategy: string };
  preserveUnknownFields?: boolean;
}

/** The names of the defined resource. */
export interface CrdNames {
  plural: string;
  singular?: string;
  kind: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
}

/** One version of the defined resource. */
export interface CrdVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: SchemaNode };
  subresources?: {
    status?: object;
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
  };
  additionalPrinterColumns?: CrdColumn[];
  selectableFields?: { jsonPath: string }[];
}

/** A printer column of a version. */
export interface CrdColumn {
  name: string;
  type: string;
  jsonPath: string;
  format?: string;
  description?: string;
  priority?: number;
}

/** Status of a CRD. */
export interface CrdStatus {
  conditions?: CrdCondition[] | null;
  acceptedNames?: CrdNames;
  storedVersions?: string[];
}

/** One condition of a CRD. */
export interface CrdCondition {
  type: 'Established' | 'NamesAccepted' | 'Terminating';
  status: 'True' | 'False';
  reason: string;
  message: string;
  lastTransitionTime: string;
}

/** The resource CRDs are stored under. */
export const CRDS = { group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' } as const;
/** Keeps a deleted CRD until its instances are deleted. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';
