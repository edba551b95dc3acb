// Object metadata of Kubernetes, as far as Meshrelay reads or writes it.
import * as z from 'zod/mini';
import { anyLength, labels, mapOf } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { count, dnsName, flag, name, text } from '../schema/scalar.ts';

/** One entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  /** Group and version of the owner. */
  readonly apiVersion: string;
  /** Kind of the owner. */
  readonly kind: string;
  /** The owner's name, in the same namespace. */
  readonly name: string;
  /** Distinguishes the owner from a later one of the same name. */
  readonly uid: string;
  /** True on the one owner that manages this object. */
  readonly controller?: boolean;
  /** True when the owner's foreground deletion waits for this object. */
  readonly blockOwnerDeletion?: boolean;
}

/** The `metadata` of any Kubernetes object; timestamps are RFC 3339 text. */
export interface KubeMetadata {
  /** Unique within kind and namespace. */
  readonly name: string;
  /** Absent on cluster-scoped objects. */
  readonly namespace?: string;
  /** Labels that selectors match. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Free text by key. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Unique in time and space within one cluster; absent on objects from a file. */
  readonly uid?: string;
  /** Opaque; compared for equality only. */
  readonly resourceVersion?: string;
  /** Incremented by the API server whenever the spec changes. */
  readonly generation?: number;
  /** When the API server created the object. */
  readonly creationTimestamp?: string | null;
  /** Set once deletion was requested and finalizers are pending. */
  readonly deletionTimestamp?: string | null;
  /** Seconds the deletion may take. */
  readonly deletionGracePeriodSeconds?: number | null;
  /** Must be empty before the object is removed. */
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  /** Prefix from which the API server generates a name on create. */
  readonly generateName?: string;
  /** No longer set; old files have it. */
  readonly selfLink?: string;
  /** Field ownership of server-side apply, not interpreted. */
  readonly managedFields?: readonly unknown[];
}

const ownerReference: z.ZodMiniType<OwnerReference> = object<OwnerReference>('OwnerReference', {
  required: { apiVersion: name, kind: name, name, uid: text },
  optional: { controller: flag, blockOwnerDeletion: flag },
});

/** Schema of {@link KubeMetadata}. @param nameSchema syntax of the object's name */
export function kubeMetadata(nameSchema: z.ZodMiniType<string> = dnsName): z.ZodMiniType<KubeMetadata> {
  return object<KubeMetadata>('metadata', {
    required: { name: nameSchema },
    optional: {
      namespace: dnsName,
      labels,
      annotations: mapOf(text),
      uid: text,
      resourceVersion: text,
      generation: count,
      creationTimestamp: z.nullable(text),
      deletionTimestamp: z.nullable(text),
      deletionGracePeriodSeconds: z.nullable(count),
      finalizers: anyLength(text),
      ownerReferences: anyLength(ownerReference),
      generateName: text,
      selfLink: text,
      managedFields: z.array(z.unknown()),
    },
  });
}
