/** `http[].headers` and `http[].route[].headers`. */
import { type HeaderManipulationView, memoizeUntilCompaction } from '@meshrelay/plugin';
import { present } from '../../present.ts';
import type { RouteField } from './field.ts';

/** The same object for the same settings. */
export const headers: (view: HeaderManipulationView) => Record<string, unknown> = memoizeUntilCompaction((view) => {
  return present({
    request: present({ add: escaped(view.requestAdd), remove: view.requestRemove }),
    response: present({ add: escaped(view.responseAdd), remove: view.responseRemove }),
  });
});

/** Envoy would read a command after a percent sign, and Istio rejects an unknown one. */
function escaped(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replaceAll('%', '%%')]));
}

export const headerManipulation: RouteField<'headerManipulation'> = {
  capabilities: { 'route.headers': 'native' },
  httpRoute: (view) => present({ headers: headers(view) }),
};
