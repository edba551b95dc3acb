/** Every two rules are tried together, and a plugin that drops one of them silently is detected. */
import { crds } from '@meshrelay/api/crds';
import type { DestinationView, MeshPlugin } from '@meshrelay/plugin';
import { assert, test } from '@meshrelay/testing';
import type { StructuralSchema } from '../../src/mod.ts';
import { pairChecks } from '../../src/properties/pairs/pairs.ts';
import { RULES } from '../../src/properties/pairs/rules.ts';
import { capabilities, paperFixture, paperPlugin, sheet } from '../support/paper-mesh.ts';

/** The errors of the checks for the plugin with these changes. */
function problems(changes: Partial<MeshPlugin> = {}): readonly string[] {
  return pairChecks({ plugin: paperPlugin(changes), fixture: paperFixture }).flatMap(({ run }) => {
    try {
      run();
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

/** The correct plugin, with changed destination views. */
function seeing(see: (view: DestinationView) => DestinationView, more: Partial<MeshPlugin> = {}): Partial<MeshPlugin> {
  const sound = paperPlugin();
  return {
    translateDestination: (view, out, settings) => sound.translateDestination?.(see(view), out, settings),
    ...more,
  };
}

type Route = DestinationView['routes'][number];

/** Its routes without the timeout, for the chosen routes. */
function withoutTimeout({ routes, ...view }: DestinationView, chosen: (route: Route, view: object) => boolean) {
  return {
    ...view,
    routes: routes.map((route): Route => {
      const { timeoutMs: _timeoutMs, ...actions } = route.actions;
      return chosen(route, view) ? { ...route, actions } : route;
    }),
  } as DestinationView;
}

function specSchema(kind: string): StructuralSchema | undefined {
  return crds.find(({ spec }) => spec.names.kind === kind)?.spec.versions[0]?.schema.openAPIV3Schema.properties?.[
    'spec'
  ] as StructuralSchema | undefined;
}

test('there is a rule for every field of spec.policy and for every action', () => {
  const parts = RULES.flatMap(({ part = {} }) => Object.keys(part));
  assert.equal(parts.sort(), Object.keys(specSchema('TrafficPolicy')?.properties?.['policy']?.properties ?? {}).sort());
  const actions = RULES.flatMap(({ stated }) => {
    const { action } = stated('any')['spec'] as { readonly action?: string };
    return action === undefined ? [] : [action];
  });
  assert.equal(actions.sort(), [...(specSchema('AccessPolicy')?.properties?.['action']?.enum ?? [])].sort());
});

test('a correct plugin passes', () => {
  assert.equal(problems(), []);
});

test('only supported fields are requested', () => {
  const plugin = paperPlugin({
    capabilities: capabilities({
      'route.timeout': { unsupported: 'paper is patient' },
      'connection.mtls': { always: 'paper is sealed' },
      'route.fault': { degraded: 'paper is slow' },
    }),
  });
  const names = pairChecks({ plugin, fixture: paperFixture }).map(({ name }) => name);
  assert.not.ok(names.some((name) => name.endsWith('route.timeout') || name.endsWith('connection.mtls')));
  assert.ok(names.includes('property: pairs of rules: route.fault'));
  assert.is(names.length, RULES.length - 2);
});

test('a rule that is lost together with another is detected, in one policy and in two', () => {
  const [message = '', ...more] = problems(
    seeing((view) => withoutTimeout(view, ({ actions }) => actions.retries !== undefined)),
  );
  assert.match(message, /route\.timeout with route\.retries loses .* without a report/);
  assert.equal(more, []);
});

test('a rule that is lost only within one policy is detected', () => {
  const [message = ''] = problems(
    seeing((view) => withoutTimeout(view, ({ from, actions }) => actions.retries !== undefined && from.length === 1)),
  );
  assert.match(message, /route\.timeout in one policy with route\.retries loses/);
});

test('a rule of requests that is lost together with one of connections or callers is detected', () => {
  const together = (lost: (view: DestinationView) => boolean) =>
    problems(seeing((view) => withoutTimeout(view, () => lost(view))));
  assert.match(together(({ connection }) => connection.pool !== undefined)[0] ?? '', /with connection\.pool loses/);
  const denied = together(({ access }) => access.some(({ action }) => action === 'DENY'));
  assert.match(denied[0] ?? '', /with access\.deny loses/);
});

test('a caller that is lost together with another is detected', () => {
  const [message = ''] = problems(
    seeing((view) => ({
      ...view,
      access: view.access.filter(({ action }, _, all) => action !== 'AUDIT' || all.length < 3),
    })),
  );
  assert.match(message, /access\.\w+ with access\.\w+ loses/);
});

test('a loss with a report to its policy is accepted', () => {
  const sound = paperPlugin();
  const reporting: MeshPlugin['translateDestination'] = (view, out, settings) => {
    const both = (route: Route) => route.actions.retries !== undefined;
    sound.translateDestination?.(withoutTimeout(view, both), out, settings);
    for (const { actions } of view.routes.filter(both))
      for (const policy of actions.timeoutMs?.from ?? [])
        out.report(policy, { code: 'DEGRADED', severity: 'warning', message: 'no timeout where requests are retried' });
  };
  assert.equal(problems({ translateDestination: reporting }), []);
});

test('a rule without any effect is detected', () => {
  const isTimeout = ({ actions }: Route) => Object.keys(actions).join() === 'timeoutMs';
  const [message = ''] = problems(
    seeing((view) => ({ ...view, routes: view.routes.filter((one) => !isTimeout(one)) })),
  );
  assert.match(message, /route\.timeout alone changes nothing/);
});

test('a plugin whose outputs depend on the order of policies is detected', () => {
  const sound = paperPlugin();
  let before = '';
  const remembering: MeshPlugin['translateDestination'] = (view, out, settings) => {
    sound.translateDestination?.(view, out, settings);
    const [{ actions, from } = { actions: {}, from: [] }] = view.routes;
    const names = Object.keys(actions).join();
    const { cluster, namespace, name } = view.destination;
    if (names.includes(',')) out.emit(cluster, sheet(namespace, `before.${name}`, { before }), from);
    else before = names;
  };
  assert.match(
    problems({ translateDestination: remembering })[0] ?? '',
    /the order of acceptance decides about Sheet\.spec\.before/,
  );
});

test.run();
