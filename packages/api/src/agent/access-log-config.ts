// AccessLogConfig: what is kept of the access log of a workload, as native output. Internal.
import type { z } from 'zod';
import { type AccessLogFilter, checkedFilter } from '../extensions/access-log-record.ts';
import type { AGENT_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { name, text } from '../schema/scalar.ts';

/** One wish for entries, of one or more AccessLogRecords. Names of headers and trailers are in lower case. */
export interface AccessLogRule {
  /** For people: whose wish it is. */
  readonly name: string;
  /** An entry is kept when any of them is met; empty: every entry. */
  readonly filters: readonly AccessLogFilter[];
  /** Names of headers of requests that are kept. */
  readonly includedRequestHeaders: readonly string[];
  /** Names of headers of responses that are kept. */
  readonly includedResponseHeaders: readonly string[];
  /** Names of trailers of responses that are kept. */
  readonly includedResponseTrailers: readonly string[];
  /** Names of objects of Envoy's filter state that are kept. */
  readonly includedFilterStateObjects: readonly string[];
}

/** What is kept of the entries of the proxies of one workload, in the object's own namespace. */
export interface AccessLogConfigSpec {
  /** Of the controller of the pods. */
  readonly workload: string;
  /** An entry is kept that any of them asks for, with the headers of all that ask for it. */
  readonly rules: readonly AccessLogRule[];
}

/** What the agents of a cluster keep of the access log of a workload. */
export interface AccessLogConfig extends KubeObject<AccessLogConfigSpec, never> {
  readonly apiVersion: typeof AGENT_API_VERSION;
  readonly kind: 'AccessLogConfig';
}

const names = anyLength(text);

const rule: z.ZodType<AccessLogRule> = object<AccessLogRule>('AccessLogRule', {
  required: {
    name: text,
    filters: anyLength(checkedFilter),
    includedRequestHeaders: names,
    includedResponseHeaders: names,
    includedResponseTrailers: names,
    includedFilterStateObjects: names,
  },
  optional: {},
});

/** Schema of {@link AccessLogConfigSpec}. */
export const accessLogConfigSpec: z.ZodType<AccessLogConfigSpec> = object<AccessLogConfigSpec>('AccessLogConfigSpec', {
  required: { workload: name, rules: anyLength(rule) },
  optional: {},
});
