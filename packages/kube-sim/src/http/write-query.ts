/** The query parameters of a write. */
import type { WriteOptions } from '../admission/write-options.ts';
import { invalidOptions } from '../errors/api-errors.ts';
import { type FieldError, forbidden, notSupported } from '../errors/field-error.ts';
import { isTrue } from '../verbs/list-options.ts';
import type { RequestContext } from './request-context.ts';

const VALIDATIONS = ['Ignore', 'Warn', 'Strict'];

/**
 * Reads the options of a write. `kind` is the options type in error texts.
 * @throws StatusError 422
 */
export function parseWriteOptions(
  context: RequestContext,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  isApply = false,
): WriteOptions {
  const { query, warnings } = context;
  const fieldValidation = query.get('fieldValidation') ?? '';
  const errors: FieldError[] = dryRunErrors(query.getAll('dryRun'));
  if (fieldValidation !== '' && !VALIDATIONS.includes(fieldValidation))
    errors.push(notSupported('fieldValidation', fieldValidation, ['', ...VALIDATIONS]));
  if (kind === 'PatchOptions' && !isApply && isTrue(query.get('force')))
    errors.push(forbidden('force', 'may not be specified for non-apply patch'));
  if (errors.length > 0) throw invalidOptions(kind, errors);
  const fieldManager = query.get('fieldManager') ?? '';
  return {
    dryRun: query.getAll('dryRun').includes('All'),
    fieldManager: fieldManager === '' && !isApply ? defaultManager(context.userAgent) : fieldManager,
    fieldValidation: (fieldValidation === '' ? 'Warn' : fieldValidation) as WriteOptions['fieldValidation'],
    warn: (text) => void warnings.push(text),
  };
}

/** Errors of the values of `dryRun`. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', [...values], ['All'])];
}

/** Clients without a field manager are named by their program. */
function defaultManager(userAgent: string): string {
  return (userAgent.split('/')[0] ?? '').slice(0, 128);
}
