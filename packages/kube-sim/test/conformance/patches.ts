/** JSON, merge and strategic merge patches, and server-side apply. */
import { assert } from '@meshrelay/testing';
import type { Client, Reply } from '@meshrelay/testing/api-server';
import { PATCH } from '@meshrelay/testing/api-server';
import { area, type ConformanceCase, expectFailure, expectStatus } from './conformance-case.ts';
import { configMap, WIDGET_GROUP, WIDGET_VERSION, widget } from './widget-crd.ts';

/** Cases of patches. */
export const patchCases: ConformanceCase[] = area('patch', {
  'a merge patch merges, and null removes': async ({ client, widgets }) => {
    await client.post(widgets, widget('a', { color: 'red', name: 'x' }));
    const { body } = expectStatus(
      await client.patch(`${widgets}/a`, 'merge', { spec: { color: 'blue', name: null } }),
      200,
    );
    assert.equal(body.spec, { color: 'blue', mode: 'auto' });
    assert.is(body.metadata.generation, 2);
  },
  'a patch that changes nothing stores nothing': async ({ client, widgets }) => {
    const created = (await client.post(widgets, widget('a', { color: 'red' }))).body;
    const { body } = await client.patch(`${widgets}/a`, 'merge', { spec: { color: 'red' } });
    assert.is(body.metadata.resourceVersion, created.metadata.resourceVersion);
  },
  'a stale resourceVersion in a patch is a 409': async ({ client, widgets }) => {
    await client.post(widgets, widget('a'));
    expectStatus(
      await client.patch(`${widgets}/a`, 'merge', { metadata: { resourceVersion: '1' }, spec: { color: 'red' } }),
      409,
    );
  },
  'a JSON patch is carried out as a whole': async ({ client, widgets }) => {
    await client.post(widgets, widget('a', { color: 'red', plain: ['x'] }));
    const { body } = expectStatus(
      await client.patch(`${widgets}/a`, 'json', [
        { op: 'test', path: '/spec/color', value: 'red' },
        { op: 'replace', path: '/spec/color', value: 'blue' },
        { op: 'add', path: '/spec/plain/-', value: 'y' },
      ]),
      200,
    );
    assert.is(body.spec.color, 'blue');
    assert.equal(body.spec.plain, ['x', 'y']);
  },
  'a JSON patch whose test or path fails is a 422': async ({ client, widgets }) => {
    await client.post(widgets, widget('a', { color: 'red' }));
    for (const operation of [
      { op: 'test', path: '/spec/color', value: 'blue' },
      { op: 'remove', path: '/spec/nope' },
      { op: 'replace', path: '/nope/nope', value: 'blue' },
    ]) {
      const reply = await client.patch(`${widgets}/a`, 'json', [operation]);
      expectFailure(reply, 422, 'Invalid', 'the server rejected our request due to an error in our request');
    }
  },
  'a strategic merge patch merges lists by key': async ({ client, core }) => {
    const ports = [
      { name: 'http', port: 80 },
      { name: 'tls', port: 443 },
    ];
    await client.post(core('services'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports },
    });
    const patch = {
      spec: {
        ports: [
          { port: 80, name: 'web' },
          { port: 443, $patch: 'delete' },
        ],
      },
    };
    const { body } = expectStatus(await client.patch(core('services/s'), 'strategic', patch), 200);
    assert.equal(body.spec.ports, [{ name: 'web', port: 80, protocol: 'TCP', targetPort: 80 }]);
  },
  'a strategic merge patch of a custom object is not supported': async ({ client, widgets }) => {
    await client.post(widgets, widget('a'));
    expectFailure(
      await client.patch(`${widgets}/a`, 'strategic', { spec: { color: 'red' } }),
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  },
  'force is for apply only': async ({ client, widgets }) => {
    await client.post(widgets, widget('a'));
    const reply = await client.patch(`${widgets}/a?force=true`, 'merge', {});
    expectFailure(
      reply,
      422,
      'Invalid',
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    );
  },
  'a missing object is a 404': async ({ client, widgets }) => {
    expectStatus(await client.patch(`${widgets}/a`, 'merge', {}), 404);
  },
  'writers own what they set': async ({ client, core }) => {
    await client.post(`${core('configmaps')}?fieldManager=m1`, configMap('a', { x: '1' }));
    const path = `${core('configmaps/a')}?fieldManager=m2`;
    const { body } = await client.send('PATCH', path, { body: { data: { y: '2' } }, type: PATCH.merge });
    const owners = body.metadata.managedFields.map(
      ({ manager, operation, fieldsV1 }: { manager: string; operation: string; fieldsV1: object }) => ({
        manager,
        operation,
        fieldsV1,
      }),
    );
    assert.equal(owners, [
      { manager: 'm1', operation: 'Update', fieldsV1: { 'f:data': { '.': {}, 'f:x': {} } } },
      { manager: 'm2', operation: 'Update', fieldsV1: { 'f:data': { 'f:y': {} } } },
    ]);
  },
  'a client that names no manager is known by its program': async ({ client, core }) => {
    const { body } = await client.post(core('configmaps'), configMap('a', { x: '1' }));
    assert.is(body.metadata.managedFields[0].manager, 'conformance');
  },
});

