/** Headers that proxies add and remove. */
import { core, create } from '@meshrelay/envoy-api';
import { type HeaderManipulationView, memoizeUntilCompaction } from '@meshrelay/plugin';
import type { HeaderParts, RouteField } from './field.ts';

/** The same for the same settings. */
export const headerParts: (view: HeaderManipulationView) => HeaderParts = memoizeUntilCompaction((view) => ({
  requestHeadersToAdd: added(view.requestAdd),
  requestHeadersToRemove: [...view.requestRemove],
  responseHeadersToAdd: added(view.responseAdd),
  responseHeadersToRemove: [...view.responseRemove],
}));

function added(headers: Readonly<Record<string, string>>): core.HeaderValueOption[] {
  return Object.entries(headers)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) =>
      headerOption(name, value, core.HeaderValueOption_HeaderAppendAction.APPEND_IF_EXISTS_OR_ADD),
    );
}

/** @param value literal: Envoy would read the text after a percent sign as a command */
export function headerOption(
  name: string,
  value: string,
  appendAction: core.HeaderValueOption_HeaderAppendAction,
): core.HeaderValueOption {
  return create(core.HeaderValueOptionSchema, {
    header: { key: name, value: value.replaceAll('%', '%%') },
    appendAction,
  });
}

export const headerManipulation: RouteField<'headerManipulation'> = {
  capabilities: { 'route.headers': 'native' },
  headerParts,
};
