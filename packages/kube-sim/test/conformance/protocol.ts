/** Paths, media types, discovery and OpenAPI. */
import { assert, eventually } from '@meshrelay/testing';
import { area, type ConformanceCase, expectFailure, expectStatus } from './conformance-case.ts';
import { configMap, WIDGET_GROUP, WIDGET_VERSION, widget } from './widget-crd.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

/** Cases of the protocol around the objects. */
export const protocolCases: ConformanceCase[] = area('protocol', {
  'an unknown path is a plain-text 404': async ({ client }) => {
    for (const path of ['/nope', '/apis/no.such/v1', '/apis/no.such', `/apis/${WIDGET_VERSION}/nopes`]) {
      const reply = expectStatus(await client.get(path), 404);
      assert.is(reply.text, '404 page not found\n');
      assert.match(String(reply.headers['content-type']), 'text/plain');
    }
  },
  'an unknown resource of a built-in group is a Status 404': async ({ client }) => {
    for (const path of ['/apis/apps/v1/nopes', '/apis/apps/v9', '/api/v2/pods', '/api/v1/nopes'])
      expectFailure(await client.get(path), 404, 'NotFound', 'the server could not find the requested resource');
  },
  'an unknown object is a Status 404': async ({ client, core, widgets }) => {
    const core404 = await client.get(core('configmaps/nope'));
    expectFailure(core404, 404, 'NotFound', 'configmaps "nope" not found');
    assert.equal(core404.body.details, { name: 'nope', kind: 'configmaps' });
    const custom404 = await client.get(`${widgets}/nope`);
    expectFailure(custom404, 404, 'NotFound', `widgets.${WIDGET_GROUP} "nope" not found`);
    assert.equal(custom404.body.details, { name: 'nope', group: WIDGET_GROUP, kind: 'widgets' });
  },
  'health and version answer': async ({ client }) => {
    for (const path of ['/healthz', '/readyz', '/livez']) assert.is((await client.get(path)).text, 'ok');
    const { body } = await client.get('/version');
    assert.match(body.gitVersion, /^v1\.\d+\.\d+/);
    assert.is(body.major, '1');
  },
  'HTML is not acceptable': async ({ client, core, widgets }) => {
    const types = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
    const custom = await client.get(widgets, { accept: 'text/html' });
    expectFailure(custom, 406, 'NotAcceptable', `only the following media types are accepted: ${types}`);
    const builtin = await client.get(core('configmaps/a'), { accept: 'text/html' });
    expectFailure(builtin, 406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${types}`);
  },
  'a plain-text body is not supported': async ({ client, core }) => {
    const reply = await client.send('POST', core('configmaps'), { body: 'x', type: 'text/plain' });
    expectFailure(
      reply,
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    );
  },
  'core objects can be read as YAML': async ({ client, core }) => {
    await client.post(core('configmaps'), configMap('a', { x: '1' }));
    const reply = expectStatus(await client.get(core('configmaps/a'), { accept: 'application/yaml' }), 200);
    assert.match(String(reply.headers['content-type']), 'application/yaml');
    assert.match(reply.text, 'kind: ConfigMap');
  },
  'markup is escaped as Go does': async ({ client, core }) => {
    await client.post(core('configmaps'), configMap('a', { x: '<&>' }));
    assert.match((await client.get(core('configmaps/a'))).text, '\\u003c\\u0026\\u003e');
  },
  'metadata alone can be asked for': async ({ client, widgets }) => {
    await client.post(widgets, widget('a', { color: 'red' }));
    const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
    const { body } = await client.get(`${widgets}/a`, { accept });
    assert.is(body.kind, 'PartialObjectMetadata');
    assert.is(body.metadata.name, 'a');
    assert.is(body.spec, undefined);
    const list = await client.get(widgets, { accept: accept.replace('Metadata;', 'MetadataList;') });
    assert.is(list.body.kind, 'PartialObjectMetadataList');
  },
  'a custom kind prints its columns': async ({ client, widgets }) => {
    await client.post(widgets, widget('a', { color: 'red', replicas: 2 }));
    const { body } = await client.get(widgets, { accept: TABLE });
    assert.is(body.kind, 'Table');
    assert.equal(
      body.columnDefinitions.map((each: { name: string }) => each.name),
      ['Name', 'Color', 'Replicas', 'Phase', 'Age'],
    );
    assert.is(body.columnDefinitions[0].format, 'name');
    assert.is(
      body.columnDefinitions[1].description,
      'Custom resource definition column (in JSONPath format): .spec.color',
    );
    assert.is(body.columnDefinitions[3].priority, 1);
    const [row] = body.rows;
    assert.equal(row.cells.slice(0, 4), ['a', 'red', 2, null]);
    assert.match(row.cells[4], /^\d+s$/);
    assert.is(row.object.kind, 'PartialObjectMetadata');
  },
  'rows carry what includeObject says': async ({ client, widgets }) => {
    await client.post(widgets, widget('a', { color: 'red' }));
    const whole = await client.get(`${widgets}?includeObject=Object`, { accept: TABLE });
    assert.is(whole.body.rows[0].object.spec.color, 'red');
    const none = await client.get(`${widgets}?includeObject=None`, { accept: TABLE });
    assert.is(none.body.rows[0].object ?? undefined, undefined);
  },
  'built-in kinds print their columns': async ({ client, core }) => {
    await client.post(core('configmaps'), configMap('table-a', { x: '1', y: '2' }));
    const { body } = await client.get(core('configmaps/table-a'), { accept: TABLE });
    assert.equal(
      body.columnDefinitions.map((each: { name: string }) => each.name),
      ['Name', 'Data', 'Age'],
    );
    assert.equal(body.rows[0].cells.slice(0, 2), ['table-a', 2]);
  },
});

/** Cases of discovery and OpenAPI. */
export const discoveryCases: ConformanceCase[] = area('discovery', {
  'the aggregated form lists custom resources': async ({ client }) => {
    const reply = expectStatus(await client.get('/apis', { accept: AGGREGATED }), 200);
    assert.is(reply.headers['content-type'], 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    const group = reply.body.items.find((each: { metadata: { name: string } }) => each.metadata.name === WIDGET_GROUP);
    const [version] = group.versions;
    assert.is(version.freshness, 'Current');
    const found = version.resources.find((each: { resource: string }) => each.resource === 'widgets');
    assert.equal(found.responseKind, { group: WIDGET_GROUP, version: 'v1', kind: 'Widget' });
    assert.is(found.scope, 'Namespaced');
    assert.is(found.singularResource, 'widget');
    assert.equal(found.verbs, ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']);
    assert.equal(found.subresources.map((each: { subresource: string }) => each.subresource).sort(), [
      'scale',
      'status',
    ]);
  },
  'the aggregated core group leaves group and version of its kinds empty': async ({ client }) => {
    const { body } = await client.get('/api', { accept: AGGREGATED });
    const found = body.items[0].versions[0].resources.find(
      (each: { resource: string }) => each.resource === 'configmaps',
    );
    assert.equal(found.responseKind, { group: '', version: '', kind: 'ConfigMap' });
    assert.equal(found.shortNames, ['cm']);
  },
  'an unchanged aggregated document is a 304': async ({ client }) => {
    const first = await client.get('/api', { accept: AGGREGATED });
    const headers = { 'if-none-match': String(first.headers['etag']) };
    expectStatus(await client.get('/api', { accept: AGGREGATED, headers }), 304);
  },
  'the legacy documents hang together': async ({ client }) => {
    assert.equal((await client.get('/api')).body.versions, ['v1']);
    const groups = (await client.get('/apis')).body.groups.map((each: { name: string }) => each.name);
    assert.ok(groups.includes('apps') && groups.includes(WIDGET_GROUP));
    const group = (await client.get(`/apis/${WIDGET_GROUP}`)).body;
    assert.equal(group.preferredVersion, { groupVersion: WIDGET_VERSION, version: 'v1' });
    const list = (await client.get(`/apis/${WIDGET_VERSION}`)).body;
    assert.is(list.kind, 'APIResourceList');
    assert.equal(list.resources.map((each: { name: string }) => each.name).sort(), [
      'widgets',
      'widgets/scale',
      'widgets/status',
    ]);
    const scale = list.resources.find((each: { name: string }) => each.name === 'widgets/scale');
    assert.is(scale.group, 'autoscaling');
    assert.is(scale.kind, 'Scale');
  },
  'OpenAPI v3 says which parameters a patch takes': async ({ client }) => {
    const index = (await client.get('/openapi/v3')).body;
    const { serverRelativeURL } = index.paths[`apis/${WIDGET_VERSION}`];
    assert.match(serverRelativeURL, /^\/openapi\/v3\/apis\/.*\?hash=[0-9A-F]{128}$/);
    const reply = expectStatus(await client.get(serverRelativeURL), 200);
    assert.match(String(reply.headers['cache-control']), 'immutable');
    const { patch } = reply.body.paths[`/apis/${WIDGET_VERSION}/namespaces/{namespace}/widgets/{name}`];
    assert.is(patch['x-kubernetes-action'], 'patch');
    assert.equal(patch['x-kubernetes-group-version-kind'], { group: WIDGET_GROUP, version: 'v1', kind: 'Widget' });
    const names = patch.parameters.map((each: { name: string }) => each.name);
    for (const name of ['dryRun', 'fieldManager', 'fieldValidation', 'force']) assert.ok(names.includes(name), name);
    const schema = reply.body.components.schemas['dev.meshrelay.conformance.v1.Widget'];
    assert.is(schema.properties.spec.properties.mode.default, 'auto');
  },
  'a wrong hash leads to the right one': async ({ client }) => {
    const reply = expectStatus(await client.get('/openapi/v3/api/v1?hash=ABC'), 301);
    assert.match(String(reply.headers['location']), '/openapi/v3/api/v1?hash=');
  },
});

/** Cases of authentication. */
export const accessCases: ConformanceCase[] = area('access', {
  'an unknown token is a 401': async ({ client, core }) => {
    expectFailure(await client.get(core('pods'), { token: 'unknown' }), 401, 'Unauthorized', 'Unauthorized');
  },
  'no credential is anonymous, and refused': async ({ client, core, namespace }) => {
    const reply = await client.get(core('pods'), { token: null });
    const message = `pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "${namespace}"`;
    expectFailure(reply, 403, 'Forbidden', message);
  },
  'a reviewed ServiceAccount token is its ServiceAccount': async ({ client, core, namespace }) => {
    await client.post(core('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'bob' } });
    const ask = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: ['meshrelay'], expirationSeconds: 600 },
    };
    const { token } = expectStatus(await client.post(core('serviceaccounts/bob/token'), ask), 201).body.status;
    const review = (audience: string, given: string) =>
      client.post('/apis/authentication.k8s.io/v1/tokenreviews', {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: given, audiences: [audience] },
      });
    const good = expectStatus(await review('meshrelay', token), 201).body.status;
    assert.is(good.authenticated, true);
    assert.is(good.user.username, `system:serviceaccount:${namespace}:bob`);
    assert.equal(good.audiences, ['meshrelay']);
    assert.not.ok((await review('others', token)).body.status.authenticated);
    assert.not.ok((await review('meshrelay', `${token}x`)).body.status.authenticated);
  },
  'a token that is bound to a pod names it, and ends with it': async ({ client, core, namespace }) => {
    await client.post(core('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'eve' } });
    const pod = (serviceAccountName: string, name: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { serviceAccountName, nodeName: '', containers: [{ name: 'c', image: 'c' }] },
    });
    const { uid } = expectStatus(await client.post(core('pods'), pod('eve', 'bound')), 201).body.metadata;
    const ask = (name: string, bound: object = {}) =>
      client.post(core('serviceaccounts/eve/token'), {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: ['meshrelay'], boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, ...bound } },
      });
    expectStatus(await ask('missing'), 404);
    expectStatus(await ask('bound', { uid: '0' }), 409);
    const { token } = expectStatus(await ask('bound'), 201).body.status;
    const review = async () =>
      expectStatus(
        await client.post('/apis/authentication.k8s.io/v1/tokenreviews', {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenReview',
          spec: { token, audiences: ['meshrelay'] },
        }),
        201,
      ).body.status;
    const { user } = await review();
    assert.is(user.username, `system:serviceaccount:${namespace}:eve`);
    assert.equal(user.extra['authentication.kubernetes.io/pod-name'], ['bound']);
    assert.equal(user.extra['authentication.kubernetes.io/pod-uid'], [uid]);
    await client.delete(`${core('pods/bound')}?gracePeriodSeconds=0`);
    // A real server caches for some seconds that it accepted a token.
    await eventually('the token is no longer valid', async () => (await review()).authenticated !== true, {
      deadline: 60_000,
    });
  },
  'an access review says yes to the administrator': async ({ client, namespace }) => {
    const reply = await client.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { namespace, verb: 'create', resource: 'pods' } },
    });
    assert.is(expectStatus(reply, 201).body.status.allowed, true);
  },
});
