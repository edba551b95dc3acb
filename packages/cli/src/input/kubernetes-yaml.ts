/**
 * YAML as kubectl reads it: unquoted strings become other types more often than in YAML 1.2, and in some cases less
 * often.
 */
import { Scalar, type ScalarTag, type SchemaOptions } from 'yaml';

const CORE = 'tag:yaml.org,2002:';

/** All YAML versions read the JSON form of these values. */
const stringify = ({ value }: Scalar): string => JSON.stringify(value);

const NULL: ScalarTag = {
  tag: `${CORE}null`,
  default: true,
  identify: (value) => value === null,
  createNode: () => new Scalar(null),
  test: /^(?:~|null|Null|NULL)?$/,
  resolve: () => new Scalar(null),
  stringify,
};

const BOOLEAN: ScalarTag = {
  tag: `${CORE}bool`,
  default: true,
  identify: (value) => typeof value === 'boolean',
  test: /^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|true|True|TRUE|false|False|FALSE)$/,
  resolve: (text) => /^(?:y|on|t)/i.test(text),
  stringify,
};

/** Underscores are allowed anywhere after the first character, and are ignored. */
const run = (digit: string): string => `(?:${digit}_*)+`;

const DIGITS = run('\\d');

const INTEGER: ScalarTag = {
  tag: `${CORE}int`,
  default: true,
  identify: (value) => Number.isInteger(value),
  test: new RegExp(
    `^(?:[-+]_*)?(?:0_*[bB]_*${run('[01]')}|0_*[xX]_*${run('[\\da-fA-F]')}|0_*[oO]_*${run('[0-7]')}|0_*(?:${run('[0-7]')})?|[1-9]_*(?:${run('\\d')})?)$`,
  ),
  resolve: (text) => {
    const plain = text.replaceAll('_', '');
    const digits = plain.replace(/^[-+]/, '');
    const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
    return plain.startsWith('-') ? -value : value;
  },
  stringify,
};

const FLOAT: ScalarTag = {
  tag: `${CORE}float`,
  default: true,
  identify: (value) => typeof value === 'number',
  test: new RegExp(`^(?:[-+]_*)?(?:${DIGITS}(?:\\._*(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE]_*(?:[-+]_*)?${DIGITS})?$`),
  resolve: (text) => {
    const value = Number(text.replaceAll('_', ''));
    return Number.isFinite(value) ? value : text;
  },
  stringify,
};

/** For reading and writing with the library, so a written value is read back unchanged. */
export const KUBERNETES_YAML: SchemaOptions = {
  schema: 'failsafe',
  customTags: [NULL, BOOLEAN, INTEGER, FLOAT],
  merge: true,
};
