/** `http[].headers` and `http[].route[].headers`. */
import { type HeaderManipulationView, rememberedUntilRest } from '@meshrelay/relay-core';
import { present } from '../../present.ts';

/** The same object for the same settings. */
export const headers: (view: HeaderManipulationView) => Record<string, unknown> = rememberedUntilRest((view) => {
  return present({
    request: present({ add: asTheyAre(view.requestAdd), remove: view.requestRemove }),
    response: present({ add: asTheyAre(view.responseAdd), remove: view.responseRemove }),
  });
});

/** Envoy would take what follows a percent sign for a command, and Istio refuses what is none. */
function asTheyAre(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.replaceAll('%', '%%')]));
}
