// AccessLogConfig: which access log entries of a workload the agents retain, as native output. Internal.
import type * as z from 'zod/mini';
import { type AccessLogFilter, checkedFilter } from '../extensions/access-log/filters.ts';
import type { AGENT_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { anyLength } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { name, text } from '../schema/scalar.ts';

/** One request for entries, from one or more AccessLogRecords. Names of headers and trailers are in lower case. */
export interface AccessLogRule {
  /** For users: the origin of the request. */
  readonly name: string;
  /** An entry is retained if any of them matches; empty: every entry. */
  readonly filters: readonly AccessLogFilter[];
  /** Names of request headers that are retained. */
  readonly includedRequestHeaders: readonly string[];
  /** Names of response headers that are retained. */
  readonly includedResponseHeaders: readonly string[];
  /** Names of response trailers that are retained. */
  readonly includedResponseTrailers: readonly string[];
  /** Names of objects in Envoy's filter state that are retained. */
  readonly includedFilterStateObjects: readonly string[];
}

/** Which entries of the proxies of one workload are retained, in the object's own namespace. */
export interface AccessLogConfigSpec {
  /** Name of the controller of the pods. */
  readonly workload: string;
  /** An entry is retained if any request matches it, with the headers of all matching requests. */
  readonly rules: readonly AccessLogRule[];
}

/** Which access log entries of a workload the agents of a cluster retain. */
export interface AccessLogConfig extends KubeObject<AccessLogConfigSpec, never> {
  readonly apiVersion: typeof AGENT_API_VERSION;
  readonly kind: 'AccessLogConfig';
}

const names = anyLength(text);

const rule: z.ZodMiniType<AccessLogRule> = object<AccessLogRule>('AccessLogRule', {
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
export const accessLogConfigSpec: z.ZodMiniType<AccessLogConfigSpec> = object<AccessLogConfigSpec>(
  'AccessLogConfigSpec',
  {
    required: { workload: name, rules: anyLength(rule) },
    optional: {},
  },
);
