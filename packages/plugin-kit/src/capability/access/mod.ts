/** The kit's samples for every field of `spec` of an AccessPolicy. */
import type { AccessFieldName } from '@meshrelay/api';
import { type GroupProbes, probesOf } from '../probe.ts';
import { action } from './action.ts';
import { allowedMethods } from './allowed-methods.ts';
import { allowedPaths } from './allowed-paths.ts';
import { allowedPorts } from './allowed-ports.ts';
import type { AccessFieldSamples } from './field.ts';
import { notMethods } from './not-methods.ts';
import { notPaths } from './not-paths.ts';
import { notPorts } from './not-ports.ts';
import { sourceSelector } from './source-selector.ts';
import { unauthenticated } from './unauthenticated.ts';

/** One file per field; a field of the API that is missing here is a compile error. */
const SAMPLES: { readonly [F in AccessFieldName]: AccessFieldSamples<F> } = {
  action,
  sourceSelector,
  allowedPaths,
  allowedMethods,
  allowedPorts,
  notPaths,
  notMethods,
  notPorts,
  unauthenticated,
};

export const ACCESS_PROBES: GroupProbes<'access'> = probesOf(SAMPLES);