function apply(client: Client, path: string, manager: string, body: unknown, query = ''): Promise<Reply> {
  return client.send('PATCH', `${path}?fieldManager=${manager}${query}`, { body, type: PATCH.apply });
}

/** Cases of server-side apply. */
export const applyCases: ConformanceCase[] = area('apply', {
  'creates what is not there and owns only what was sent': async ({ client, widgets }) => {
    const { body } = expectStatus(await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red' })), 201);
    assert.is(body.spec.mode, 'auto');
    const [entry] = body.metadata.managedFields;
    assert.is(entry.operation, 'Apply');
    assert.is(entry.apiVersion, WIDGET_VERSION);
    assert.equal(entry.fieldsV1, { 'f:spec': { 'f:color': {} } });
  },
  'names list items by their keys, defaults included': async ({ client, widgets }) => {
    const spec = { ports: [{ port: 80, name: 'http' }], tags: ['x'], atom: { a: '1' }, plain: ['p'] };
    const { body } = expectStatus(await apply(client, `${widgets}/a`, 'm1', widget('a', spec)), 201);
    assert.equal(body.metadata.managedFields[0].fieldsV1, {
      'f:spec': {
        'f:atom': {},
        'f:plain': {},
        'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
        'f:tags': { 'v:"x"': {} },
      },
    });
  },
  'applying the same again stores nothing': async ({ client, widgets }) => {
    const first = (await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red' }))).body;
    const again = expectStatus(await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red' })), 200).body;
    assert.is(again.metadata.resourceVersion, first.metadata.resourceVersion);
  },
  'another value of an owned field is a conflict': async ({ client, widgets }) => {
    await apply(client, `${widgets}/a`, 'm1', widget('a', { ports: [{ port: 80, name: 'http' }] }));
    const reply = await apply(client, `${widgets}/a`, 'm2', widget('a', { ports: [{ port: 80, name: 'web' }] }));
    const field = '.spec.ports[port=80,protocol="TCP"].name';
    expectFailure(reply, 409, 'Conflict', `Apply failed with 1 conflict: conflict with "m1": ${field}`);
    assert.equal(reply.body.details, {
      causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field }],
    });
  },
  'several conflicts are listed': async ({ client, widgets }) => {
    await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red', name: 'x' }));
    const reply = await apply(client, `${widgets}/a`, 'm2', widget('a', { color: 'blue', name: 'y' }));
    expectFailure(
      reply,
      409,
      'Conflict',
      'Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.color\n- .spec.name',
    );
  },
  'a conflict with an update names its version': async ({ client, widgets }) => {
    await client.post(`${widgets}?fieldManager=upd`, widget('a', { name: 'x' }));
    const reply = await apply(client, `${widgets}/a`, 'm2', widget('a', { name: 'y' }));
    expectFailure(
      reply,
      409,
      'Conflict',
      `Apply failed with 1 conflict: conflict with "upd" using ${WIDGET_VERSION}: .spec.name`,
    );
  },
  'the same value is owned together': async ({ client, widgets }) => {
    await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red' }));
    const { body } = expectStatus(await apply(client, `${widgets}/a`, 'm2', widget('a', { color: 'red' })), 200);
    assert.equal(body.metadata.managedFields.map((each: { manager: string }) => each.manager).sort(), ['m1', 'm2']);
  },
  'force takes the field over': async ({ client, widgets }) => {
    await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red', name: 'x' }));
    const { body } = expectStatus(
      await apply(client, `${widgets}/a`, 'm2', widget('a', { color: 'blue' }), '&force=true'),
      200,
    );
    assert.is(body.spec.color, 'blue');
    const m1 = body.metadata.managedFields.find((each: { manager: string }) => each.manager === 'm1');
    assert.equal(m1.fieldsV1, { 'f:spec': { 'f:name': {} } });
  },
  'an omitted field goes when no other manager owns it': async ({ client, widgets }) => {
    await apply(
      client,
      `${widgets}/a`,
      'm1',
      widget('a', { color: 'red', name: 'x', ports: [{ port: 80 }, { port: 81 }] }),
    );
    await apply(client, `${widgets}/a`, 'm2', widget('a', { name: 'x' }));
    const { body } = await apply(client, `${widgets}/a`, 'm1', widget('a', { ports: [{ port: 81 }] }));
    assert.is(body.spec.color, undefined);
    assert.is(body.spec.name, 'x');
    assert.equal(body.spec.ports, [{ port: 81, protocol: 'TCP' }]);
  },
  'an object that is applied empty in place of fields becomes null, and is refused': async ({ client, widgets }) => {
    const status = (value: object) => {
      const { spec: _spec, ...rest } = widget('a');
      return { ...rest, status: value };
    };
    await client.post(widgets, widget('a', { needs: { it: 'x' } }));
    await apply(client, `${widgets}/a/status`, 'm1', status({ phase: 'x' }));
    expectFailure(
      await apply(client, `${widgets}/a/status`, 'm1', status({})),
      422,
      'Invalid',
      'Widget.conformance.meshrelay.dev "a" is invalid: status: Invalid value: "null":  in body must be of type object: "null"',
    );
    await apply(client, `${widgets}/a/status`, 'm2', status({ replicas: 1 }));
    const { body } = expectStatus(await apply(client, `${widgets}/a/status`, 'm1', status({})), 200);
    assert.equal(body.status, { replicas: 1 });
    await apply(client, `${widgets}/b`, 'm1', widget('b', { either: { left: 'x' } }));
    expectFailure(
      await apply(client, `${widgets}/b`, 'm1', widget('b', { either: {} })),
      422,
      'Invalid',
      'Widget.conformance.meshrelay.dev "b" is invalid: spec.either: Invalid value: "null": spec.either in body must be of type object: "null"',
    );
    await apply(client, `${widgets}/c`, 'm1', widget('c', { name: 'x', mode: 'm' }));
    expectFailure(
      await apply(client, `${widgets}/c`, 'm1', widget('c')),
      422,
      'Invalid',
      'Widget.conformance.meshrelay.dev "c" is invalid: spec: Invalid value: "null": spec in body must be of type object: "null"',
    );
  },
  'a list that loses its last item while another manager has it becomes null, and is refused': async ({
    client,
    widgets,
  }) => {
    await client.post(widgets, widget('a', { tags: [] }));
    await apply(client, `${widgets}/a`, 'm1', widget('a', { tags: ['x'] }));
    expectFailure(
      await apply(client, `${widgets}/a`, 'm1', widget('a', { name: 'x' })),
      422,
      'Invalid',
      'Widget.conformance.meshrelay.dev "a" is invalid: spec.tags: Invalid value: "null": spec.tags in body must be of type array: "null"',
    );
  },
  'null stays where the schema says nothing of the field, and is refused where it may not be': async ({
    client,
    widgets,
  }) => {
    await apply(client, `${widgets}/a`, 'm1', widget('a', { free: { nested: { y: 1 } } }));
    const { body } = expectStatus(
      await apply(client, `${widgets}/a`, 'm1', widget('a', { free: { nested: {}, z: 1 } })),
      200,
    );
    assert.equal(body.spec.free, { nested: null, z: 1 });
    expectFailure(
      await apply(client, `${widgets}/a`, 'm1', widget('a', { either: null })),
      422,
      'Invalid',
      'Widget.conformance.meshrelay.dev "a" is invalid: spec.either: Invalid value: "null": spec.either in body must be of type object: "null"',
    );
  },
  'labels that are applied empty go without an error': async ({ client, widgets }) => {
    await apply(client, `${widgets}/a`, 'm1', widget('a', {}, { labels: { x: 'y' } }));
    const { body } = expectStatus(await apply(client, `${widgets}/a`, 'm1', widget('a', {}, { labels: {} })), 200);
    assert.is(body.metadata.labels, undefined);
  },
  'a field with a default goes back to it': async ({ client, widgets }) => {
    await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red', mode: 'manual' }));
    const { body } = await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red' }));
    assert.is(body.spec.mode, 'auto');
  },
  'a manager is required': async ({ client, widgets }) => {
    const reply = await client.send('PATCH', `${widgets}/a`, { body: widget('a'), type: PATCH.apply });
    expectFailure(
      reply,
      422,
      'Invalid',
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  },
  'managedFields may not be sent': async ({ client, widgets }) => {
    const reply = await apply(client, `${widgets}/a`, 'm1', widget('a', {}, { managedFields: [] }));
    expectFailure(reply, 400, 'BadRequest', 'metadata.managedFields must be nil');
  },
  'apiVersion and kind are required': async ({ client, widgets }) => {
    expectFailure(
      await apply(client, `${widgets}/a`, 'm1', { metadata: { name: 'a' } }),
      400,
      'BadRequest',
      'invalid object type: /, Kind=',
    );
  },
  'the name must be that of the URL': async ({ client, widgets }) => {
    const reply = await apply(client, `${widgets}/s1`, 'm1', widget('other'));
    expectFailure(reply, 400, 'BadRequest', 'the name of the object (other) does not match the name on the URL (s1)');
  },
  'what the schema does not know cannot be applied': async ({ client, widgets }) => {
    const reply = await apply(client, `${widgets}/a`, 'm1', widget('a', { unk: 1 }));
    const what = `failed to create typed patch object (/a; ${WIDGET_VERSION}, Kind=Widget)`;
    expectFailure(reply, 500, undefined, `${what}: .spec.unk: field not declared in schema`);
  },
  'repeated keys cannot be applied': async ({ client, widgets }) => {
    const reply = await apply(client, `${widgets}/a`, 'm1', widget('a', { ports: [{ port: 9 }, { port: 9 }] }));
    expectFailure(reply, 500, undefined, /\.spec\.ports: duplicate entries for key \[port=9,protocol="TCP"\]$/);
  },
  'a stale resourceVersion is a 409': async ({ client, widgets }) => {
    await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red' }));
    const reply = await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'blue' }, { resourceVersion: '1' }));
    expectFailure(
      reply,
      409,
      'Conflict',
      `Operation cannot be fulfilled on widgets.${WIDGET_GROUP} "a": the object has been modified; please apply your changes to the latest version and try again`,
    );
  },
  'the status endpoint has an owner of its own': async ({ client, widgets }) => {
    await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red' }));
    const body = { ...widget('a', { color: 'blue' }), status: { phase: 'Up' } };
    const after = expectStatus(await apply(client, `${widgets}/a/status`, 'ctl', body), 200).body;
    assert.is(after.spec.color, 'red');
    const entry = after.metadata.managedFields.find((each: { manager: string }) => each.manager === 'ctl');
    assert.is(entry.subresource, 'status');
    assert.equal(entry.fieldsV1, { 'f:status': { 'f:phase': {} } });
    expectStatus(
      await apply(client, `${widgets}/missing/status`, 'ctl', { ...body, metadata: { name: 'missing' } }),
      404,
    );
  },
  'a dry run stores nothing': async ({ client, widgets }) => {
    const first = (await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'red' }))).body;
    const dry = expectStatus(
      await apply(client, `${widgets}/a`, 'm1', widget('a', { color: 'blue' }), '&dryRun=All'),
      200,
    ).body;
    assert.is(dry.spec.color, 'blue');
    assert.is(dry.metadata.resourceVersion, first.metadata.resourceVersion);
    assert.is((await client.get(`${widgets}/a`)).body.spec.color, 'red');
  },
  'takes YAML': async ({ client, widgets }) => {
    const yaml = `apiVersion: ${WIDGET_VERSION}\nkind: Widget\nmetadata:\n  name: a\nspec:\n  color: red\n`;
    expectStatus(await apply(client, `${widgets}/a`, 'm1', yaml), 201);
  },
  'works on built-in kinds': async ({ client, core }) => {
    expectStatus(await apply(client, core('configmaps/a'), 'm1', configMap('a', { x: '1' })), 201);
    const reply = await apply(client, core('configmaps/a'), 'm2', configMap('a', { x: '2' }));
    expectFailure(reply, 409, 'Conflict', 'Apply failed with 1 conflict: conflict with "m1": .data.x');
  },
});
