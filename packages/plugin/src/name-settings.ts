/** Settings that are names: most plugins have only such settings. */
import type { StandardSchema } from './contract.ts';

export interface NameSetting {
  /** Its default value. */
  readonly initial: string;
  readonly form: RegExp;
  /**
   * A description of the form, with its article, such as `the name of a namespace`: errors print it as the expected
   * value.
   */
  readonly what: string;
}

/** The form of a namespace or Service name: a DNS label. */
export const DNS_LABEL: RegExp = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** A validator of such settings, all of them optional. It rejects unknown settings by name. */
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
