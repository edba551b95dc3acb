/** The programs of a checkout as plain JavaScript: see docs/adr/0083-programs-as-bundles.md. */
export { type Build, type BuildOptions, buildPrograms } from './build-programs.ts';
export { builtProgram, builtPrograms } from './built-program.ts';
export { mainFile } from './bundle.ts';
export { manifestOf } from './manifest.ts';
export { type ProgramName, programs, ROOT } from './programs.ts';
