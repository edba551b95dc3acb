/** spec.policy.csrf */
import type { Csrf } from '@meshrelay/api';
import { memoizeUntilCompaction } from '../../caches/memoize.ts';
import { defined, stringMatchView } from '../values.ts';
import type { StringMatchView } from '../views/string-match.ts';
import type { RequestField } from './field.ts';

export interface CsrfView {
  readonly enabled: boolean;
  readonly shadow: boolean;
  readonly percentage?: number;
  readonly additionalOrigins: readonly StringMatchView[];
}

export const csrf: RequestField<'csrf', 'csrf', CsrfView, 'route.csrf'> = {
  scope: 'requests',
  viewName: 'csrf',
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
