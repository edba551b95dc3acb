/** Objects of a mesh, as plugins generate them. */
import type { ResourceKind } from './kubernetes/resource-kind.ts';

/** An object of a mesh, complete except for what core adds (owner labels, provenance). */
export interface NativeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Refers to an object that several views contribute to. */
export interface NativeObjectRef {
  readonly cluster: string;
  readonly kind: ResourceKind;
  readonly namespace: string;
  readonly name: string;
}
