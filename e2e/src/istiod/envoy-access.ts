/** Whether a proxy admits a request, by the filters that istiod sends. */
import { matchesWhole } from './matches-whole.ts';

/** An HTTP request to a port, and its sender. */
export interface InboundRequest {
  /** SPIFFE ID; absent for callers without an identity. */
  readonly identity?: string;
  readonly path: string;
  readonly method: string;
  readonly port: number;
}

/** Envoy's format, limited to the filters that Meshrelay generates. */
export interface RbacFilter {
  readonly rules?: {
    readonly action?: 'DENY';
    readonly policies?: Readonly<
      Record<string, { readonly permissions: readonly Rule[]; readonly principals: readonly Rule[] }>
    >;
  };
}

interface Text {
  readonly exact?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly safeRegex?: { readonly regex: string };
}

/** A permission or a principal: one of these. */
interface Rule {
  readonly any?: true;
  readonly andRules?: { readonly rules: readonly Rule[] };
  readonly orRules?: { readonly rules: readonly Rule[] };
  readonly notRule?: Rule;
  readonly andIds?: { readonly ids: readonly Rule[] };
  readonly orIds?: { readonly ids: readonly Rule[] };
  readonly notId?: Rule;
  readonly header?: { readonly name: string; readonly stringMatch: Text };
  readonly urlPath?: { readonly path: Text };
  readonly destinationPort?: number;
  readonly authenticated?: { readonly principalName: Text };
}

/** Whether all filters admit it. @throws Error if a filter decides in a way that this code does not know */
export function admits(filters: readonly RbacFilter[], request: InboundRequest): boolean {
  return filters.every(({ rules }) => {
    if (rules === undefined) return true;
    const { action, policies = {} } = rules;
    const fits = Object.values(policies).some(
      ({ permissions, principals }) =>
        permissions.some((rule) => holds(rule, request)) && principals.some((rule) => holds(rule, request)),
    );
    return action === 'DENY' ? !fits : fits;
  });
}

function holds(rule: Rule, request: InboundRequest): boolean {
  if (rule.any) return true;
  const all = rule.andRules?.rules ?? rule.andIds?.ids;
  if (all !== undefined) return all.every((one) => holds(one, request));
  const some = rule.orRules?.rules ?? rule.orIds?.ids;
  if (some !== undefined) return some.some((one) => holds(one, request));
  const not = rule.notRule ?? rule.notId;
  if (not !== undefined) return !holds(not, request);
  if (rule.header?.name === ':method') return isText(rule.header.stringMatch, request.method);
  if (rule.urlPath !== undefined) return isText(rule.urlPath.path, request.path);
  if (rule.destinationPort !== undefined) return rule.destinationPort === request.port;
  if (rule.authenticated !== undefined)
    return request.identity !== undefined && isText(rule.authenticated.principalName, request.identity);
  throw new Error(`this model of Envoy does not support the rule ${JSON.stringify(rule)}`);
}

function isText({ exact, prefix, suffix, safeRegex, ...others }: Text, value: string): boolean {
  if (exact !== undefined) return value === exact;
  if (prefix !== undefined) return value.startsWith(prefix);
  if (suffix !== undefined) return value.endsWith(suffix);
  if (safeRegex !== undefined) return matchesWhole(safeRegex.regex, value);
  throw new Error(`this model of Envoy does not support the string matcher ${JSON.stringify(others)}`);
}
