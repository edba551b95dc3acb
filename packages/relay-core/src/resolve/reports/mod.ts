/** Reports to policies that do not take effect, or only in part. */
export { destinationDiagnostics } from './destination-diagnostics.ts';
export { workloadNotes } from './extension-notes.ts';
export { memberNotes } from './member-notes.ts';
export { remoteRouteDiagnostics } from './route-diagnostics.ts';
export { settingsNotes } from './settings-notes.ts';
export { unknownPlaces } from './unknown-places.ts';
export { virtualNotes } from './virtual-destination-notes.ts';
export { authorityProblems } from './workspace-problems.ts';
