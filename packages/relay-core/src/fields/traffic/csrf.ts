/** spec.policy.csrf */

import type { Csrf } from '@meshrelay/api';
import { type CsrfView, memoizeUntilCompaction } from '@meshrelay/plugin';
import { defined, stringMatchView } from '../values.ts';
import type { TrafficField } from './field.ts';

export const csrf: TrafficField<'csrf'> = {
  capabilities: { 'route.csrf': 'spec.policy.csrf' },
  view: memoizeUntilCompaction(
    ({ filterEnabled = false, shadowEnabled = false, percentage, additionalOrigins }: Csrf) =>
      defined<CsrfView>({
        enabled: filterEnabled,
        shadow: shadowEnabled,
        percentage,
        additionalOrigins: (additionalOrigins ?? []).flatMap((match) => stringMatchView(match) ?? []),
      }),
  ),
  requires: () => ['route.csrf'],
};
