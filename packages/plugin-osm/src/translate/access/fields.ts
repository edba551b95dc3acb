/** The rows of every field of `spec` of an AccessPolicy. */
import { type AccessFieldName, type AccessRows, type CapabilityRows, rowsOf } from '@meshrelay/plugin';
import { ALLOWED_METHODS } from './allowed-methods.ts';
import { ALLOWED_PATHS } from './allowed-paths.ts';
import { ALLOWED_PORTS } from './allowed-ports.ts';
import { SOURCE_SELECTOR } from './source-selector.ts';

const ONLY_ALLOW = { unsupported: 'TrafficTargets only allow; requests that no TrafficTarget allows are denied' };

/**
 * One entry per field, in its own file if OSM supports a part; a field of the API that is missing here is a compile
 * error.
 */
const ROWS: { readonly [F in AccessFieldName]: { readonly capabilities: AccessRows<F> } } = {
  action: { capabilities: { 'access.allow': 'native', 'access.deny': ONLY_ALLOW, 'access.audit': ONLY_ALLOW } },
  sourceSelector: { capabilities: SOURCE_SELECTOR },
  allowedPaths: { capabilities: ALLOWED_PATHS },
  allowedMethods: { capabilities: ALLOWED_METHODS },
  allowedPorts: { capabilities: ALLOWED_PORTS },
  notPaths: { capabilities: { 'access.exclusions': ONLY_ALLOW } },
  notMethods: { capabilities: { 'access.exclusions': ONLY_ALLOW } },
  notPorts: { capabilities: { 'access.exclusions': ONLY_ALLOW } },
  unauthenticated: {
    capabilities: {
      'access.unauthenticated': {
        unsupported: 'TrafficTargets allow ServiceAccounts, so they cannot allow a caller without one',
      },
    },
  },
};

export const ACCESS_CAPABILITIES: CapabilityRows<'access'> = rowsOf(ROWS);
