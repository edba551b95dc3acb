/** Settings that are names: what most plugins have installations say of themselves. */
import type { StandardSchema } from './contract.ts';

/** One such setting. */
export interface NameSetting {
  /** Its value where an installation says nothing. */
  readonly initial: string;
  readonly form: RegExp;
  /** What has that form, with its article, such as `the name of a namespace`: errors say that it was expected. */
  readonly what: string;
}

/** What a namespace or a Service may be called: a label of DNS. */
export const DNS_LABEL: RegExp = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** A validator of such settings, each of which may be left out. What it does not know is refused, and told by its name. */
export function nameSettings<Name extends string>(
  settings: Readonly<Record<Name, NameSetting>>,
): StandardSchema<Readonly<Record<Name, string>>> {
  const known = new Map<string, NameSetting>(Object.entries(settings));
  const initial = Object.fromEntries([...known].map(([name, setting]) => [name, setting.initial]));
  const wrong = (name: string, given: unknown): string | undefined => {
    const setting = known.get(name);
    if (setting === undefined) return `is not known; there are ${[...known.keys()].join(', ')}`;
    return typeof given === 'string' && setting.form.test(given) ? undefined : `expected ${setting.what}`;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'meshrelay',
      validate(value) {
        if (typeof value !== 'object' || value === null || Array.isArray(value))
          return { issues: [{ message: 'expected an object', path: [] }] };
        const issues = Object.entries(value).flatMap(([name, given]) => {
          const message = wrong(name, given);
          return message === undefined ? [] : [{ message, path: [name] }];
        });
        return issues.length > 0 ? { issues } : { value: { ...initial, ...value } as Record<Name, string> };
      },
    },
  };
}
