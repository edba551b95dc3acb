/** ServiceAccounts of an API server under test, created by applying objects that grant their permissions. */
import type { Client } from './api-server.ts';

/** The fields of an object that locate it. */
export type Named = Pick<AppliedObject, 'apiVersion' | 'kind' | 'metadata'>;

/** An object to apply. */
export interface AppliedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Plurals that differ from the kind's name plus s. */
const PLURALS: Readonly<Record<string, string>> = {
  AccessPolicy: 'accesspolicies',
  AuthorizationPolicy: 'authorizationpolicies',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
};

/** Creates objects by server-side apply, in order. @throws Error with the API server's message */
export async function applyAll(admin: Client, objects: readonly Named[]): Promise<void> {
  for (const object of objects) {
    const { status, text } = await admin.patch(`${pathOf(object)}?fieldManager=test&force=true`, 'apply', object);
    if (status >= 300) throw new Error(`${object.kind} ${object.metadata.name} is refused: ${text}`);
  }
}

/** A token of a ServiceAccount. @throws Error with the API server's message */
export async function tokenOf(admin: Client, namespace: string, name: string): Promise<string> {
  const { status, text, body } = await admin.post(`/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600 },
  });
  if (status !== 201) throw new Error(`no token for ServiceAccount ${namespace}/${name}: ${text}`);
  return body.status.token;
}

/** URL path of an object. */
export function pathOf({ apiVersion, kind, metadata: { name, namespace } }: Named): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = PLURALS[kind] ?? `${kind.toLowerCase()}s`;
  return `${root}/${namespace === undefined ? '' : `namespaces/${namespace}/`}${plural}/${name}`;
}
