/** Create, replace, delete, and fields that the server adds. */
import { assert } from '@meshrelay/testing';
import { area, type ConformanceCase, expectFailure, expectStatus } from './conformance-case.ts';
import { configMap, WIDGET_GROUP, WIDGET_VERSION, widget } from './widget-crd.ts';

/** Cases of create. */
export const createCases: ConformanceCase[] = area('create', {
  'the server adds identity and defaults': async ({ client, widgets, namespace }) => {
    const { body } = expectStatus(
      await client.post(
        widgets,
        widget(
          'a',
          { ports: [{ port: 80 }] },
          { uid: 'mine', generation: 7, creationTimestamp: '2001-01-01T00:00:00Z' },
        ),
      ),
      201,
    );
    assert.is(body.metadata.namespace, namespace);
    assert.is(body.metadata.generation, 1);
    assert.is.not(body.metadata.uid, 'mine');
    assert.match(body.metadata.creationTimestamp, /^20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.is.not(body.metadata.creationTimestamp, '2001-01-01T00:00:00Z');
    assert.is(body.spec.mode, 'auto');
    assert.is(body.spec.ports[0].protocol, 'TCP');
  },
  'a second one of the name is a 409': async ({ client, widgets, core }) => {
    await client.post(widgets, widget('a'));
    expectFailure(
      await client.post(widgets, widget('a')),
      409,
      'AlreadyExists',
      `widgets.${WIDGET_GROUP} "a" already exists`,
    );
    await client.post(core('configmaps'), configMap('a'));
    expectFailure(
      await client.post(core('configmaps'), configMap('a')),
      409,
      'AlreadyExists',
      'configmaps "a" already exists',
    );
  },
  'generateName adds five characters': async ({ client, widgets }) => {
    const body = { apiVersion: WIDGET_VERSION, kind: 'Widget', metadata: { generateName: 'w-' } };
    const name = expectStatus(await client.post(widgets, body), 201).body.metadata.name;
    assert.match(name, /^w-[a-z0-9]{5}$/);
  },
  'a long generateName is cut to 63 characters': async ({ client, core }) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'x'.repeat(80) } };
    assert.is(expectStatus(await client.post(core('configmaps'), body), 201).body.metadata.name.length, 63);
  },
  'a resourceVersion may not be given': async ({ client, widgets }) => {
    const reply = await client.post(widgets, widget('a', {}, { resourceVersion: '1' }));
    expectFailure(reply, 500, undefined, 'resourceVersion should not be set on objects to be created');
  },
  'another namespace than that of the URL is a 400': async ({ client, widgets }) => {
    const reply = await client.post(widgets, widget('a', {}, { namespace: 'elsewhere' }));
    expectFailure(
      reply,
      400,
      'BadRequest',
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  },
  'a missing namespace is a 404': async ({ client }) => {
    const reply = await client.post('/api/v1/namespaces/no-such-place/configmaps', configMap('a'));
    expectFailure(reply, 404, 'NotFound', 'namespaces "no-such-place" not found');
  },
  'another apiVersion than that of the URL is a 400': async ({ client, widgets }) => {
    const reply = await client.post(widgets, { ...widget('a'), apiVersion: `${WIDGET_GROUP}/v2` });
    expectFailure(reply, 400, 'BadRequest', /does not match the expected API version/);
  },
  'another kind than that of the URL is refused': async ({ client, core, widgets }) => {
    const secret = await client.post(core('configmaps'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });
    expectFailure(
      secret,
      400,
      'BadRequest',
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    );
    const other = await client.post(widgets, { ...widget('a'), kind: 'Other' });
    expectFailure(
      other,
      422,
      'Invalid',
      `Other.${WIDGET_GROUP} "a" is invalid: kind: Invalid value: "Other": must be Widget`,
    );
  },
  'a null among the ports of a Service is a port without a number': async ({ client, core }) => {
    const metadata = { name: 'nulls' };
    const body = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [null] } };
    expectFailure(
      await client.post(core('services'), body),
      422,
      'Invalid',
      /spec\.ports\[0\]\.port: Invalid value: 0/,
    );
  },
  'a bad name is a 422': async ({ client, core }) => {
    const reply = await client.post(core('configmaps'), configMap('Bad_Name'));
    expectFailure(
      reply,
      422,
      'Invalid',
      /^ConfigMap "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist of/,
    );
    assert.is(reply.body.details.causes[0].reason, 'FieldValueInvalid');
    assert.is(reply.body.details.causes[0].field, 'metadata.name');
  },
  'a bad label value is a 422': async ({ client, core }) => {
    const reply = await client.post(core('configmaps'), configMap('a', {}, { labels: { a: 'not good' } }));
    expectFailure(reply, 422, 'Invalid', /metadata\.labels: Invalid value: "not good": a valid label must be/);
  },
  'a value of the wrong type in a built-in kind is a 400': async ({ client, core }) => {
    const reply = await client.post(core('configmaps'), configMap('a', { x: true }));
    expectFailure(
      reply,
      400,
      'BadRequest',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal bool into Go struct field ConfigMap.data of type string',
    );
  },
  'a dry run stores nothing': async ({ client, widgets }) => {
    const reply = expectStatus(await client.post(`${widgets}?dryRun=All`, widget('a')), 201);
    assert.is(reply.body.spec.mode, 'auto');
    expectStatus(await client.get(`${widgets}/a`), 404);
    expectFailure(
      await client.post(`${widgets}?dryRun=Some`, widget('a')),
      422,
      'Invalid',
      /dryRun: Unsupported value: \["Some"\]: supported values: "All"$/,
    );
  },
  'status is dropped where it is a subresource': async ({ client, widgets }) => {
    const { body } = await client.post(widgets, { ...widget('a'), status: { phase: 'Up' } });
    assert.is(body.status, undefined);
  },
  'a Service gets an address': async ({ client, core }) => {
    const body = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { selector: { a: 'b' }, ports: [{ port: 80 }] },
    };
    const { spec } = expectStatus(await client.post(core('services'), body), 201).body;
    assert.match(spec.clusterIP, /^\d+\.\d+\.\d+\.\d+$/);
    assert.equal(spec.clusterIPs, [spec.clusterIP]);
    assert.equal(spec.ports, [{ port: 80, protocol: 'TCP', targetPort: 80 }]);
    assert.is(spec.type, 'ClusterIP');
    assert.is(spec.sessionAffinity, 'None');
  },
  'the creator owns what it sent and its defaults, not what the server adds': async ({ client, core }) => {
    const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } };
    const { managedFields } = (await client.post(core('services'), body)).body.metadata;
    const port = { '.': {}, 'f:port': {}, 'f:protocol': {}, 'f:targetPort': {} };
    assert.equal(managedFields[0].fieldsV1, {
      'f:spec': {
        'f:internalTrafficPolicy': {},
        'f:ports': { '.': {}, 'k:{"port":80,"protocol":"TCP"}': port },
        'f:sessionAffinity': {},
        'f:type': {},
      },
    });
  },
  'what a built-in kind must have is required': async ({ client, namespace }) => {
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: {} };
    const spec = { selector: { matchLabels: labels }, template };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec };
    const reply = await client.post(`/apis/apps/v1/namespaces/${namespace}/deployments`, deployment);
    const message = 'Deployment.apps "a" is invalid: spec.template.spec.containers: Required value';
    expectFailure(reply, 422, 'Invalid', message);
  },
  'a malformed time is a 400': async ({ client, namespace }) => {
    const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' } };
    const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    const reply = await client.post(path, { ...lease, spec: { renewTime: 'now' } });
    expectFailure(reply, 400, 'BadRequest', /^Lease in version "v1" cannot be handled as a Lease: parsing time "now"/);
  },
  'stringData of a Secret becomes data': async ({ client, core }) => {
    const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { p: 'q' } };
    const reply = expectStatus(await client.post(core('secrets'), body), 201);
    assert.equal(reply.body.data, { p: 'cQ==' });
    assert.is(reply.body.stringData, undefined);
    assert.is(reply.body.type, 'Opaque');
  },
  'a Deployment gets its defaults': async ({ client, namespace }) => {
    const labels = { app: 'web' };
    const body = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
      },
    };
    const { spec } = expectStatus(
      await client.post(`/apis/apps/v1/namespaces/${namespace}/deployments`, body),
      201,
    ).body;
    assert.is(spec.replicas, 1);
    assert.equal(spec.strategy, { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } });
    assert.is(spec.template.spec.restartPolicy, 'Always');
    assert.is(spec.template.spec.containers[0].imagePullPolicy, 'Always');
  },
});

