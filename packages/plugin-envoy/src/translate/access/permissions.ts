/** The permission of a rule. Everything in it is literal: wildcards apply only at the ends of paths. */
import { create, type MessageInitShape, rbac } from '@meshrelay/envoy-api';
import type { AccessRuleView } from '@meshrelay/relay-core';

type PermissionInit = MessageInitShape<typeof rbac.PermissionSchema>;

/** The requests that a rule matches. */
export function requestPermission({ paths, methods, notPaths, notMethods }: AccessRuleView): rbac.Permission {
  const parts = [
    ...oneOf(paths.map(path)),
    ...oneOf(methods.map(method)),
    ...oneOf(notPaths.map(path)).map(not),
    ...oneOf(notMethods.map(method)).map(not),
  ];
  if (parts.length === 0) return anything();
  return create(rbac.PermissionSchema, { rule: { case: 'andRules', value: { rules: parts } } });
}

export function anything(): rbac.Permission {
  return create(rbac.PermissionSchema, { rule: { case: 'any', value: true } });
}

function oneOf(rules: readonly PermissionInit[]): PermissionInit[] {
  return rules.length === 0 ? [] : [{ rule: { case: 'orRules', value: { rules: [...rules] } } }];
}

function not(rule: PermissionInit): PermissionInit {
  return { rule: { case: 'notRule', value: rule } };
}

/** Without the query, as in every other mesh. */
function path(text: string): PermissionInit {
  const matchPattern = text.endsWith('*')
    ? ({ case: 'prefix', value: text.slice(0, -1) } as const)
    : text.startsWith('*')
      ? ({ case: 'suffix', value: text.slice(1) } as const)
      : ({ case: 'exact', value: text } as const);
  // Envoy rejects an empty prefix or suffix; both match any path.
  if (matchPattern.value === '') return { rule: { case: 'any', value: true } };
  return { rule: { case: 'urlPath', value: { rule: { case: 'path', value: { matchPattern } } } } };
}

function method(text: string): PermissionInit {
  const value = { name: ':method', headerMatchSpecifier: { case: 'stringMatch', value: exact(text) } } as const;
  return { rule: { case: 'header', value } };
}

function exact(value: string): { readonly matchPattern: { readonly case: 'exact'; readonly value: string } } {
  return { matchPattern: { case: 'exact', value } };
}
