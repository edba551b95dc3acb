/** Programs and files that come as Go modules. */
export { goModuleFolder, goProgram } from './modules.ts';
