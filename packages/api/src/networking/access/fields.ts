// Every field of `spec` of an AccessPolicy.
import type { FieldTable } from '../../schema/field.ts';
import { type AccessAction, action } from './action.ts';
import { type AllowedMethods, allowedMethods } from './allowed-methods.ts';
import { type AllowedPaths, allowedPaths } from './allowed-paths.ts';
import { type AllowedPorts, allowedPorts } from './allowed-ports.ts';
import { type AccessDestinationSelector, destinationSelector } from './destination-selector.ts';
import { type NotMethods, notMethods } from './not-methods.ts';
import { type NotPaths, notPaths } from './not-paths.ts';
import { type NotPorts, notPorts } from './not-ports.ts';
import { type AccessSourceSelector, sourceSelector } from './source-selector.ts';
import { type Unauthenticated, unauthenticated } from './unauthenticated.ts';

/** Which requests, from which sources, to which destinations. */
export interface AccessPolicySpec {
  readonly sourceSelector?: AccessSourceSelector;
  readonly destinationSelector?: AccessDestinationSelector;
  readonly action?: AccessAction;
  readonly unauthenticated?: Unauthenticated;
  readonly allowedPaths?: AllowedPaths;
  readonly allowedMethods?: AllowedMethods;
  readonly allowedPorts?: AllowedPorts;
  readonly notPaths?: NotPaths;
  readonly notMethods?: NotMethods;
  readonly notPorts?: NotPorts;
}

/** The name of a field that describes requests; `destinationSelector` only says where the rule applies. */
export type AccessFieldName = Exclude<keyof AccessPolicySpec, 'destinationSelector'>;

/** One file for each; a field of {@link AccessPolicySpec} that is missing here is a compile error. */
export const ACCESS_FIELDS: FieldTable<AccessPolicySpec> = {
  sourceSelector,
  destinationSelector,
  action,
  unauthenticated,
  allowedPaths,
  allowedMethods,
  allowedPorts,
  notPaths,
  notMethods,
  notPorts,
};
