/** The values of a chart, as options of meshctl and of Helm. */
import { existsSync } from 'node:fs';
import { InputError } from '../problem.ts';

export interface ValueOptions {
  readonly profile?: 'trial' | 'production';
  readonly set: readonly string[];
  /** Paths of YAML files. */
  readonly values: readonly string[];
}

/** @throws InputError for a file that does not exist */
export function valueFlags({ profile, set, values }: ValueOptions): readonly string[] {
  const missing = values.find((file) => !existsSync(file));
  if (missing !== undefined) throw new InputError(`no file ${missing}; give --values the path of a YAML file`);
  return [
    ...values.flatMap((file) => ['--values', file]),
    ...(profile === undefined ? [] : ['--set', `profile=${profile}`]),
    ...set.flatMap((value) => ['--set', value]),
  ];
}
