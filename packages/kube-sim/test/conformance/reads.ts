/** Lists, pages, selectors and watches. */
import { assert, eventually } from '@meshrelay/testing';
import type { Client, Watch } from '@meshrelay/testing/api-server';
import { area, type CaseContext, type ConformanceCase, expectFailure, expectStatus } from './conformance-case.ts';
import { configMap, WIDGET_VERSION, widget } from './widget-crd.ts';

interface Named {
  readonly metadata: { readonly name: string };
}

function names(body: { readonly items: readonly Named[] }): string[] {
  return body.items.map((each) => each.metadata.name);
}

async function five({ client, widgets }: CaseContext): Promise<void> {
  for (const [index, name] of ['e', 'a', 'd', 'b', 'c'].entries())
    expectStatus(
      await client.post(widgets, widget(name, { color: index < 2 ? 'red' : 'blue' }, { labels: { n: name } })),
      201,
    );
}

/** Cases of lists. */
export const listCases: ConformanceCase[] = area('list', {
  'objects come by name, whatever order they were made in': async (context) => {
    await five(context);
    const { body } = await context.client.get(context.widgets);
    assert.is(body.kind, 'WidgetList');
    assert.is(body.apiVersion, WIDGET_VERSION);
    assert.equal(names(body), ['a', 'b', 'c', 'd', 'e']);
    assert.is(body.metadata.continue, '');
    assert.match(body.metadata.resourceVersion, /^\d+$/);
    assert.is(body.items[0].kind, 'Widget');
  },
  'typed lists omit continue and the kinds of their items': async ({ client, core }) => {
    await client.post(core('configmaps'), configMap('a'));
    const { body } = await client.get(core('configmaps'));
    assert.is(body.kind, 'ConfigMapList');
    assert.is(body.metadata.continue, undefined);
    assert.is(body.items[0].kind, undefined);
  },
  'pages continue where they ended, as of their first': async (context) => {
    await five(context);
    const { client, widgets } = context;
    const first = (await client.get(`${widgets}?limit=2`)).body;
    assert.equal(names(first), ['a', 'b']);
    assert.is(first.metadata.remainingItemCount, 3);
    await client.post(widgets, widget('bb'));
    const second = (await client.get(`${widgets}?limit=2&continue=${first.metadata.continue}`)).body;
    assert.equal(names(second), ['c', 'd']);
    assert.is(second.metadata.resourceVersion, first.metadata.resourceVersion);
    const last = (await client.get(`${widgets}?limit=2&continue=${second.metadata.continue}`)).body;
    assert.equal(names(last), ['e']);
    assert.is(last.metadata.continue, '');
  },
  'what remains is not counted under a selector': async (context) => {
    await five(context);
    const { body } = await context.client.get(`${context.widgets}?limit=1&labelSelector=n`);
    assert.ok(body.metadata.continue);
    assert.is(body.metadata.remainingItemCount, undefined);
  },
  'limit is ignored at resourceVersion 0': async (context) => {
    await five(context);
    const { client, widgets } = context;
    // Version 0 means any available version, which may be slightly old.
    const path = `${widgets}?limit=2&resourceVersion=0`;
    await eventually('all five are listed', async () => (await client.get(path)).body.items.length === 5);
  },
  'a garbled continue token is a 400': async ({ client, widgets }) => {
    expectFailure(
      await client.get(`${widgets}?limit=1&continue=garbage`),
      400,
      'BadRequest',
      /continue key is not valid/,
    );
  },
  'continue and resourceVersion exclude each other': async (context) => {
    await five(context);
    const { client, widgets } = context;
    const { metadata } = (await client.get(`${widgets}?limit=2`)).body;
    const reply = await client.get(
      `${widgets}?limit=2&continue=${metadata.continue}&resourceVersion=${metadata.resourceVersion}`,
    );
    expectFailure(reply, 400, 'BadRequest', 'specifying resource version is not allowed when using continue');
  },
  'an exact resourceVersion shows what was': async (context) => {
    const { client, widgets } = context;
    await client.post(widgets, widget('a'));
    const { resourceVersion } = (await client.get(widgets)).body.metadata;
    await client.post(widgets, widget('b'));
    await client.delete(`${widgets}/a`);
    const { body } = await client.get(`${widgets}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
    assert.equal(names(body), ['a']);
    assert.is(body.metadata.resourceVersion, resourceVersion);
  },
  'resourceVersionMatch is checked': async ({ client, widgets }) => {
    expectFailure(
      await client.get(`${widgets}?resourceVersionMatch=Exact`),
      422,
      'Invalid',
      /resourceVersionMatch is forbidden unless resourceVersion is provided/,
    );
    expectFailure(
      await client.get(`${widgets}?resourceVersionMatch=Exact&resourceVersion=0`),
      422,
      'Invalid',
      /resourceVersionMatch "exact" is forbidden for resourceVersion "0"/,
    );
    expectFailure(
      await client.get(`${widgets}?resourceVersionMatch=Nope&resourceVersion=1`),
      422,
      'Invalid',
      /Unsupported value: "Nope": supported values: "Exact", "NotOlderThan", ""/,
    );
  },
  'a resourceVersion from the future is a 504': async ({ client, widgets }) => {
    const reply = await client.get(`${widgets}?resourceVersion=99999999`);
    expectFailure(reply, 504, 'Timeout', /^Timeout: Too large resource version: 99999999, current: \d+$/);
    assert.is(reply.body.details.causes[0].reason, 'ResourceVersionTooLarge');
    assert.is(reply.body.details.retryAfterSeconds, 1);
  },
  'a malformed resourceVersion is a 400': async ({ client, widgets }) => {
    const reply = await client.get(`${widgets}?resourceVersion=abc`);
    expectFailure(reply, 400, 'BadRequest', /^invalid resource version: resourceVersion: Invalid value: "abc"/);
  },
  'label selectors, by equality and by set': async (context) => {
    await five(context);
    const { client, widgets } = context;
    const select = async (selector: string): Promise<string[]> =>
      names((await client.get(`${widgets}?labelSelector=${encodeURIComponent(selector)}`)).body);
    assert.equal(await select('n=a'), ['a']);
    assert.equal(await select('n!=a'), ['b', 'c', 'd', 'e']);
    assert.equal(await select('n in (a, c)'), ['a', 'c']);
    assert.equal(await select('n notin (a,c),n'), ['b', 'd', 'e']);
    assert.equal(await select('!n'), []);
    expectStatus(await client.get(`${widgets}?labelSelector=${encodeURIComponent('n in (a')}`), 400);
  },
  'field selectors, by name and by selectable field': async (context) => {
    await five(context);
    const { client, widgets, core } = context;
    assert.equal(names((await client.get(`${widgets}?fieldSelector=metadata.name%3Db`)).body), ['b']);
    assert.equal(names((await client.get(`${widgets}?fieldSelector=spec.color%3Dred`)).body), ['a', 'e']);
    const reply = await client.get(`${widgets}?fieldSelector=spec.nope%3Dx`);
    expectFailure(reply, 400, 'BadRequest', 'field label not supported: spec.nope');
    const builtin = await client.get(`${core('configmaps')}?fieldSelector=spec.nope%3Dx`);
    const only = '"spec.nope" is not a known field selector: only "metadata.name", "metadata.namespace"';
    expectFailure(builtin, 400, 'BadRequest', only);
  },
  'a list over all namespaces has those of this one': async ({ client, widgets, namespace }) => {
    await client.post(widgets, widget('a'));
    const { body } = await client.get(
      `/apis/${WIDGET_VERSION}/widgets?fieldSelector=metadata.namespace%3D${namespace}`,
    );
    assert.equal(names(body), ['a']);
  },
});

async function expectEvents(
  watch: Watch,
  requested: readonly (readonly [type: string, name: string])[],
): Promise<void> {
  const seen: [string, string][] = [];
  for (const _ of requested) {
    const event = await watch.next();
    seen.push([event?.type ?? 'END', event?.object.metadata?.name ?? '']);
  }
  assert.equal(seen, requested);
}

async function resourceVersion(client: Client, path: string): Promise<string> {
  return (await client.get(path)).body.metadata.resourceVersion;
}

/** Cases of watches. */
export const watchCases: ConformanceCase[] = area('watch', {
  'headers come before any event': async ({ client, widgets }) => {
    using watch = await client.watch(`${widgets}?timeoutSeconds=2`);
    assert.is(watch.status, 200);
  },
  'begins with what there is, then follows': async ({ client, widgets }) => {
    await client.post(widgets, widget('b'));
    await client.post(widgets, widget('a'));
    using watch = await client.watch(widgets);
    await expectEvents(watch, [
      ['ADDED', 'a'],
      ['ADDED', 'b'],
    ]);
    await client.post(widgets, widget('c'));
    await client.patch(`${widgets}/c`, 'merge', { spec: { color: 'red' } });
    await client.delete(`${widgets}/c`);
    await expectEvents(watch, [
      ['ADDED', 'c'],
      ['MODIFIED', 'c'],
      ['DELETED', 'c'],
    ]);
  },
  'continues from a resourceVersion': async ({ client, widgets }) => {
    await client.post(widgets, widget('a'));
    const from = await resourceVersion(client, widgets);
    await client.post(widgets, widget('b'));
    using watch = await client.watch(`${widgets}?resourceVersion=${from}`);
    await expectEvents(watch, [['ADDED', 'b']]);
    await client.post(widgets, widget('c'));
    await expectEvents(watch, [['ADDED', 'c']]);
  },
  'a deletion has a resourceVersion of its own': async ({ client, widgets }) => {
    const created = (await client.post(widgets, widget('a'))).body;
    using watch = await client.watch(`${widgets}?resourceVersion=${created.metadata.resourceVersion}`);
    await client.delete(`${widgets}/a`);
    const event = await watch.next();
    assert.is(event?.type, 'DELETED');
    assert.ok(Number(event?.object.metadata.resourceVersion) > Number(created.metadata.resourceVersion));
  },
  'too old a resourceVersion is one ERROR event, then the end': async ({ client, widgets }) => {
    using watch = await client.watch(`${widgets}?resourceVersion=1`);
    assert.is(watch.status, 200);
    const event = await watch.next();
    assert.is(event?.type, 'ERROR');
    assert.is(event?.object.kind, 'Status');
    assert.is(event?.object.code, 410);
    assert.is(event?.object.reason, 'Expired');
    assert.match(event?.object.message, /too old/);
    assert.is(await watch.next(), undefined);
  },
  'an object that leaves the selector is deleted for it': async ({ client, widgets }) => {
    const from = await resourceVersion(client, widgets);
    using watch = await client.watch(`${widgets}?resourceVersion=${from}&labelSelector=on%3Dyes`);
    await client.post(widgets, widget('a', {}, { labels: { on: 'yes' } }));
    await client.patch(`${widgets}/a`, 'merge', { metadata: { labels: { on: 'no' } } });
    await client.patch(`${widgets}/a`, 'merge', { metadata: { labels: { on: 'yes' } } });
    await expectEvents(watch, [
      ['ADDED', 'a'],
      ['DELETED', 'a'],
      ['ADDED', 'a'],
    ]);
  },
  'one object is watched by its name': async ({ client, widgets }) => {
    await client.post(widgets, widget('a'));
    using watch = await client.watch(`${widgets}?fieldSelector=metadata.name%3Db`);
    await client.post(widgets, widget('b'));
    await expectEvents(watch, [['ADDED', 'b']]);
  },
  'ends by itself after timeoutSeconds': async ({ client, widgets }) => {
    using watch = await client.watch(`${widgets}?timeoutSeconds=1`);
    assert.is(await watch.next(), undefined);
  },
  'WatchList ends its first part with a bookmark': async ({ client, widgets }) => {
    await client.post(widgets, widget('a'));
    using watch = await client.watch(
      `${widgets}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    await expectEvents(watch, [['ADDED', 'a']]);
    const bookmark = await watch.next();
    assert.is(bookmark?.type, 'BOOKMARK');
    assert.is(bookmark?.object.metadata.annotations['k8s.io/initial-events-end'], 'true');
    assert.is(bookmark?.object.kind, 'Widget');
  },
  'sendInitialEvents needs resourceVersionMatch': async ({ client, widgets }) => {
    const reply = await client.get(`${widgets}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true`);
    expectFailure(reply, 422, 'Invalid', /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/);
    expectFailure(
      await client.get(`${widgets}?sendInitialEvents=true`),
      422,
      'Invalid',
      /sendInitialEvents is forbidden for list/,
    );
  },
  'events can be tables': async ({ client, widgets }) => {
    await client.post(widgets, widget('a', { color: 'red' }));
    using watch = await client.watch(widgets, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    });
    const event = await watch.next();
    assert.is(event?.type, 'ADDED');
    assert.is(event?.object.kind, 'Table');
    assert.is(event?.object.rows[0].cells[1], 'red');
  },
});
