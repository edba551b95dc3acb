/** Permissions of RBAC filters. Everything in them is literal: wildcards apply only at the ends of paths. */
import { create, type MessageInitShape, rbac } from '@meshrelay/envoy-api';

export type PermissionInit = MessageInitShape<typeof rbac.PermissionSchema>;

/** Matches every request. */
export function anything(): rbac.Permission {
  return create(rbac.PermissionSchema, { rule: { case: 'any', value: true } });
}

/** No permission without rules. */
export function oneOf(rules: readonly PermissionInit[]): readonly PermissionInit[] {
  return rules.length === 0 ? [] : [{ rule: { case: 'orRules', value: { rules: [...rules] } } }];
}

/** Matches what none of the rules matches; no permission without rules. */
export function noneOf(rules: readonly PermissionInit[]): readonly PermissionInit[] {
  return oneOf(rules).map((rule) => ({ rule: { case: 'notRule', value: rule } }));
}

/** Without the query, as in every other mesh. */
export function path(text: string): PermissionInit {
  const matchPattern = text.endsWith('*')
    ? ({ case: 'prefix', value: text.slice(0, -1) } as const)
    : text.startsWith('*')
      ? ({ case: 'suffix', value: text.slice(1) } as const)
      : ({ case: 'exact', value: text } as const);
  // Envoy rejects an empty prefix or suffix; both match any path.
  if (matchPattern.value === '') return { rule: { case: 'any', value: true } };
  return { rule: { case: 'urlPath', value: { rule: { case: 'path', value: { matchPattern } } } } };
}

export function method(text: string): PermissionInit {
  const matchPattern = { case: 'exact', value: text } as const;
  const value = { name: ':method', headerMatchSpecifier: { case: 'stringMatch', value: { matchPattern } } } as const;
  return { rule: { case: 'header', value } };
}