/** Cases of replace. */
export const replaceCases: ConformanceCase[] = area('replace', {
  'a stale resourceVersion is a 409': async ({ client, widgets }) => {
    const { body } = await client.post(widgets, widget('a'));
    expectStatus(await client.put(`${widgets}/a`, { ...body, spec: { color: 'red' } }), 200);
    const reply = await client.put(`${widgets}/a`, { ...body, spec: { color: 'blue' } });
    expectFailure(
      reply,
      409,
      'Conflict',
      `Operation cannot be fulfilled on widgets.${WIDGET_GROUP} "a": the object has been modified; please apply your changes to the latest version and try again`,
    );
  },
  'a custom object needs its resourceVersion': async ({ client, widgets }) => {
    await client.post(widgets, widget('a'));
    expectFailure(
      await client.put(`${widgets}/a`, widget('a')),
      422,
      'Invalid',
      /metadata\.resourceVersion: Invalid value: .*: must be specified for an update/,
    );
  },
  'a ConfigMap does not need its resourceVersion': async ({ client, core }) => {
    await client.post(core('configmaps'), configMap('a', { x: '1' }));
    const { body } = expectStatus(await client.put(core('configmaps/a'), configMap('a', { x: '2' })), 200);
    assert.equal(body.data, { x: '2' });
  },
  'a missing object is a 404': async ({ client, core }) => {
    expectFailure(await client.put(core('configmaps/a'), configMap('a')), 404, 'NotFound', 'configmaps "a" not found');
  },
  'another name than that of the URL is a 400': async ({ client, core }) => {
    await client.post(core('configmaps'), configMap('a'));
    const reply = await client.put(core('configmaps/a'), configMap('b'));
    expectFailure(reply, 400, 'BadRequest', 'the name of the object (b) does not match the name on the URL (a)');
  },
  'an equal object changes nothing': async ({ client, widgets }) => {
    const { body } = await client.post(widgets, widget('a', { color: 'red' }));
    const again = expectStatus(await client.put(`${widgets}/a`, body), 200).body;
    assert.is(again.metadata.resourceVersion, body.metadata.resourceVersion);
  },
  'generation counts changes of the spec only': async ({ client, widgets }) => {
    const created = (await client.post(widgets, widget('a', { color: 'red' }))).body;
    const labelled = (
      await client.put(`${widgets}/a`, { ...created, metadata: { ...created.metadata, labels: { a: 'b' } } })
    ).body;
    assert.is(labelled.metadata.generation, 1);
    const status = (await client.put(`${widgets}/a/status`, { ...labelled, status: { phase: 'Up' } })).body;
    assert.is(status.metadata.generation, 1);
    const changed = (await client.put(`${widgets}/a`, { ...status, spec: { color: 'blue' } })).body;
    assert.is(changed.metadata.generation, 2);
  },
  'the status endpoint writes nothing but status': async ({ client, widgets }) => {
    const created = (await client.post(widgets, widget('a', { color: 'red' }))).body;
    const body = {
      ...created,
      metadata: { ...created.metadata, labels: { a: 'b' } },
      spec: { color: 'blue' },
      status: { phase: 'Up' },
    };
    const after = expectStatus(await client.put(`${widgets}/a/status`, body), 200).body;
    assert.is(after.spec.color, 'red');
    assert.is(after.metadata.labels, undefined);
    assert.equal(after.status, { phase: 'Up' });
    const retained = (await client.put(`${widgets}/a`, { ...after, status: { phase: 'Down' } })).body;
    assert.equal(retained.status, { phase: 'Up' });
  },
  'a Lease is created by PUT and then needs its resourceVersion': async ({ client, namespace }) => {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/l`;
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'a', renewTime: '2026-01-01T00:00:00.000001Z' },
    };
    const created = expectStatus(await client.put(path, lease), 201).body;
    assert.is(created.spec.renewTime, '2026-01-01T00:00:00.000001Z');
    expectFailure(
      await client.put(path, lease),
      422,
      'Invalid',
      /metadata\.resourceVersion: Invalid value: .*: must be specified for an update/,
    );
    expectStatus(await client.put(path, { ...created, spec: { holderIdentity: 'b' } }), 200);
    expectFailure(
      await client.put(path, created),
      409,
      'Conflict',
      'Operation cannot be fulfilled on leases.coordination.k8s.io "l": the object has been modified; please apply your changes to the latest version and try again',
    );
  },
  'scale is read and written as autoscaling/v1': async ({ client, widgets }) => {
    await client.post(widgets, widget('a', { replicas: 2 }));
    const scale = expectStatus(await client.get(`${widgets}/a/scale`), 200).body;
    assert.is(scale.kind, 'Scale');
    assert.is(scale.apiVersion, 'autoscaling/v1');
    assert.is(scale.spec.replicas, 2);
    expectStatus(await client.patch(`${widgets}/a/scale`, 'merge', { spec: { replicas: 5 } }), 200);
    assert.is((await client.get(`${widgets}/a`)).body.spec.replicas, 5);
  },
});

/** Cases of delete. */
export const deleteCases: ConformanceCase[] = area('delete', {
  'a custom object answers with a Status': async ({ client, widgets }) => {
    const { uid } = (await client.post(widgets, widget('a'))).body.metadata;
    const { body } = expectStatus(await client.delete(`${widgets}/a`), 200);
    assert.is(body.kind, 'Status');
    assert.is(body.status, 'Success');
    assert.equal(body.details, { name: 'a', group: WIDGET_GROUP, kind: 'widgets', uid });
    expectStatus(await client.get(`${widgets}/a`), 404);
  },
  'a ServiceAccount is given back': async ({ client, core }) => {
    await client.post(core('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sa' } });
    assert.is((await client.delete(core('serviceaccounts/sa'))).body.kind, 'ServiceAccount');
  },
  'a missing object is a 404': async ({ client, widgets }) => {
    expectFailure(await client.delete(`${widgets}/a`), 404, 'NotFound', `widgets.${WIDGET_GROUP} "a" not found`);
  },
  'a dry run removes nothing': async ({ client, widgets }) => {
    await client.post(widgets, widget('a'));
    assert.is((await client.delete(`${widgets}/a?dryRun=All`)).body.status, 'Success');
    expectStatus(await client.get(`${widgets}/a`), 200);
  },
  'preconditions name the incarnation': async ({ client, core, widgets }) => {
    const { uid } = (await client.post(core('configmaps'), configMap('a'))).body.metadata;
    const other = await client.delete(core('configmaps/a'), { preconditions: { uid: 'other' } });
    expectFailure(
      other,
      409,
      'Conflict',
      `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    const { resourceVersion } = (await client.post(widgets, widget('a'))).body.metadata;
    const stale = await client.delete(`${widgets}/a`, { preconditions: { resourceVersion: '1' } });
    expectFailure(
      stale,
      409,
      'Conflict',
      `Operation cannot be fulfilled on Widget.${WIDGET_GROUP} "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
    expectStatus(await client.delete(`${widgets}/a`, { preconditions: { resourceVersion } }), 200);
  },
  'a bad propagation policy is a 422': async ({ client, widgets }) => {
    await client.post(widgets, widget('a'));
    expectStatus(await client.delete(`${widgets}/a?propagationPolicy=Nope`), 422);
  },
  'finalizers hold an object': async ({ client, widgets }) => {
    const created = (await client.post(widgets, widget('f1', {}, { finalizers: ['ex.io/f'] }))).body;
    const held = expectStatus(await client.delete(`${widgets}/f1`), 200).body;
    assert.is(held.kind, 'Widget');
    assert.ok(held.metadata.deletionTimestamp);
    assert.is(held.metadata.deletionGracePeriodSeconds, 0);
    assert.is(held.metadata.generation, created.metadata.generation + 1);
    const again = expectStatus(await client.delete(`${widgets}/f1`), 200).body;
    assert.is(again.metadata.deletionTimestamp, held.metadata.deletionTimestamp);
    expectFailure(
      await client.post(widgets, widget('f1')),
      409,
      'AlreadyExists',
      `object is being deleted: widgets.${WIDGET_GROUP} "f1" already exists`,
    );
    const more = await client.patch(`${widgets}/f1`, 'merge', { metadata: { finalizers: ['ex.io/f', 'ex.io/g'] } });
    expectFailure(
      more,
      422,
      'Invalid',
      `Widget.${WIDGET_GROUP} "f1" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"ex.io/g"}`,
    );
    expectStatus(await client.patch(`${widgets}/f1`, 'merge', { spec: { color: 'red' } }), 200);
    const last = expectStatus(await client.patch(`${widgets}/f1`, 'merge', { metadata: { finalizers: null } }), 200);
    assert.is(last.body.metadata.name, 'f1');
    expectStatus(await client.get(`${widgets}/f1`), 404);
  },
  'a collection is deleted by selector': async ({ client, widgets }) => {
    for (const name of ['a', 'b', 'c'])
      await client.post(widgets, widget(name, {}, { labels: { keep: String(name === 'c') } }));
    const { body } = expectStatus(await client.delete(`${widgets}?labelSelector=keep%3Dfalse`), 200);
    assert.is(body.kind, 'WidgetList');
    assert.equal(
      body.items.map((each: { metadata: { name: string } }) => each.metadata.name),
      ['a', 'b'],
    );
    const left = (await client.get(widgets)).body.items;
    assert.equal(
      left.map((each: { metadata: { name: string } }) => each.metadata.name),
      ['c'],
    );
  },
  'a namespace on its way out takes nothing in': async ({ client, namespace, core }) => {
    // A finalizer keeps the content, and with it the namespace, during the case.
    expectStatus(await client.post(core('configmaps'), configMap('held', {}, { finalizers: ['ex.io/f'] })), 201);
    const { body } = expectStatus(await client.delete(`/api/v1/namespaces/${namespace}`), 200);
    assert.is(body.status.phase, 'Terminating');
    const reply = await client.post(core('configmaps'), configMap('b'));
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    expectFailure(reply, 403, 'Forbidden', `configmaps "b" is forbidden: ${why}`);
    assert.is(reply.body.details.causes[0].reason, 'NamespaceTerminating');
    await client.patch(core('configmaps/held'), 'merge', { metadata: { finalizers: null } });
  },
  'the default namespace stays': async ({ client }) => {
    expectStatus(await client.delete('/api/v1/namespaces/default?dryRun=All'), 403);
  },
});
