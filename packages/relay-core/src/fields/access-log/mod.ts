/** Every field of `spec` of an AccessLogRecord, as core sees it. */
import type { AccessLogFieldName, AccessLogRecordSpec } from '@meshrelay/api';
import { type AccessLogCapabilitiesOf, memoizeUntilCompaction } from '@meshrelay/plugin';
import { ACCESS_LOG_REQUESTS, type AccessLogCapability, type AccessLogRuleParts } from '@meshrelay/plugin/host';
import { addRequirements, capabilityPaths, type Requirements } from '../table.ts';
import type { AccessLogField } from './field.ts';
import { filters } from './filters.ts';
import { includedFilterStateObjects } from './included-filter-state-objects.ts';
import { includedRequestHeaders } from './included-request-headers.ts';
import { includedResponseHeaders } from './included-response-headers.ts';
import { includedResponseTrailers } from './included-response-trailers.ts';

/** One file for each; an API field that is missing here is a compile error. The order is that of reports. */
const ACCESS_LOG_FIELD_VIEWS: { readonly [F in AccessLogFieldName]: AccessLogField<F> } = {
  filters,
  includedRequestHeaders,
  includedResponseHeaders,
  includedResponseTrailers,
  includedFilterStateObjects,
};

/** A record requests entries, whatever its fields are. */
const WHOLE = { [ACCESS_LOG_REQUESTS]: 'spec' } as const;

/** Each capability with the path in the policy that reports name. */
export const ACCESS_LOG_CAPABILITIES: Readonly<Record<AccessLogCapability, string>> = {
  ...WHOLE,
  ...capabilityPaths<AccessLogCapabilitiesOf<AccessLogFieldName>>(ACCESS_LOG_FIELD_VIEWS),
};

/** Any one of them. */
interface AnyAccessLogField {
  readonly capabilities: Readonly<Record<string, string>>;
  view(spec: AccessLogRecordSpec): Partial<AccessLogRuleParts>;
  requires?(rule: AccessLogRuleParts): readonly AccessLogCapability[];
  reduce?(
    rule: AccessLogRuleParts,
    supports: (capability: AccessLogCapability) => boolean,
  ): Partial<AccessLogRuleParts> | undefined;
}

const FIELDS = Object.values(ACCESS_LOG_FIELD_VIEWS) as readonly AnyAccessLogField[];

/** The rule of a record. */
export function accessLogRuleOf(spec: AccessLogRecordSpec): AccessLogRuleParts {
  return Object.assign({}, ...FIELDS.map((field) => field.view(spec)));
}

/** What a rule needs at least. */
export const accessLogRequirements: (rule: AccessLogRuleParts) => Requirements<AccessLogCapability> =
  memoizeUntilCompaction((rule) => {
    const requirements = {};
    addRequirements(requirements, { capabilities: WHOLE }, Object.keys(WHOLE));
    for (const field of FIELDS) addRequirements(requirements, field, field.requires?.(rule) ?? []);
    return requirements;
  });

/** The rule without what a mesh does not support; the same object if it supports all. */
export function reducedLogRule<Rule extends AccessLogRuleParts>(
  rule: Rule,
  supports: (capability: AccessLogCapability) => boolean,
): Rule {
  const parts = FIELDS.flatMap((field) => field.reduce?.(rule, supports) ?? []);
  return parts.length === 0 ? rule : Object.assign({}, rule, ...parts);
}
