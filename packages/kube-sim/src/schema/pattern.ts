/** Regular expressions of schemas: RE2 syntax, run by the JavaScript engine. */

const compiled = new Map<string, RegExp>();
/** Look-around and back-references do not exist in RE2, and the server rejects schemas that use them. */
const UNSUPPORTED = /\(\?<?[=!]|\\[1-9]/;

/**
 * Compiles an RE2 pattern; the result is cached, as schemas have few patterns and match them often.
 * @throws SyntaxError with the text of Go's regexp package for an invalid RE2 pattern
 */
export function compilePattern(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const unsupported = UNSUPPORTED.exec(pattern);
  if (unsupported !== null)
    throw new SyntaxError(`error parsing regexp: invalid or unsupported Perl syntax: \`${unsupported[0]}\``);
  const expression = translate(pattern);
  compiled.set(pattern, expression);
  return expression;
}

function translate(pattern: string): RegExp {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const body = pattern
    .slice(flags?.[0].length ?? 0)
    .replaceAll('\\A', '^')
    .replaceAll('\\z', '$')
    .replaceAll('[:alpha:]', 'A-Za-z')
    .replaceAll('[:digit:]', '0-9')
    .replaceAll('[:alnum:]', '0-9A-Za-z')
    .replaceAll('[:lower:]', 'a-z')
    .replaceAll('[:upper:]', 'A-Z')
    .replaceAll('[:space:]', '\\s')
    .replaceAll('(?P<', '(?<');
  return expressionOf(body, `${flags?.[1] ?? ''}u`) ?? looserExpressionOf(body, flags?.[1] ?? '');
}

/** Undefined if the syntax is not valid in Unicode mode, which is stricter than RE2 about escapes and braces. */
function expressionOf(body: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(body, flags);
  } catch {
    return undefined;
  }
}

function looserExpressionOf(body: string, flags: string): RegExp {
  try {
    return new RegExp(body, flags);
  } catch (error) {
    throw new SyntaxError(`error parsing regexp: ${(error as Error).message}`);
  }
}
