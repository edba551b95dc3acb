/** The programs of a checkout as plain JavaScript: see docs/adr/0083-programs-as-bundles.md. */
export { type Build, type BuildOptions, buildPrograms } from './build-programs.ts';
export { builtProgram } from './built-program.ts';
export { type ProgramName, programs } from './programs.ts';
