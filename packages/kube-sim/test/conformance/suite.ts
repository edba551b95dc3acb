/** All conformance cases, and their environment. */
import { eventually } from '@meshrelay/testing';
import { Client, type Target } from '@meshrelay/testing/api-server';
import { type CaseContext, type ConformanceCase, expectStatus } from './conformance-case.ts';
import { crdCases, validationCases } from './custom-resources.ts';
import { applyCases, patchCases } from './patches.ts';
import { accessCases, discoveryCases, protocolCases } from './protocol.ts';
import { listCases, watchCases } from './reads.ts';
import { WIDGET_CRD, WIDGET_VERSION } from './widget-crd.ts';
import { createCases, deleteCases, replaceCases } from './writes.ts';

/** All cases. They need a server with RBAC (or a simulator), and no controllers. */
export const CASES: readonly ConformanceCase[] = [
  ...protocolCases,
  ...discoveryCases,
  ...accessCases,
  ...createCases,
  ...replaceCases,
  ...deleteCases,
  ...patchCases,
  ...applyCases,
  ...listCases,
  ...watchCases,
  ...crdCases,
  ...validationCases,
];

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Creates the kind that the cases write, once per server. */
export async function prepare(target: Target): Promise<void> {
  using client = new Client(target);
  const reply = await client.post(CRDS, WIDGET_CRD);
  if (reply.status !== 409) expectStatus(reply, 201);
  await eventually(
    'widgets are served',
    async () => (await client.get(`/apis/${WIDGET_VERSION}/widgets`)).status === 200,
  );
  await eventually('widgets are described', async () =>
    (await client.get('/openapi/v3')).text.includes(WIDGET_VERSION),
  );
}

/** Runs one case in a namespace of its own. */
export async function runCase(target: Target, { run }: ConformanceCase): Promise<void> {
  using client = new Client(target);
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'conformance-' } };
  const namespace: string = expectStatus(await client.post('/api/v1/namespaces', body), 201).body.metadata.name;
  const context: CaseContext = {
    client,
    namespace,
    widgets: `/apis/${WIDGET_VERSION}/namespaces/${namespace}/widgets`,
    core: (rest) => `/api/v1/namespaces/${namespace}/${rest}`,
  };
  try {
    await run(context);
  } finally {
    await client.delete(`/api/v1/namespaces/${namespace}`);
  }
}
