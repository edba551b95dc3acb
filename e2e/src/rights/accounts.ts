/** Accounts with exactly the permissions that meshctl prints, and clients with their tokens. */
import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import type { KubeObject } from '@meshrelay/api';
import { builtProgram } from '@meshrelay/programs';
import { tokenOf } from '@meshrelay/testing/accounts';
import { Client } from '@meshrelay/testing/api-server';

/** The objects that a command of meshctl prints as JSON. */
export async function printed(...args: readonly string[]): Promise<readonly KubeObject[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [builtProgram('meshctl'), ...args, '-o', 'json']);
  return (JSON.parse(stdout) as { readonly items: readonly KubeObject[] }).items;
}

/** A client with a token of a ServiceAccount. @throws Error with the API server's message */
export async function bearer(admin: Client, namespace: string, name: string): Promise<Client> {
  return new Client({ ...admin.target, token: await tokenOf(admin, namespace, name) });
}

/** Whether the client may do everything. */
export async function isAdministrator(client: Client): Promise<boolean> {
  const { body } = await client.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { verb: '*', group: '*', resource: '*' } },
  });
  return body.status.allowed;
}
