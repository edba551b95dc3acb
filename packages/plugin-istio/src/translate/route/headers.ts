/** `http[].headers` and `http[].route[].headers`. */
import type { HeaderManipulationView } from '@meshrelay/relay-core';
import { present } from '../../present.ts';

export function headers(view: HeaderManipulationView): Record<string, unknown> {
  return present({
    request: present({ add: view.requestAdd, remove: view.requestRemove }),
    response: present({ add: view.responseAdd, remove: view.responseRemove }),
  });
}
