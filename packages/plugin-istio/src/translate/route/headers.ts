/** `http[].headers` and `http[].route[].headers`. */
import { type HeaderManipulationView, rememberedUntilRest } from '@meshrelay/relay-core';
import { present } from '../../present.ts';

/** The same object for the same settings. */
export const headers: (view: HeaderManipulationView) => Record<string, unknown> = rememberedUntilRest((view) => {
  return present({
    request: present({ add: view.requestAdd, remove: view.requestRemove }),
    response: present({ add: view.responseAdd, remove: view.responseRemove }),
  });
});
